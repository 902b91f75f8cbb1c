import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  createFolderIdentities,
  defaultStateFolder,
  openStateFolder,
  readDeviceName,
  vaultStateFolder,
} from '../../../src/node/ports/state-folder.js';
import { Refusal } from '../../../src/model/refusal.js';
import type { WriterRecord } from '../../../src/storage/write/writer-identity.js';
import { diskError } from '../../faults/faulty-disk.js';
import { createFolder, node } from '../folders.js';

const RECORD: WriterRecord = {
  writer: 'k3v9q2m7x4tb',
  n: 3,
  hash: '53290e39'.repeat(4),
  h: '2026-11-20T04:52:58.271Z.0001',
  path: 'Savepoint/core/2026-11/20261120-k3v9q2m7x4tb-0001.jsonl',
  number: 1,
  day: '2026-11-20',
  size: 500,
  fileId: '77',
  lines: 3,
  isSealed: false,
};

function recordOf(writer: string): WriterRecord {
  return { ...RECORD, writer };
}

function namesOf(count: number): string[] {
  return Array.from(
    { length: count },
    (_, i) => `aaaaaaaaaa${String.fromCharCode(97 + Math.floor(i / 10))}${'bcdefghijk'[i % 10]}`,
  );
}

describe('state folder', () => {
  it("is in the system's default location", () => {
    const home = node.os.homedir();
    const where = (env: NodeJS.ProcessEnv, platform: NodeJS.Platform) =>
      defaultStateFolder(node, env, platform);
    expect(where({}, 'linux')).toBe(join(home, '.local', 'state', 'savepoint'));
    expect(where({ XDG_STATE_HOME: '/state' }, 'linux')).toBe(join('/state', 'savepoint'));
    expect(where({}, 'darwin')).toBe(join(home, 'Library', 'Application Support', 'savepoint'));
    expect(where({ LOCALAPPDATA: '/local' }, 'win32')).toBe(join('/local', 'savepoint'));
  });

  it('has a subfolder for each vault path', () => {
    const [one, other] = ['/a/Notes', '/b/Notes'].map((vault) =>
      vaultStateFolder(node, '/state', vault),
    );
    expect(one).not.toBe(other);
    expect(one).toBe(vaultStateFolder(node, '/state', '/a/Notes'));
    expect(one).toMatch(/^\/state\/[0-9a-f]{16}$/);
  });

  it('keeps the device name', async () => {
    const folder = join(createFolder(), 'deep', 'state');
    const name = await readDeviceName(node, folder, 'linux');
    expect(name).toMatch(/^linux-[0-9a-f]{4}$/);
    expect(await readDeviceName(node, folder, 'linux')).toBe(name);
    expect(statSync(join(folder, 'device')).mode & 0o777).toBe(0o600);
  });

  it('creates a new device name if the stored one is invalid', async () => {
    const folder = createFolder();
    writeFileSync(join(folder, 'device'), '../../etc\n"}');
    expect(await readDeviceName(node, folder, 'linux')).toMatch(/^linux-[0-9a-f]{4}$/);
  });

  it.each([
    ['win32', /^windows-[0-9a-f]{4}$/],
    ['darwin', /^mac-[0-9a-f]{4}$/],
  ])('names a device on %s as people name the system', async (platform, name) => {
    expect(await readDeviceName(node, createFolder(), platform)).toMatch(name);
  });
});

const NOBODY = 65534;
const VAULT = '/vaults/notes';

