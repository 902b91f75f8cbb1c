import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runProgram } from '../../fakes/program.js';
import { stateNamed } from '../../fakes/test-vault.js';
import { callProgram, createFolders } from '../program-folders.js';
import { inFull } from '../../tier.js';

const testInFull = it.runIf(inFull('findings as JSON'));

describe('verify', () => {
  testInFull('exits with 0 and a summary if nothing is missing', async () => {
    const at = createFolders();
    await callProgram(at, 'createState', stateNamed('Plan'));
    const folders = ['--vault', at.vault, '--state', at.state];
    const { code, stdout } = await runProgram(['verify', ...folders]);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^5 events from 2 writers, digest [0-9a-f]{16}\n[\s\S]*Nothing is missing\.\n$/,
    );
    const json = JSON.parse((await runProgram(['verify', ...folders, '--json'])).stdout) as Record<
      string,
      unknown
    >;
    expect(json).toMatchObject({ events: 5, isWhole: true, problems: [] });
  });

  it('exits with 1 if an event is missing, and names the gap and the fix', async () => {
    const at = createFolders();
    for (const name of ['A', 'B', 'C']) await callProgram(at, 'createState', stateNamed(name));
    const folder = join(
      at.vault,
      'Savepoint',
      'core',
      readdirSync(join(at.vault, 'Savepoint', 'core'))[0]!,
    );
    const file = join(folder, readdirSync(folder)[0]!);
    const lines = readFileSync(file, 'utf8').split('\n');
    writeFileSync(file, [...lines.slice(0, 3), ...lines.slice(4)].join('\n'));
    const { code, stdout } = await runProgram(['verify', '--vault', at.vault]);
    expect(code).toBe(1);
    expect(stdout).toContain('missing 4');
    expect(stdout).toContain('Let every device sync, then verify again');
  });

  testInFull('prints meaning and fix of each kind of finding as JSON', async () => {
    const at = createFolders();
    await callProgram(at, 'createState', stateNamed('Plan'));
    mkdirSync(join(at.vault, 'Savepoint/core/x'), { recursive: true });
    writeFileSync(join(at.vault, 'Savepoint/core/x/notes.jsonl'), 'one\ntwo\n');
    const { stdout } = await runProgram(['verify', '--vault', at.vault, '--json']);
    const { findings } = JSON.parse(stdout) as { findings: Record<string, unknown>[] };
    expect(findings).toEqual([
      {
        kind: 'damaged',
        count: 2,
        places: [{ name: 'Savepoint/core/x/notes.jsonl', count: 2, detail: 'at byte 0' }],
        means: expect.any(String) as string,
        advice: expect.any(String) as string,
      },
    ]);
  });

  it('writes nothing', async () => {
    const { vault } = createFolders();
    expect(await runProgram(['verify', '--vault', vault])).toMatchObject({ code: 0 });
    expect(readdirSync(vault)).toEqual(['.obsidian']);
  });
});
