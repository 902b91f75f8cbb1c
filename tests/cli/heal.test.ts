import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lineOf } from '../fakes/events.js';
import { commandInProcess } from '../fakes/in-process.js';
import { connectFast, runProgram, temporaryFolder } from '../fakes/program.js';
import { stateNamed } from '../fakes/test-vault.js';
import { inFull, someOf } from '../tier.js';
import { callInProcess, callProgram, createFolders } from './program-folders.js';

type Folders = ReturnType<typeof createFolders>;

/** Ways to lose the core lane while no program runs; the README stays. */
const LOSSES: Record<string, (vault: string) => void> = {
  emptied: (vault) => truncateSync(coreFile(vault)),
  'filled with NULs'(vault) {
    const file = coreFile(vault);
    writeFileSync(file, new Uint8Array(statSync(file).size));
  },
  deleted: (vault) => rmSync(coreFile(vault)),
  'deleted with its folder': (vault) => rmSync(join(vault, 'Savepoint/core'), { recursive: true }),
};

function coreFiles(vault: string): string[] {
  const folder = join(vault, 'Savepoint/core');
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => join(folder, name));
}

function coreFile(vault: string): string {
  const [file] = coreFiles(vault);
  if (file === undefined) throw new Error('There is no core file');
  return file;
}

async function twoStates(): Promise<Folders> {
  const at = createFolders();
  for (const name of ['Plan', 'Draft']) await callInProcess(at, 'createState', stateNamed(name));
  return at;
}

const foldersOf = ({ vault, state }: Folders) => ['--vault', vault, '--state', state];

function verify(at: Folders, ...more: string[]) {
  return commandInProcess(['verify', ...foldersOf(at), ...more]);
}

/** Makes it look as if the loss that this device has seen was 61 seconds ago. */
function ageLoss(state: string): void {
  const file = readdirSync(state, { recursive: true, encoding: 'utf8' }).find((name) =>
    name.endsWith('vault.json'),
  );
  const record = JSON.parse(readFileSync(join(state, file!), 'utf8')) as { lossSeenAt: number };
  expect(record.lossSeenAt).toBeGreaterThan(0);
  writeFileSync(
    join(state, file!),
    JSON.stringify({ ...record, lossSeenAt: record.lossSeenAt - 61_000 }),
  );
}

/** How fast the clock of a process runs that waits for a minute before it heals. */
const SPEED = 10;

const testInFull = it.runIf(inFull('further kinds of loss'));

describe.each(someOf(Object.keys(LOSSES), 1))(
  'a core file that was %s while nothing ran',
  (how) => {
    it('is reported by verify, and restored at once by verify --heal', async () => {
      const at = await twoStates();
      LOSSES[how]!(at.vault);
      const lost = await verify(at);
      expect(lost.code).toBe(1);
      expect(lost.stdout).toMatch(/restorable \(\d+\): events that are missing here/);
      expect(lost.stdout).toMatch(/\d+ problems found\.\n$/);
      const healed = await verify(at, '--heal');
      expect(healed).toMatchObject({ code: 0 });
      expect(healed.stdout).toMatch(/Nothing is missing\.\n$/);
    });

    testInFull('is restored by a single call a minute after the loss was first seen', async () => {
      const at = await twoStates();
      LOSSES[how]!(at.vault);
      const list = () => callInProcess(at, 'listStates', {});
      const isInVault = () =>
        coreFiles(at.vault).some((file) => readFileSync(file, 'utf8').includes('"name":"Draft"'));
      await list();
      expect(isInVault()).toBe(false);
      ageLoss(at.state);
      expect(JSON.stringify(await list())).toContain('Draft');
      expect(isInVault()).toBe(true);
      expect((await verify(at)).code).toBe(0);
    });
  },
);

