import { describe, expect, it } from 'vitest';
import { isWithin } from '../../src/model/paths.js';
import { NOOP_SCHEDULER } from '../../src/platform/scheduler.js';
import { findOutsideRenames } from '../../src/plugin/outside-renames.js';
import { createTestVault, garden, stateNamed, type TestVault } from '../fakes/test-vault.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

interface Options {
  readonly excluded?: readonly string[];
  readonly device?: string;
}

/** Looks for renames as the app does, and counts the calls of the file system. */
async function find(vault: TestVault, { excluded = [], device = 'Laptop' }: Options = {}) {
  let calls = 0;
  const files = new Proxy(vault.files, {
    get(target, key) {
      const member: unknown = Reflect.get(target, key);
      return typeof member === 'function'
        ? (...given: unknown[]) => {
            calls++;
            return Reflect.apply(member, target, given) as unknown;
          }
        : member;
    },
  });
  const isExcluded = (path: string) =>
    ['Savepoint', ...excluded].some((folder) => isWithin(path, folder));
  const paths = vault.files.paths();
  const renames = await findOutsideRenames({
    memory: await vault.log.memory(),
    list: {
      files: paths
        .filter((path) => !isExcluded(path))
        .map((path) => ({ path, size: Buffer.byteLength(vault.files.text(path)) })),
      has: (path) => paths.some((each) => each === path || each.startsWith(`${path}/`)),
      isExcluded,
    },
    access: { files, device: { program: 'Test', name: () => device } },
    now: vault.clock.now(),
    scheduler: NOOP_SCHEDULER,
  });
  return { renames: renames.map(({ from, to }) => `${from} > ${to}`), calls };
}

async function vaultWith(files: Record<string, string>, activeFiles = Object.keys(files)) {
  const vault = createTestVault();
  for (const [path, text] of Object.entries(files)) vault.files.put(path, text);
  await vault.data('createState', stateNamed('Saved', { activeFiles }));
  await vault.idle();
  vault.clock.advance(HOUR_MS);
  return vault;
}

const move = async ({ files }: TestVault, from: string, to: string) => {
  const text = files.text(from);
  await files.remove(from);
  files.put(to, text);
};

describe('findOutsideRenames', () => {
  it('reads nothing while each file that memory names is there', async () => {
    const vault = await vaultWith({ 'A.md': 'one', 'B.md': 'two' });
    expect(await find(vault)).toEqual({ renames: [], calls: 0 });
  });

  it('finds a note by its content, under another name and in another folder', async () => {
    const vault = await vaultWith({ 'A.md': 'one', 'B.md': 'two!', 'C.md': 'three' });
    await move(vault, 'A.md', 'Sub/Other.md');
    vault.files.put('Same size.md', 'two');
    const { renames, calls } = await find(vault);
    expect(renames).toEqual(['A.md > Sub/Other.md']);
    expect(calls).toBe(4); // size and content of the two files with that size
  });

  it('finds a file that only a record names', async () => {
    const vault = createTestVault();
    vault.files.put('A.md', 'one');
    await vault.data('createRecord', { resource: 'issue', title: 'Sow', files: ['A.md'] });
    await move(vault, 'A.md', 'B.md');
    expect((await find(vault)).renames).toEqual(['A.md > B.md']);
  });

  it('guesses nothing if the content is in two files, or in none', async () => {
    const vault = await vaultWith({ 'A.md': 'one', 'B.md': 'two', 'Empty.md': '' });
    await move(vault, 'A.md', 'X.md');
    vault.files.put('Y.md', 'one');
    await vault.files.remove('B.md');
    await move(vault, 'Empty.md', 'Still empty.md');
    expect((await find(vault)).renames).toEqual([]);
  });

  it('takes no file that memory knew together with the missing one', async () => {
    const vault = await vaultWith({ 'A.md': 'one', 'Copy.md': 'one' });
    await vault.files.remove('A.md');
    expect(await find(vault)).toEqual({ renames: [], calls: 0 });
  });

  it('takes a file that memory has known only since', async () => {
    const vault = await vaultWith({ 'A.md': 'one' });
    await move(vault, 'A.md', 'B.md');
    await vault.data('createState', stateNamed('Later', { activeFiles: ['B.md'] }));
    expect((await find(vault)).renames).toEqual(['A.md > B.md']);
  });

  it('neither names nor reads what is in an excluded folder', async () => {
    const vault = await vaultWith({ 'A.md': 'one', 'Private/B.md': 'two!' });
    await move(vault, 'A.md', 'Private/A.md');
    await move(vault, 'Private/B.md', 'B.md');
    expect(await find(vault, { excluded: ['Private'] })).toEqual({ renames: [], calls: 0 });
  });

  it('looks for nothing that has gone into an excluded folder', async () => {
    const vault = await vaultWith({ 'A.md': 'one' });
    await move(vault, 'A.md', 'B.md');
    await vault.log.write(() => ({
      drafts: [{ t: 'path.moved', e: 'move', d: { from: 'A.md' } }],
      answer: undefined,
    }));
    expect(await find(vault)).toEqual({ renames: [], calls: 0 });
  });

  it('waits an hour for a file that another device has named', async () => {
    const vault = createTestVault();
    vault.files.put('A.md', 'one');
    await vault.data('createState', stateNamed('Saved', { activeFiles: ['A.md'] }));
    await move(vault, 'A.md', 'B.md');
    expect(await find(vault, { device: 'Phone' })).toEqual({ renames: [], calls: 0 });
    vault.clock.advance(HOUR_MS);
    expect((await find(vault, { device: 'Phone' })).renames).toEqual(['A.md > B.md']);
  });

  it('hashes at most 20 files, and others on the next day', async () => {
    const vault = await vaultWith({ 'A.md': 'four', 'B.md': 'five!' });
    for (const nth of Array.from({ length: 19 }).keys()) {
      vault.files.put(`Long ${nth}.md`, '-----');
      if (nth > 0) vault.files.put(`Short ${nth}.md`, '----');
    }
    await move(vault, 'A.md', 'C.md');
    await move(vault, 'B.md', 'D.md');
    const first = await find(vault);
    vault.clock.advance(DAY_MS);
    const second = await find(vault);
    expect([...first.renames, ...second.renames].sort()).toEqual(['A.md > C.md', 'B.md > D.md']);
    expect([first.calls, second.calls].sort()).toEqual([2 * 19, 2 * 20]);
    vault.files.put('Last.md', '-----');
    expect((await find(vault)).renames).toEqual(['A.md > C.md']);
  });
});