describe.skipIf(process.platform === 'win32')('openStateFolder', () => {
  const open = (folder: string) => openStateFolder(node, folder, VAULT);
  const modeOf = (folder: string) => statSync(folder).mode & 0o777;
  const itAsRoot = it.runIf(process.getuid?.() === 0);

  /** Creates a state folder with these entries; those that end with a slash are folders. */
  function createState(mode: number, ...entries: string[]): string {
    const folder = createFolder();
    for (const entry of entries)
      if (entry.endsWith('/')) mkdirSync(join(folder, entry));
      else writeFileSync(join(folder, entry), '');
    chmodSync(folder, mode);
    return folder;
  }

  it('creates a folder for this user only, and returns the one of the vault', async () => {
    const folder = join(createFolder(), 'deep', 'state');
    expect(await open(folder)).toBe(vaultStateFolder(node, folder, VAULT));
    expect([modeOf(folder), readdirSync(folder)]).toEqual([0o700, []]);
  });

  it('opens a private folder with other files in it', async () => {
    const folder = createState(0o700, 'todo.txt');
    await open(folder);
    expect(modeOf(folder)).toBe(0o700);
  });

  it.each([
    ['that is empty', []],
    ["with only this program's files", ['device', '0123456789abcdef/']],
  ])('restricts a folder %s if others can read but not write it', async (_, entries) => {
    const folder = createState(0o755, ...entries);
    await open(folder);
    expect(modeOf(folder)).toBe(0o700);
  });

  it.each([
    ['can read, with other files in it', 0o755, ['device', 'index.html']],
    ['can enter, with other files in it', 0o711, ['index.html']],
    ['can write', 0o777, ['device']],
    ['in the group can write', 0o770, []],
  ])('refuses a folder that others %s, and changes nothing', async (_, mode, entries) => {
    const folder = createState(mode, ...entries);
    const refusal = open(folder);
    await expect(refusal).rejects.toThrow(Refusal);
    await expect(refusal).rejects.toThrow(
      `Other users can open the state folder "${folder}". Run chmod 700 "${folder}", or choose another folder with --state or SAVEPOINT_STATE.`,
    );
    expect(modeOf(folder)).toBe(mode);
  });

  it('refuses a disk on which the mode cannot be changed', async () => {
    const folder = createState(0o755);
    const fileOpen = async (...args: Parameters<typeof node.fs.open>) => {
      const handle = await node.fs.open(...args);
      return Object.assign(handle, { chmod: () => Promise.resolve() });
    };
    const fs = { ...node.fs, open: fileOpen };
    await expect(openStateFolder({ ...node, fs }, folder, VAULT)).rejects.toThrow(
      'Other users can open the state folder',
    );
  });

  it('refuses a link', async () => {
    const folder = join(createFolder(), 'link');
    symlinkSync(createFolder(), folder);
    await expect(open(folder)).rejects.toThrow(
      `The state folder "${folder}" is a link. Choose the folder that it leads to with --state or SAVEPOINT_STATE.`,
    );
  });

  it('refuses a file, and a folder below a file', async () => {
    const file = join(createFolder(), 'file');
    writeFileSync(file, '');
    const text = (path: string) =>
      `The state folder "${path}" cannot be used, because a file is in the way. Move the file, or choose another folder with --state or SAVEPOINT_STATE.`;
    await expect(open(file)).rejects.toThrow(text(file));
    await expect(open(join(file, 'state'))).rejects.toThrow(text(join(file, 'state')));
  });

  itAsRoot('refuses a folder of another user', async () => {
    const folder = createState(0o700);
    chownSync(folder, NOBODY, NOBODY);
    await expect(open(folder)).rejects.toThrow(
      `The state folder "${folder}" belongs to another user. Choose a folder of your own with --state or SAVEPOINT_STATE.`,
    );
  });

  it('refuses a link in place of the folder of the vault', async () => {
    const folder = createState(0o700);
    symlinkSync(createFolder(), vaultStateFolder(node, folder, VAULT));
    await expect(open(folder)).rejects.toThrow(/The state folder ".*[0-9a-f]{16}" is a link\./);
  });

  itAsRoot('refuses a folder of the vault that belongs to another user', async () => {
    const folder = createState(0o700);
    const inner = vaultStateFolder(node, folder, VAULT);
    mkdirSync(inner);
    chownSync(inner, NOBODY, NOBODY);
    await expect(open(folder)).rejects.toThrow('belongs to another user');
  });

  it('opens a folder of the vault that a backup restored with another mode', async () => {
    const folder = createState(0o700);
    const inner = vaultStateFolder(node, folder, VAULT);
    mkdirSync(inner, { mode: 0o775 });
    expect(await open(folder)).toBe(inner);
  });

  it('does without a folder that cannot be created', async () => {
    const folder = join(createFolder(), 'state');
    const mkdir = () => Promise.reject(diskError('EROFS', 'mkdir'));
    const fs = { ...node.fs, mkdir: mkdir as typeof node.fs.mkdir };
    expect(await openStateFolder({ ...node, fs }, folder, VAULT)).toContain(folder);
  });

  it('does not restrict a folder that replaces the checked one', async () => {
    const [folder, other] = [createState(0o755), createFolder()];
    chmodSync(other, 0o755);
    const fileOpen = (...[path, flags]: Parameters<typeof node.fs.open>) => {
      rmSync(folder, { recursive: true });
      symlinkSync(other, folder);
      return node.fs.open(path, flags);
    };
    const fs = { ...node.fs, open: fileOpen };
    await expect(openStateFolder({ ...node, fs }, folder, VAULT)).rejects.toThrow(Refusal);
    expect(modeOf(other)).toBe(0o755);
  });
});

