import { expect, it } from 'vitest';
import type { Files } from '../../../src/platform/files.js';
import type { FileWatch } from '../../../src/storage/change-feed.js';
import { createMemoryBlobs } from '../../fakes/memory-blobs.js';
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
  first.toolset.host.services.search.start();
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
  await second.toolset.host.services.search.close();
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
  await first.toolset.host.services.search.close();
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