describe('a folder that was renamed outside the app', () => {
  const beds = { 'Garden/Beds.md': 'Beds', 'Garden/Sub/Pond.md': 'Pond', 'Garden/Gone.md': 'Old' };

  async function gardenVault() {
    const vault = createTestVault();
    for (const [path, text] of Object.entries(beds)) vault.files.put(path, text);
    await vault.data('createWorkspace', { ...garden, keyFiles: ['Garden/Beds.md'] });
    await vault.data('createState', stateNamed('Saved', { activeFiles: Object.keys(beds) }));
    vault.clock.advance(DAY_MS);
    return vault;
  }

  it('is one rename, with the files in it', async () => {
    const vault = await gardenVault();
    await vault.files.remove('Garden/Gone.md');
    await move(vault, 'Garden/Beds.md', 'Allotment/Beds.md');
    await move(vault, 'Garden/Sub/Pond.md', 'Allotment/Sub/Pond.md');
    expect((await find(vault)).renames).toEqual(['Garden > Allotment']);
  });

  it('leads a file that has left it on from there', async () => {
    const vault = await gardenVault();
    await move(vault, 'Garden/Beds.md', 'Allotment/Beds.md');
    await move(vault, 'Garden/Sub/Pond.md', 'Water/Pool.md');
    await move(vault, 'Garden/Gone.md', 'Allotment/Gone.md');
    expect((await find(vault)).renames).toEqual([
      'Garden > Allotment',
      'Allotment/Sub/Pond.md > Water/Pool.md',
    ]);
  });

  it('is no rename while it is there, or if memory knew the other folder', async () => {
    const vault = await gardenVault();
    await move(vault, 'Garden/Beds.md', 'Allotment/Beds.md');
    expect((await find(vault)).renames).toEqual(['Garden/Beds.md > Allotment/Beds.md']);
    await move(vault, 'Garden/Sub/Pond.md', 'Allotment/Sub/Pond.md');
    await vault.files.remove('Garden/Gone.md');
    await vault.data('updateWorkspace', { name: 'Garden', rootFolder: 'Allotment' });
    expect((await find(vault)).renames).toEqual([
      'Garden/Beds.md > Allotment/Beds.md',
      'Garden/Sub > Allotment/Sub',
    ]);
  });
});
