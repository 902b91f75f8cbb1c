import { expect, it } from 'vitest';
import type { Files } from '../../../src/platform/files.js';
import type { FileWatch } from '../../../src/storage/change-feed.js';
import { createEmbedderSource } from '../../../src/search/vectors/embedder-source.js';
import { createMemoryBlobs } from '../../fakes/memory-blobs.js';
import { onCoarseDisk } from '../../fakes/memory-files.js';
import { packedTable } from '../../fakes/packed-table.js';
import { createTestVault } from '../../fakes/test-vault.js';

const COUNT = 2600;

it('the note index resumes after a crash, and reads the newest notes first', async () => {
  const blobs = createMemoryBlobs();
  const reads: string[] = [];
  let limit = Infinity;
  const wrap = (files: Files): Files => ({
    ...files,
    read(path, from) {
      if (!path.startsWith('N/')) return files.read(path, from);
      reads.push(path);
      // Past the limit, a read never resolves, as if the process had crashed.
      return reads.length > limit ? new Promise(() => undefined) : files.read(path, from);
    },
  });
  const first = createTestVault({ blobs, wrap, maxWaitMs: 1000 });
  for (let at = 0; at < COUNT; at++) {
    first.files.put(`N/${at}.md`, `Note about subject${at}.`);
    first.clock.advance(1);
  }
  limit = 2300;
  first.toolkit.host.services.search.start();
  await expect.poll(() => reads.length).toBe(2304);
  expect(reads.slice(0, 3)).toEqual([
    `N/${COUNT - 1}.md`,
    `N/${COUNT - 2}.md`,
    `N/${COUNT - 3}.md`,
  ]);

  limit = Infinity;
  reads.length = 0;
  const second = createTestVault({ blobs, wrap, files: first.files });
  const find = (query: string) =>
    second.data('searchContent', { query, mode: 'keyword', limit: 1 });
  expect(await find('subject2599')).toMatchObject([{ path: 'N/2599.md' }]);
  expect(await find('subject0')).toMatchObject([{ path: 'N/0.md' }]);
  const readAgain = new Set(reads);
  expect(readAgain.has('N/1000.md')).toBe(false);
  await second.toolkit.host.services.search.close();
  expect(readAgain.size).toBeLessThan(COUNT - 1900);
});

it('the note index saves the new time of a note with the same text', async () => {
  const blobs = createMemoryBlobs();
  const first = createTestVault({ blobs });
  first.files.put('A.md', 'Same text.');
  await first.data('searchContent', { query: 'text', mode: 'keyword' });
  first.clock.advance(60_000);
  first.files.put('A.md', 'Same text.');
  await first.data('searchContent', { query: 'text', mode: 'keyword' });
  await first.toolkit.host.services.search.close();
  const segments = [...blobs.records.keys()].filter((name) => name.startsWith('notes-segment'));
  expect(segments).toHaveLength(1);
  let reads = 0;
  const wrap = (files: Files): Files => ({
    ...files,
    read(path, from) {
      if (path === 'A.md') reads++;
      return files.read(path, from);
    },
  });
  const second = createTestVault({ blobs, files: first.files, wrap });
  await second.data('searchContent', { query: 'nothing of it', mode: 'keyword' });
  expect(reads).toBe(0);
});

it('the note index waits for a slow lookup of a changed note', async () => {
  let report: (path: string) => void = () => undefined;
  let wait = Promise.resolve();
  const watchNotes: FileWatch = {
    start(changed) {
      report = changed;
      return () => undefined;
    },
  };
  const wrap = (files: Files): Files => ({
    ...files,
    stat: (path) => wait.then(() => files.stat(path)),
  });
  const vault = createTestVault({ watchNotes, wrap });
  vault.files.put('A.md', 'Old words.');
  const find = (query: string) => vault.data('searchContent', { query, mode: 'keyword' });
  expect(await find('old')).toMatchObject([{ path: 'A.md' }]);

  vault.clock.advance(60_000);
  vault.files.put('A.md', 'Fresh words.');
  let goOn: () => void = () => undefined;
  wait = new Promise((resolve) => (goOn = resolve));
  report('A.md');
  await new Promise((resolve) => setTimeout(resolve, 5)); // lets the lookup start
  const found = find('fresh');
  await new Promise((resolve) => setTimeout(resolve, 5));
  goOn();
  expect(await found).toMatchObject([{ path: 'A.md' }]);
});

