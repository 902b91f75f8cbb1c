import fc from 'fast-check';
import { rm, rename, utimes, writeFile } from 'node:fs/promises';
import * as path from 'node:path';
import { describe, expect, it } from 'vitest';
import { resolveActiveFiles } from '../../../src/agents/shared/active-files.js';
import { compareFiles, missingPaths } from '../../../src/agents/shared/file-changes.js';
import {
  MAX_HASHED_BYTES,
  readDigests,
  type FileAccess,
} from '../../../src/agents/shared/file-digests.js';
import type { JsonObject } from '../../../src/model/event.js';
import { createFolderFiles } from '../../../src/node/ports/folder-files.js';
import { createFolderDevice } from '../../../src/node/provenance/folder-device.js';
import { createMemoryFiles } from '../../fakes/memory-files.js';
import { createFolder, node } from '../../node/folders.js';
import { perTier, SEED } from '../../tier.js';

const device = { program: 'Test', name: () => 'Laptop' };
const NAMES = ['a.md', 'Notes/b.md', 'c.bin', 'd.txt', '__proto__'];
const SAVED_AT = Date.UTC(2026, 10, 20);
const HOUR_MS = 3_600_000;

/** A vault whose files can be given any time. */
interface World {
  readonly access: FileAccess;
  /** Writes into the same file. `mtime` is in milliseconds since 1970. */
  readonly write: (name: string, bytes: Uint8Array, mtime: number) => Promise<void>;
  /** Replaces the file by another one, with another inode. */
  readonly replace: (name: string, bytes: Uint8Array, mtime: number) => Promise<void>;
  readonly remove: (name: string) => Promise<void>;
}

function memoryWorld(): World {
  let now = SAVED_AT;
  const files = createMemoryFiles(() => now);
  const write = (name: string, bytes: Uint8Array, mtime: number) => {
    now = mtime;
    files.put(name, bytes);
    return Promise.resolve();
  };
  return {
    access: { files, device },
    write,
    async replace(name, bytes, mtime) {
      await files.remove(name);
      await write(name, bytes, mtime);
    },
    remove: (name) => files.remove(name),
  };
}

async function diskWorld(): Promise<World> {
  const vault = createFolder();
  const onDisk = (name: string) => path.join(vault, name);
  const files = createFolderFiles(node, vault);
  await files.createFolder('Notes');
  const write = async (name: string, bytes: Uint8Array, mtime: number) => {
    await writeFile(onDisk(name), bytes);
    await utimes(onDisk(name), mtime / 1000, mtime / 1000);
  };
  return {
    access: { files, device: createFolderDevice(node, vault, device) },
    write,
    async replace(name, bytes, mtime) {
      await write('draft', bytes, mtime);
      await rename(onDisk('draft'), onDisk(name));
    },
    remove: (name) => rm(onDisk(name), { force: true }),
  };
}

const content = fc.oneof(
  { weight: 20, arbitrary: fc.uint8Array({ maxLength: 6 }) },
  { weight: 20, arbitrary: fc.constantFrom('one', 'two').map((text) => Buffer.from(text)) },
  {
    weight: 1,
    arbitrary: fc.nat(2).map((last) => new Uint8Array(MAX_HASHED_BYTES).fill(last, -1)),
  },
);

const file = fc.record({ name: fc.constantFrom(...NAMES), content });

/** What other programs do with a file, with the content that it then has. */
const step = fc.record({
  name: fc.constantFrom(...NAMES),
  what: fc.constantFrom('touch', 'rewrite', 'sameSize', 'sync', 'checkout', 'delete', 'recreate'),
  isOld: fc.boolean(),
  content,
  flip: fc.nat(7),
});

