import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runProgram, temporaryFolder } from '../../fakes/program.js';
import { stateNamed } from '../../fakes/test-vault.js';
import { callProgram, createFolders } from '../program-folders.js';
import { inFull } from '../../tier.js';

const testInFull = it.runIf(inFull('findings as JSON'));

/** Returns a vault whose only core file lacks its fourth line. */
async function vaultWithGap(): Promise<string> {
  const at = createFolders();
  for (const name of ['A', 'B', 'C']) await callProgram(at, 'createState', stateNamed(name));
  const core = join(at.vault, 'Savepoint/core');
  const [file] = readdirSync(core, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.jsonl'),
  );
  const lines = readFileSync(join(core, file!), 'utf8').split('\n');
  writeFileSync(join(core, file!), [...lines.slice(0, 3), ...lines.slice(4)].join('\n'));
  return at.vault;
}

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
    const { code, stdout } = await runProgram(['verify', '--vault', await vaultWithGap()]);
    expect(code).toBe(1);
    expect(stdout).toContain('missing 4');
    expect(stdout).toContain('Let every device sync, then verify again');
  });

  testInFull('no longer reports missing events that were dismissed on this device', async () => {
    const vault = await vaultWithGap();
    const state = temporaryFolder();
    const verify = (...more: string[]) =>
      runProgram(['verify', '--vault', vault, '--state', state, ...more]);
    const { stdout } = await verify();
    const [, writer] = /^ {2}(\w{12}) .* missing 4$/m.exec(stdout)!;
    const other = await verify('--dismiss', 'k3v9q2m7x4tb');
    expect(other).toMatchObject({
      code: 1,
      stderr: `No events of writer "k3v9q2m7x4tb" are missing. Writers with missing events: ${writer}.\n`,
    });
    const after = await verify('--dismiss', writer!);
    expect(after.code).toBe(0);
    expect(after.stdout).toMatch(
      /dismissed \(1\): events that are not here and that you dismissed on this device\.\n {2}.*: 1, 4\n/,
    );
    expect(await verify()).toEqual(after);
    expect(await runProgram(['verify', '--vault', vault])).toMatchObject({ code: 1 });
    expect(await verify('--dismiss', writer!)).toMatchObject({
      code: 1,
      stderr: 'No events are missing, so there is nothing to dismiss.\n',
    });
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