it('the note index respects the limits of the device', async () => {
  const vault = createTestVault({ limits: { maxNoteBytes: 100, maxVectors: 1, sliceMs: 8 } });
  vault.files.put('Large whale.md', 'harpoon '.repeat(100));
  vault.files.put('Old.md', 'The automobile needs tyres.');
  vault.clock.advance(1000);
  vault.files.put('New.md', 'The car has a flat tyre.');
  const paths = async (params: object) =>
    ((await vault.data('searchContent', params)) as { path: string }[]).map(({ path }) => path);
  expect(await paths({ query: 'whale', mode: 'keyword' })).toEqual(['Large whale.md']);
  expect(await paths({ query: 'harpoon', mode: 'keyword' })).toEqual([]);
  expect(await paths({ query: 'vehicle wheels', mode: 'semantic' })).toEqual(['New.md']);
});

/** Creates a vault whose reads of notes are recorded, as path, offset and length. */
function createRecordedVault() {
  const reads: [path: string, from: number | undefined, length: number | undefined][] = [];
  const wrap = (files: Files): Files => ({
    ...files,
    read(path, from, length, buffer) {
      if (path.endsWith('.md')) reads.push([path, from, length]);
      return files.read(path, from, length, buffer);
    },
  });
  const vault = createTestVault({ wrap, embedder: createEmbedderSource(packedTable()) });
  return { vault, reads };
}

it('the note index reads each note once, to index and to embed it', async () => {
  const { vault, reads } = createRecordedVault();
  const paths = Array.from({ length: 20 }, (_, at) => `${at}.md`);
  for (const path of paths) vault.files.put(path, `The tyres of the car, number ${path}.`);
  const { search } = vault.toolkit.host.services;
  search.start();
  await expect.poll(async () => (await search.indexStatus('default')).embeddings?.ready).toBe(true);
  expect(reads.map(([path]) => path).sort()).toEqual([...paths].sort());
  const found = await vault.data('searchContent', { query: 'tyres', mode: 'semantic', limit: 20 });
  expect(found).toHaveLength(20);
});

const PADDING = 'Ä line that says nothing.\n'.repeat(400);

it('a hit in an indexed note reads only its passage', async () => {
  const { vault, reads } = createRecordedVault();
  const text = `${PADDING}# Car\nNew tyres in März.\n${PADDING}`;
  vault.files.put('Long.md', text);
  const find = () => vault.data('searchContent', { query: 'tyres', mode: 'keyword' });
  await find();
  reads.length = 0;
  expect(await find()).toMatchObject([{ path: 'Long.md', line: 402, heading: 'Car', why: 'text' }]);
  const [from = 0, length = 0] = reads[0]!.slice(1) as number[];
  expect(reads).toHaveLength(1);
  expect(
    Buffer.from(text)
      .subarray(from, from + length)
      .toString(),
  ).toContain('tyres in März');
  expect(length).toBeLessThan(5000);
});

it.each([
  ['a byte order mark', `\ufeff${PADDING}# Car\nNew tyres.`],
  [
    'invalid bytes',
    Buffer.concat([Buffer.from([0xff]), Buffer.from(`${PADDING}# Car\nNew tyres.`)]),
  ],
])('a hit in a note with %s has the right line and heading', async (_, content) => {
  const { vault } = createRecordedVault();
  vault.files.put('Note.md', content);
  const found = await vault.data('searchContent', { query: 'tyres', mode: 'keyword' });
  expect(found).toMatchObject([{ line: 402, heading: 'Car' }]);
});

it('the note index finds an edit of the same size within the step of a coarse clock', async () => {
  const vault = createTestVault({ wrap: onCoarseDisk });
  const { files, clock } = vault;
  const find = (query: string) => vault.data('searchContent', { query, mode: 'keyword' });
  files.put('A.md', 'The gravel garden.');
  clock.advance(1000);
  expect(await find('gravel')).toMatchObject([{ path: 'A.md' }]);
  files.put('A.md', 'The meadow garden.');
  expect(await find('meadow')).toMatchObject([{ path: 'A.md' }]);
});
