import { cpSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { connect, runProgram, temporaryFolder } from '../../fakes/program.js';
import { stateNamed } from '../../fakes/test-vault.js';
import { inFull } from '../../tier.js';

const testInFull = it.runIf(inFull('changes by other programs'));

const itInFull = it.runIf(inFull('further searches by the program'));

function write(vault: string, path: string, text: string): void {
  mkdirSync(dirname(join(vault, path)), { recursive: true });
  writeFileSync(join(vault, path), text);
}

function vaultWithNotes(): string {
  const vault = temporaryFolder();
  write(vault, 'Garden/Tomatoes.md', '# Watering\n\nWater the tomatoes every second morning.\n');
  write(vault, 'House/Car.md', '# Costs\nThe automobile needs new tyres before winter.\n');
  write(vault, 'Diary/Secret.md', 'Tomatoes that nobody may know of.');
  write(
    vault,
    '.obsidian/plugins/savepoint/data.json',
    JSON.stringify({ excludedFolders: ['Diary'] }),
  );
  return vault;
}

const search = (vault: string, state: string, ...args: string[]) =>
  runProgram(['search', ...args, '--vault', vault, '--state', state]);

describe('search', () => {
  it('prints location and reason, and skips excluded folders', async () => {
    const [vault, state] = [vaultWithNotes(), temporaryFolder('state')];
    expect(await search(vault, state, 'water', 'tomatoes', '--mode', 'keyword')).toEqual({
      code: 0,
      stderr: '',
      stdout:
        'Garden/Tomatoes.md:3  # Watering\n    Water the tomatoes every second morning.\n    (title, heading, text)\n',
    });
    expect((await search(vault, state, 'vehicle expenses')).stdout).toContain('House/Car.md:1');
    expect(
      (await search(vault, state, 'tomatoes', '--in', 'House', '--mode', 'keyword')).stdout,
    ).toBe('No matches.\n');
  });

  itInFull("prints the result as JSON, and searches a workspace's memory", async () => {
    const [vault, state] = [vaultWithNotes(), temporaryFolder('state')];
    const saved = [
      'call',
      'createState',
      '--vault',
      vault,
      '--state',
      state,
      '--json',
      JSON.stringify(stateNamed('Beds drawn')),
    ];
    expect((await runProgram(saved)).code).toBe(0);
    const answer = JSON.parse(
      (await search(vault, state, 'beds', '--memory', '--json', '--limit', '1')).stdout,
    ) as unknown;
    expect(answer).toMatchObject({ success: true, data: [{ type: 'state', name: 'Beds drawn' }] });
    expect((await search(vault, state, 'beds', '--memory', '--limit', '1')).stdout).toMatch(
      /^\d{4}-\d\d-\d\d \d\d:\d\d {2}state Beds drawn\n/,
    );
  });

  itInFull('reports errors as readable messages', async () => {
    const [vault, state] = [vaultWithNotes(), temporaryFolder('state')];
    expect(await search(vault, state, 'x', '--in', 'Attic')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('"Attic" not found') as string,
    });
    expect(await search(vault, state, 'x', '--mode', 'best')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('"hybrid"') as string,
    });
    for (const args of [[], ['x', '--limit', '0'], ['x', '--memory', '--in', 'House']])
      expect((await search(vault, state, ...args)).code).toBe(2);
  });

  itInFull('finds the notes of a copied vault, not those of the original', async () => {
    const [vault, state, copy] = [
      vaultWithNotes(),
      temporaryFolder('state'),
      temporaryFolder('copy'),
    ];
    await search(vault, state, 'tomatoes');
    cpSync(vault, copy, { recursive: true });
    rmSync(join(copy, 'Garden'), { recursive: true });
    write(copy, 'New.md', 'Tomatoes elsewhere.');
    expect((await search(copy, state, 'tomatoes', '--mode', 'keyword')).stdout).toMatch(
      /^New\.md:1\n/,
    );
    expect((await search(vault, state, 'tomatoes', '--mode', 'keyword')).stdout).toMatch(
      /^Garden\/Tomatoes\.md:3/,
    );
  });
});

describe('the server', () => {
  testInFull('follows writes, moves and removals by other programs', async () => {
    const [vault, state] = [vaultWithNotes(), temporaryFolder('state')];
    const { call } = await connect(vault, state);
    const paths = async (query: string) => {
      const { data } = await call('searchContent', { query, mode: 'keyword' });
      return (data as { path: string }[]).map(({ path }) => path);
    };
    const patience = { timeout: 30_000 };
    expect(await paths('tomatoes')).toEqual(['Garden/Tomatoes.md']);
    write(vault, 'Garden/Deep/Pumpkins.md', 'One pumpkin.');
    await expect.poll(() => paths('pumpkin'), patience).toEqual(['Garden/Deep/Pumpkins.md']);
    write(vault, 'Garden/Deep/Pumpkins.md', 'One courgette, then.');
    await expect.poll(() => paths('courgette'), patience).toEqual(['Garden/Deep/Pumpkins.md']);
    renameSync(join(vault, 'Garden'), join(vault, 'Allotment'));
    await expect.poll(() => paths('courgette tomatoes'), patience).toHaveLength(2);
    await expect
      .poll(async () => (await paths('courgette tomatoes')).sort(), patience)
      .toEqual(['Allotment/Deep/Pumpkins.md', 'Allotment/Tomatoes.md']);
    rmSync(join(vault, 'Allotment', 'Deep'), { recursive: true });
    await expect.poll(() => paths('courgette'), patience).toEqual([]);
  });
});
