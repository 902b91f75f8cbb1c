// Tier full: runs the built program in vaults whose data folder was renamed
import { existsSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runProgram } from '../fakes/program.js';
import { stateNamed } from '../fakes/test-vault.js';
import { callInProcess, createFolders, type TestFolders } from './program-folders.js';

const NAMES = ['Savepoint 2', 'Savepoint (1)', 'savepoint', 'Savepoint-HOST'];

const NOTICE = (name: string) => `the folder \\"${name}\\" next to the data folder contains one`;

/** Renames the data folder of a vault with a state. Returns it on a device without copies. */
async function renamedTo(name: string): Promise<TestFolders> {
  const at = createFolders();
  await callInProcess(at, 'createState', stateNamed('Plan'));
  renameSync(join(at.vault, 'Savepoint'), join(at.vault, name));
  return { ...at, state: createFolders().state };
}

const run = (at: TestFolders, command: string, ...more: string[]) =>
  runProgram([command, '--vault', at.vault, '--state', at.state, ...more]);

function doctor({ vault, state }: TestFolders) {
  const env = { PATH: process.env['PATH'] ?? '', HOME: state, SAVEPOINT_STATE: state };
  return runProgram(['doctor', '--vault', vault], { env });
}

/** Returns the files below a folder of the vault, with their contents. */
function contentsOf({ vault }: TestFolders, name: string): Record<string, string> {
  const folder = join(vault, name);
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  const files = names.filter((each) => /\.\w+$/.test(each));
  return Object.fromEntries(files.map((each) => [each, readFileSync(join(folder, each), 'utf8')]));
}

describe.each(NAMES)('a data folder that is called "%s" now', (name) => {
  it('is named by verify, doctor and the first answer, and merged on request', async () => {
    const at = await renamedTo(name);
    const before = contentsOf(at, name);
    const report = await run(at, 'verify');
    expect(report.code).toBe(1);
    expect(report.stdout).toContain(`  ${name}: `);
    expect(report.stdout).toMatch(/apart \(\d+\): events that are not in the data folder/);
    expect((await doctor(at)).stdout).toMatch(/memory.*apart \d+/);
    expect((await callInProcess(at, 'listStates', {})).stdout).toContain(NOTICE(name));
    expect(existsSync(join(at.vault, 'Savepoint/core'))).toBe(false);

    const merged = await run(at, 'verify', '--recover', name);
    expect(merged.code).toBe(0);
    expect(merged.stdout).toMatch(
      /^\d+ events added from "[^"]+" to "Savepoint", 0 known already\. "[^"]+" stays as it is/,
    );
    expect(contentsOf(at, name)).toEqual(before);
    const answer = (await callInProcess(at, 'listStates', {})).stdout;
    expect(answer).toContain('"Plan"');
    expect(answer).not.toContain(NOTICE(name));

    const after = contentsOf(at, 'Savepoint');
    const again = await run(at, 'verify', '--recover', `${name}/`);
    expect(again).toMatchObject({ code: 0 });
    expect(again.stdout).toMatch(/^0 events added/);
    expect(contentsOf(at, 'Savepoint')).toEqual(after);
    expect((await run(at, 'verify')).code).toBe(0);
    expect((await doctor(at)).stdout).not.toContain('apart');
  });
});

describe('a data folder that was renamed while another has begun', () => {
  it('is found by verify, and both memories are kept', async () => {
    const at = await renamedTo('Savepoint 2');
    await callInProcess(at, 'createState', stateNamed('New'));
    const json = await run(at, 'verify', '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({ siblings: [{ path: 'Savepoint 2' }] });
    expect(await run(at, 'verify', '--recover', 'Savepoint 3')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Folders with a memory: "Savepoint 2".') as string,
    });
    expect(await run(at, 'verify', '--recover', 'Savepoint 2')).toMatchObject({ code: 0 });
    const { stdout } = await callInProcess(at, 'listStates', {});
    for (const name of ['Plan', 'New']) expect(stdout).toContain(`"${name}"`);
  });
});
