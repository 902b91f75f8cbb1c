// Tier full: reads vaults of which files are missing
import { readdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { commandInProcess, connectInProcess } from '../fakes/in-process.js';
import { connectFast, runProgram } from '../fakes/program.js';
import { stateNamed } from '../fakes/test-vault.js';
import { inFull, someOf } from '../tier.js';
import { BLANK_CONTENTS } from './blank-contents.js';
import { callInProcess, createFolders } from './program-folders.js';

type Folders = ReturnType<typeof createFolders>;

const NOTICE = '1 file of the memory cannot be read or is not downloaded yet';
/** How fast the clock of a process runs that waits before it heals. */
const SPEED = 3;
const WORKSPACE = { name: 'Plan', description: 'A plan', rootFolder: '/', purpose: 'To test' };

function coreFiles({ vault }: Pick<Folders, 'vault'>): string[] {
  const folder = join(vault, 'Savepoint/core');
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.jsonl')).map((name) => join(folder, name));
}

/** Replaces a file as iCloud does; returns a function that downloads it. */
function evict(file: string): () => void {
  const placeholder = join(dirname(file), `.${basename(file)}.icloud`);
  const away = `${file}.away`;
  renameSync(file, away);
  writeFileSync(placeholder, '');
  return () => {
    rmSync(placeholder);
    renameSync(away, file);
  };
}

const foldersOf = ({ vault, state }: Folders) => ['--vault', vault, '--state', state];

async function answerOf(at: Folders, tool: string, params: object): Promise<string> {
  return (await callInProcess(at, tool, params)).stdout;
}

describe('a segment that is not downloaded yet', () => {
  it('is mentioned by every answer that may depend on it', async () => {
    const at = createFolders();
    await callInProcess(at, 'createWorkspace', WORKSPACE);
    const other = { ...at, state: createFolders().state };
    const download = evict(coreFiles(at)[0]!);
    expect(await answerOf(other, 'listWorkspaces', {})).toContain(NOTICE);
    expect(await answerOf(other, 'createState', stateNamed('One'))).toContain(NOTICE);
    download();
    const list = await answerOf(other, 'listWorkspaces', {});
    expect(list).toContain('"Plan"');
    expect(list).not.toContain(NOTICE);
  });

  it('is read from the copies of this device', async () => {
    const at = createFolders();
    await callInProcess(at, 'createWorkspace', WORKSPACE);
    evict(coreFiles(at)[0]!);
    expect(await answerOf(at, 'listWorkspaces', {})).toContain('"Plan"');
    expect(await answerOf(at, 'createWorkspace', WORKSPACE)).toContain('already exists');
  });

  it('makes the creation of a workspace fail if a watermark knows of it', async () => {
    const at = createFolders();
    const other = { ...at, state: createFolders().state };
    const third = { ...at, state: createFolders().state };
    await callInProcess(at, 'createWorkspace', WORKSPACE);
    const [file] = coreFiles(at);
    await callInProcess(other, 'createState', stateNamed('Mentions the writer'));
    expect(coreFiles(at)).toHaveLength(2);
    expect(
      readFileSync(
        coreFiles(at).find((each) => each !== file)!,
        'utf8',
      ),
    ).toContain('"log.mark"');
    const download = evict(file!);
    const refused = await answerOf(third, 'createWorkspace', WORKSPACE);
    expect(refused).toContain('a workspace of that name may be in it');
    expect(await answerOf(third, 'createState', stateNamed('Saved'))).toContain('"success":true');
    const { call } = await connectInProcess(third.vault, third.state);
    for (const [tool, params] of [
      ['createWorkspace', WORKSPACE],
      ['loadWorkspace', { name: 'Plan' }],
    ] as const) {
      expect(await call(tool, params)).toMatchObject({ success: false });
      expect(await call('createState', stateNamed(`After ${tool}`))).toMatchObject({
        success: true,
        workspace: 'Default',
        notice: expect.stringContaining('Saved in "Default": "Plan" is not known here') as string,
      });
    }
    download();
    expect(await answerOf(third, 'createWorkspace', WORKSPACE)).toContain('already exists');
    expect(await call('createState', stateNamed('Unclear'))).toMatchObject({ success: false });
  });
});

/** Replaces the content of a file a while ago; returns a function that restores it. */
function blank(file: string, how: string): () => void {
  const before = readFileSync(file);
  writeFileSync(file, BLANK_CONTENTS[how]!(before.length));
  const past = Date.now() / 1000 - 60;
  utimesSync(file, past, past);
  return () => writeFileSync(file, before);
}

function check(command: 'verify' | 'doctor', { vault, state }: Folders) {
  const env = { PATH: process.env['PATH'] ?? '', HOME: state, SAVEPOINT_STATE: state };
  return commandInProcess([command, '--vault', vault], { env });
}

describe.each(someOf(Object.keys(BLANK_CONTENTS), 2))('a segment that contains %s', (how) => {
  it('is told by each answer, verify and doctor, and its names are not given away', async () => {
    const at = createFolders();
    await callInProcess(at, 'createWorkspace', WORKSPACE);
    const other = { ...at, state: createFolders().state };
    const restore = blank(coreFiles(at)[0]!, how);
    const unknown = await callInProcess(other, 'listStates', {}, '--workspace', 'Plan');
    expect(unknown.stdout).toMatch(/"notice".*Workspace \\"Plan\\" not found/);
    expect(unknown.stdout).toContain(NOTICE);
    const refused = await answerOf(other, 'createWorkspace', WORKSPACE);
    expect(refused).toContain('a workspace of that name may be in it');
    const saved = await answerOf(other, 'createState', stateNamed('Saved'));
    expect(saved).toContain('"success":true');
    expect(saved).toContain(NOTICE);
    const report = await check('verify', other);
    expect(report.code).toBe(1);
    expect(report.stdout).toMatch(/waiting \(1\): files from which nothing can be read/);
    expect((await check('doctor', other)).stdout).toMatch(/memory.*waiting 1/);
    restore();
    const again = await answerOf(other, 'createWorkspace', WORKSPACE);
    expect(again).toContain('already exists');
    expect(again).not.toContain(NOTICE);
    expect((await check('verify', other)).stdout).not.toContain('waiting');
  });

  it('is read from the copies of this device, and restored from them', async () => {
    const at = createFolders();
    await callInProcess(at, 'createWorkspace', WORKSPACE);
    blank(coreFiles(at)[0]!, how);
    expect(await answerOf(at, 'createWorkspace', WORKSPACE)).toContain('already exists');
    const healed = await commandInProcess(['verify', ...foldersOf(at), '--heal']);
    expect(healed.stdout).not.toContain('waiting');
    const other = { ...at, state: createFolders().state };
    expect(await answerOf(other, 'createWorkspace', WORKSPACE)).toContain('already exists');
  });
});

describe('a loss that a process without calls can restore', () => {
  it('is mentioned by the first answer, once per session', async () => {
    const at = createFolders();
    await callInProcess(at, 'createState', stateNamed('Lost'));
    rmSync(coreFiles(at)[0]!);
    const { call } = await connectInProcess(at.vault, at.state);
    const notice = expect.stringContaining('had disappeared from the vault') as string;
    expect(await call('listStates')).toMatchObject({ notice });
    expect(await call('listStates')).not.toHaveProperty('notice');
  });

  it.runIf(inFull('a loss that is restored within two minutes'))(
    'is restored within two minutes',
    { timeout: 180_000 },
    async () => {
      const at = createFolders();
      await callInProcess(at, 'createState', stateNamed('Lost'));
      await connectFast(SPEED, at.vault, at.state);
      rmSync(coreFiles(at)[0]!);
      await vi.waitFor(() => expect(coreFiles(at)).toHaveLength(1), {
        timeout: 125_000 / SPEED,
        interval: 100,
      });
      const { code } = await runProgram(['verify', '--vault', at.vault, '--state', at.state]);
      expect(code).toBe(0);
    },
  );
});