async function take(
  world: World,
  contents: Map<string, Uint8Array>,
  {
    name,
    what,
    isOld,
    content: other,
    flip,
  }: typeof step extends fc.Arbitrary<infer T> ? T : never,
): Promise<void> {
  const current = contents.get(name);
  const mtime = SAVED_AT + (isOld ? -HOUR_MS : HOUR_MS);
  const put = async (bytes: Uint8Array, isOther: boolean) => {
    await (isOther ? world.replace(name, bytes, mtime) : world.write(name, bytes, mtime));
    contents.set(name, bytes);
  };
  switch (what) {
    case 'touch':
      if (current) await put(current, false);
      return;
    case 'rewrite':
      if (current) await put(other, false);
      return;
    case 'sameSize':
      if (current)
        await put(
          current.map((byte, at) => (at === flip ? byte ^ 1 : byte)),
          false,
        );
      return;
    case 'sync':
      if (current) await put(current, true);
      return;
    case 'checkout':
      await put(other, true);
      return;
    case 'delete':
      await world.remove(name);
      contents.delete(name);
      return;
    case 'recreate':
      if (!current) await put(other, false);
  }
}

function isSame(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  return a !== undefined && b !== undefined && Buffer.compare(a, b) === 0;
}

/** Returns the change of a file as its contents define it. */
function changeOf(before: Uint8Array | undefined, now: Uint8Array | undefined) {
  if (!now) return 'missing';
  if (!before) return 'created';
  return isSame(before, now) ? undefined : 'modified';
}

function reportsExactly(createWorld: () => World | Promise<World>) {
  return fc.asyncProperty(
    fc.uniqueArray(file, { selector: ({ name }) => name, maxLength: NAMES.length }),
    fc.array(step, { maxLength: 8 }),
    async (initial, steps) => {
      const world = await createWorld();
      const contents = new Map<string, Uint8Array>();
      for (const { name, content: bytes } of initial) {
        await world.write(name, bytes, SAVED_AT - HOUR_MS);
        contents.set(name, bytes);
      }
      const before = new Map(contents);
      const files = (await readDigests(world.access, NAMES, 0)) as unknown as JsonObject;
      for (const each of steps) await take(world, contents, each);
      const { changes, sampledFiles, changedCount } = await compareFiles(world.access, {
        activeFiles: NAMES,
        createdAt: new Date(SAVED_AT).toISOString(),
        files: JSON.parse(JSON.stringify(files)) as JsonObject,
      });
      const expected = NAMES.flatMap((name) => {
        const change = changeOf(before.get(name), contents.get(name));
        return change ? [{ path: name, change }] : [];
      });
      expect(changes).toEqual(expected);
      expect(sampledFiles).toEqual([]);
      expect(changedCount).toBe(
        expected.filter(({ path: name, change }) => change !== 'missing' || before.has(name))
          .length,
      );
    },
  );
}

describe('compareFiles', () => {
  it('reports exactly the files whose content has changed', { timeout: 1_200_000 }, async () => {
    const numRuns = perTier(300, 3500, 10_000);
    await fc.assert(reportsExactly(memoryWorld), { numRuns, seed: SEED });
  });

  it('reports exactly the files that have changed on disk', { timeout: 600_000 }, async () => {
    const numRuns = perTier(20, 400, 10_000);
    await fc.assert(reportsExactly(diskWorld), { numRuns, seed: SEED });
  });

  it('compares a larger file by size and samples, and says so', async () => {
    const { access, write } = memoryWorld();
    const big = new Uint8Array(2 * MAX_HASHED_BYTES);
    await write('big.bin', big, SAVED_AT);
    await write('other.bin', big, SAVED_AT);
    const activeFiles = ['big.bin', 'other.bin'];
    const files = (await readDigests(access, activeFiles, 0)) as unknown as JsonObject;
    await write('other.bin', big.slice().fill(1, -1), SAVED_AT);
    const state = { activeFiles, createdAt: new Date(SAVED_AT).toISOString(), files };
    expect(await compareFiles(access, state)).toEqual({
      changes: [{ path: 'other.bin', change: 'modified', sampled: true }],
      sampledFiles: ['big.bin'],
      changedCount: 1,
    });
  });

  it('compares a file by time if its content is not recorded', async () => {
    const { access, write } = memoryWorld();
    await write('old.md', Buffer.from('text'), SAVED_AT - 1);
    await write('new.md', Buffer.from('text'), SAVED_AT + 1);
    const state = {
      activeFiles: ['old.md', 'new.md', 'gone.md', '../up.md'],
      createdAt: new Date(SAVED_AT).toISOString(),
    };
    expect(await compareFiles(access, state)).toEqual({
      changes: [
        { path: 'new.md', change: 'modified', byTime: true },
        { path: 'gone.md', change: 'missing' },
        { path: '../up.md', change: 'outside' },
      ],
      sampledFiles: [],
      changedCount: 2,
    });
  });

  it('reports a file that was replaced by a folder as missing', async () => {
    const { access, write, remove } = memoryWorld();
    await write('a.md', Buffer.from('text'), SAVED_AT);
    const files = (await readDigests(access, ['a.md'], 0)) as unknown as JsonObject;
    await remove('a.md');
    await write('a.md/inner.md', Buffer.from('text'), SAVED_AT);
    const createdAt = new Date(SAVED_AT).toISOString();
    const { changes } = await compareFiles(access, { activeFiles: ['a.md'], createdAt, files });
    expect(changes).toEqual([{ path: 'a.md', change: 'missing' }]);
  });
});