describe('a memory whose whole folder was removed', () => {
  const REMOVED = /removed \(\d+\): events of a memory that was removed from this vault/;

  async function removed() {
    const at = await twoStates();
    rmSync(join(at.vault, 'Savepoint'), { recursive: true });
    const report = await verify(at);
    expect(report).toMatchObject({ code: 1 });
    expect(report.stdout).toMatch(REMOVED);
    const id = /^ {2}([a-z0-9]{16}): \d+/m.exec(report.stdout)?.[1] ?? '';
    return { at, id };
  }

  testInFull('is reported until it is dismissed, also once another has begun', async () => {
    const { at, id } = await removed();
    await callInProcess(at, 'createState', stateNamed('Other'));
    expect(JSON.stringify(await callInProcess(at, 'listStates', {}))).not.toContain('Draft');
    expect((await verify(at, '--heal')).stdout).toMatch(REMOVED);
    const dismissed = await verify(at, '--dismiss', id);
    expect(dismissed).toMatchObject({ code: 0 });
    expect(dismissed.stdout).toMatch(/Nothing is missing\.\n$/);
  });

  testInFull('is brought back by its name, next to the one that has begun since', async () => {
    const { at, id } = await removed();
    await callInProcess(at, 'createState', stateNamed('Other'));
    expect(await verify(at, '--recover', 'nothing')).toMatchObject({
      code: 1,
      stderr: `No memory "nothing" was removed from this vault. Removed ones: ${id}.\n`,
    });
    expect(await verify(at, '--recover', id)).toMatchObject({ code: 0 });
    const states = JSON.stringify(await callInProcess(at, 'listStates', {}));
    for (const name of ['Plan', 'Draft', 'Other']) expect(states).toContain(name);
    expect(await verify(at, '--recover', id)).toMatchObject({
      code: 1,
      stderr:
        'This device knows of no memory that was removed from this vault, so there is nothing to bring back.\n',
    });
  });

  testInFull('is brought back into an empty vault', async () => {
    const { at, id } = await removed();
    expect(await verify(at, '--recover', id)).toMatchObject({ code: 0 });
    await callInProcess(at, 'createState', stateNamed('Next'));
    const states = JSON.stringify(await callInProcess(at, 'listStates', {}));
    for (const name of ['Plan', 'Draft', 'Next']) expect(states).toContain(name);
    expect(await verify(at)).toMatchObject({ code: 0 });
  });
});

it.runIf(inFull('an MCP server that heals after a minute'))(
  'a lost core file is restored a minute after the start of an MCP server',
  { timeout: 300_000 },
  async () => {
    await Promise.all(
      Object.values(LOSSES).map(async (lose) => {
        const at = await twoStates();
        lose(at.vault);
        const { call, client } = await connectFast(SPEED, at.vault, at.state);
        await call('createState', stateNamed('Next'));
        const content = () =>
          coreFiles(at.vault)
            .map((file) => readFileSync(file, 'utf8'))
            .join('');
        await expect
          .poll(content, { timeout: 200_000 / SPEED, interval: 100 })
          .toContain('"name":"Draft"');
        await client.close();
        expect((await verify(at)).code).toBe(0);
      }),
    );
  },
);

