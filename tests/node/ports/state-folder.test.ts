import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  createFolderCopies,
  createFolderIdentities,
  defaultStateFolder,
  readDeviceName,
  vaultStateFolder,
} from '../../../src/node/ports/state-folder.js';
import type { WriterRecord } from '../../../src/storage/write/writer-identity.js';
import { copiesContract } from '../../contracts/copies.js';
import { createFolder, node } from '../folders.js';

const RECORD: WriterRecord = {
  writer: 'k3v9q2m7x4tb',
  n: 3,
  c: '53290e39',
  h: '2026-11-20T04:52:58.271Z.0001',
  path: 'Savepoint/core/2026-11/20261120-k3v9q2m7x4tb-0001.jsonl',
  number: 1,
  day: '2026-11-20',
  size: 500,
  fileId: '77',
  lines: 3,
  lastFrom: 300,
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
  });

  it('creates a new device name if the stored one is invalid', async () => {
    const folder = createFolder();
    writeFileSync(join(folder, 'device'), '../../etc\n"}');
    expect(await readDeviceName(node, folder, 'linux')).toMatch(/^linux-[0-9a-f]{4}$/);
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
    ['a record without a field', JSON.stringify({ ...RECORD, lastFrom: undefined })],
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

describe('copies in the state folder', () => {
  copiesContract(() => {
    const folder = join(createFolder(), 'written');
    return Promise.resolve({
      copies: createFolderCopies(node, folder),
      again: () => createFolderCopies(node, folder),
    });
  });
});