describe('missing files', () => {
  /** Returns access that notes which folders are listed, and which paths are looked up. */
  function countedWorld() {
    const { access, write } = memoryWorld();
    const { files } = access;
    const listed: string[] = [];
    const looked: string[] = [];
    const counted: FileAccess['files'] = {
      ...files,
      list: (folder) => (listed.push(folder), files.list(folder)),
      stat: (path) => (looked.push(path), files.stat(path)),
    };
    return { access: { ...access, files: counted }, write, listed, looked };
  }

  it('are looked for in other spellings with one list of each folder', async () => {
    const { access, write, listed } = countedWorld();
    await write('Notes/x.md', Buffer.from('text'), SAVED_AT);
    const activeFiles = ['Notes/a.md', 'Notes/b.md', 'src/c.ts'];
    const createdAt = new Date(SAVED_AT).toISOString();
    const files = { 'Notes/a.md': null, 'Notes/b.md': null, 'src/c.ts': null };
    for (const turn of [1, 2]) {
      const { changes } = await compareFiles(access, { activeFiles, createdAt, files });
      expect(changes.map(({ change }) => change)).toEqual(['missing', 'missing', 'missing']);
      expect(listed.sort()).toEqual(Array(turn).fill(['', 'Notes']).flat().sort());
    }
  });

  it('that have come are found by the next call', async () => {
    const { access, write } = countedWorld();
    const state = {
      activeFiles: ['notes/a.md'],
      createdAt: new Date(SAVED_AT).toISOString(),
      files: { 'notes/a.md': null },
    };
    await write('other.md', Buffer.from('text'), SAVED_AT);
    expect((await compareFiles(access, state)).changes).toMatchObject([{ change: 'missing' }]);
    await write('Notes/A.md', Buffer.from('text'), SAVED_AT);
    expect((await compareFiles(access, state)).changes).toMatchObject([{ change: 'created' }]);
  });

  it('are no matter of files that exist, each of which is looked up once', async () => {
    const { access, write, looked } = countedWorld();
    await write('a.md', Buffer.from('text'), SAVED_AT);
    await resolveActiveFiles(access, undefined, ['a.md']);
    looked.length = 0;
    await resolveActiveFiles(access, undefined, ['a.md']);
    expect(looked).toEqual(['a.md']);
  });
});

it('missingPaths lists paths in the vault at which nothing exists', async () => {
  const { access, write } = memoryWorld();
  await write('Notes/a.md', Buffer.from('text'), SAVED_AT);
  const paths = ['Notes/a.md', 'Notes', 'gone.md', '../up.md'];
  expect(await missingPaths(access, undefined, paths)).toEqual(['gone.md']);
});