describe('FolderIdentities', () => {
  it('return nothing if there is no folder', async () => {
    expect(
      await createFolderIdentities(node, join(createFolder(), 'none')).acquire('core'),
    ).toBeUndefined();
  });

  it('return a released record exactly once', async () => {
    const identities = createFolderIdentities(node, join(createFolder(), 'new'));
    await identities.release('core', RECORD);
    expect([await identities.acquire('core'), await identities.acquire('core')]).toEqual([
      RECORD,
      undefined,
    ]);
  });

  it('keep a record without a file id', async () => {
    const { fileId, ...record } = RECORD;
    expect(fileId).toBe('77');
    const identities = createFolderIdentities(node, createFolder());
    await identities.release('core', record);
    expect(await identities.acquire('core')).toEqual(record);
  });

  it('keep lanes separate', async () => {
    const identities = createFolderIdentities(node, createFolder());
    await identities.release('trace', RECORD);
    expect([await identities.acquire('core'), await identities.acquire('trace')]).toEqual([
      undefined,
      RECORD,
    ]);
  });

  it('give each writer to exactly one of many concurrent callers', async () => {
    const folder = createFolder();
    const writers = namesOf(12);
    const giver = createFolderIdentities(node, folder);
    for (const writer of writers) await giver.release('core', recordOf(writer));
    const takers = Array.from({ length: 40 }, () => createFolderIdentities(node, folder));
    const taken = (await Promise.all(takers.map((taker) => taker.acquire('core')))).flatMap(
      (record) => record?.writer ?? [],
    );
    const rest = (await Promise.all(takers.map((taker) => taker.acquire('core')))).flatMap(
      (record) => record?.writer ?? [],
    );
    expect([...taken, ...rest].sort()).toEqual([...writers].sort());
  });

  it('delete the file of an acquired writer', async () => {
    const folder = createFolder();
    const identities = createFolderIdentities(node, folder);
    await identities.release('core', RECORD);
    await identities.acquire('core');
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    ['nothing', ''],
    ['half a record', JSON.stringify(RECORD).slice(0, 80)],
    ['a value that is not an object', 'null'],
    ['a list', '[]'],
    ['a record with a field of the wrong type', JSON.stringify({ ...RECORD, size: '500' })],
    ['a record without a field', JSON.stringify({ ...RECORD, lines: undefined })],
    ['bytes', '\0\0\0\0'],
  ])('skip and delete a file that contains %s', async (_, content) => {
    const folder = createFolder();
    const identities = createFolderIdentities(node, folder);
    writeFileSync(join(folder, 'core-aaaaaaaaaaaa.json'), content);
    await identities.release('core', RECORD);
    expect([await identities.acquire('core'), await identities.acquire('core')]).toEqual([
      RECORD,
      undefined,
    ]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('ignore other files', async () => {
    const folder = createFolder();
    mkdirSync(join(folder, 'core-folder.json'));
    writeFileSync(join(folder, 'device'), 'linux-1a2b\n');
    writeFileSync(join(folder, 'draft-0011223344556677'), JSON.stringify(RECORD));
    expect(await createFolderIdentities(node, folder).acquire('core')).toBeUndefined();
    expect(readFileSync(join(folder, 'device'), 'utf8')).toBe('linux-1a2b\n');
  });

  it('are private to this user', async () => {
    const folder = join(createFolder(), 'state');
    const identities = createFolderIdentities(node, folder);
    await identities.release('core', RECORD);
    const [name] = readdirSync(folder);
    expect([statSync(folder).mode & 0o777, statSync(join(folder, name!)).mode & 0o777]).toEqual([
      0o700, 0o600,
    ]);
  });
});