describe('the copies of a vault', () => {
  testInFull('are found again after the vault was moved', async () => {
    const at = await twoStates();
    const vault = join(temporaryFolder(), 'moved');
    renameSync(at.vault, vault);
    const moved = { ...at, vault };
    await callInProcess(moved, 'createState', stateNamed('After the move'));
    const [first] = coreFiles(vault).sort((a, b) => statSync(a).mtimeMs - statSync(b).mtimeMs);
    rmSync(first!);
    expect((await verify(moved)).code).toBe(1);
    const { stdout } = await verify(moved, '--heal');
    expect(stdout).toMatch(/Nothing is missing\.\n$/);
  });

  it.runIf(inFull('a vault moved without its core lane'))(
    'are found after a move even if no line of the core lane is left',
    async () => {
      const at = await twoStates();
      const moved = { ...at, vault: join(temporaryFolder(), 'moved') };
      renameSync(at.vault, moved.vault);
      rmSync(join(moved.vault, 'Savepoint/core'), { recursive: true });
      const lost = await verify(moved);
      expect(lost.code).toBe(1);
      expect(lost.stdout).toMatch(/restorable \(\d+\): events that are missing here/);
      await callInProcess(moved, 'createState', stateNamed('After the move'));
      expect(await verify(moved, '--heal')).toMatchObject({ code: 0 });
      const states = JSON.stringify(await callInProcess(moved, 'listStates', {}));
      for (const name of ['Plan', 'Draft', 'After the move']) expect(states).toContain(name);
    },
  );

  testInFull('go with vaults that swap their names', async () => {
    const one = await twoStates();
    const other = { ...one, vault: join(temporaryFolder(), 'Other') };
    mkdirSync(join(other.vault, '.obsidian'), { recursive: true });
    for (const name of ['Elsewhere', 'There'])
      await callInProcess(other, 'createState', stateNamed(name));
    const between = join(temporaryFolder(), 'between');
    renameSync(one.vault, between);
    renameSync(other.vault, one.vault);
    renameSync(between, other.vault);
    for (const at of [one, other]) {
      await callInProcess(at, 'createState', stateNamed('After the swap'));
      for (const file of coreFiles(at.vault)) rmSync(file);
      expect(await verify(at, '--heal')).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/Nothing is missing/) as string,
      });
    }
    const states = async (at: Folders) => JSON.stringify(await callInProcess(at, 'listStates', {}));
    expect(await states(other)).toMatch(/Draft.*Plan/);
    expect(await states(one)).toMatch(/Elsewhere/);
    expect(await states(one)).not.toMatch(/Plan/);
  });

  testInFull('go with a vault at whose old path there is a new one', async () => {
    const old = await twoStates();
    const moved = { ...old, vault: join(temporaryFolder(), 'Moved') };
    renameSync(old.vault, moved.vault);
    mkdirSync(join(old.vault, '.obsidian'), { recursive: true });
    expect((await callInProcess(old, 'listStates', {})).stdout).not.toContain('Plan');
    await callInProcess(old, 'createState', stateNamed('New here'));
    const fresh = await verify(old);
    expect(fresh).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/Nothing is missing/) as string,
    });

    for (const file of coreFiles(moved.vault)) rmSync(file);
    await verify(moved, '--heal');
    const { stdout } = await callInProcess(moved, 'listStates', {});
    expect(stdout).toMatch(/Draft.*Plan/);
    expect(stdout).not.toContain('New here');
  });

  testInFull('stay with the original after a clone of it was used', async () => {
    const at = await twoStates();
    const vault = join(temporaryFolder(), 'clone');
    cpSync(at.vault, vault, { recursive: true });
    await callInProcess({ ...at, vault }, 'createState', stateNamed('In the clone'));
    rmSync(coreFile(at.vault));
    expect((await verify(at, '--heal')).stdout).toMatch(/Nothing is missing\.\n$/);
  });
});

function futureLine(): Uint8Array {
  const d = { '/isArchived': true };
  return lineOf({ t: 'set', e: 'default', h: '2199-12-31T23:59:59.999Z.ffff', d }).bytes;
}

function giantIdLine(): Uint8Array {
  const h = '2020-01-01T00:00:00.000Z.0000';
  return lineOf({ t: 'log.vault', h, d: { id: 'x'.repeat(5000) } }).bytes;
}

const HOSTILE: readonly (readonly [string, (path: string) => void])[] = [
  ['a link to /dev/zero', (path: string) => symlinkSync('/dev/zero', path)],
  ['a line dated to 2199', (path: string) => writeFileSync(path, futureLine())],
  ['a vault id of 5,000 characters', (path: string) => writeFileSync(path, giantIdLine())],
  ['a pipe', (path: string) => execFileSync('mkfifo', [path])],
  [
    '500 MB of NULs',
    (path: string) => {
      writeFileSync(path, '');
      truncateSync(path, 500 * 1024 * 1024);
    },
  ],
];

describe('a hostile file in the data folder', () => {
  it.each(someOf(HOSTILE, 1))(
    '%s leaves saving possible, and verify exits with 1',
    async (_, add) => {
      const at = await twoStates();
      add(join(coreFile(at.vault), '..', 'hostile.jsonl'));
      await callProgram(at, 'createState', stateNamed('Still works'));
      const today = new Date().toISOString().slice(0, 10);
      const { stdout: state } = await callProgram(at, 'loadState', { name: 'Still works' });
      expect(state).toContain(`"createdAt":"${today}`);
      const { code, stdout } = await runProgram(['verify', ...foldersOf(at)]);
      expect(code).toBe(1);
      expect(stdout).toContain('hostile.jsonl');
    },
  );
});
