import { expect, it } from 'vitest';
import type { Files } from '../../../src/platform/files.js';
import type { Watch } from '../../../src/storage/change-feed.js';
import { createMemoryBlobs } from '../../fakes/memory-blobs.js';
import { createTestVault } from '../../fakes/test-vault.js';

const COUNT = 2600;

it('goes on after a kill where it was, and reads the newest notes first', async () => {
  const blobs = createMemoryBlobs();
  const reads: string[] = [];
  let limit = Infinity;
  const wrap = (files: Files): Files => ({
    ...files,
    read(path, from) {
      if (!path.startsWith('N/')) return files.read(path, from);
      reads.push(path);
      return reads.length > limit ? new Promise(() => undefined) : files.read(path, from); // it never comes back: the process is gone
    },
  });
  const first = createTestVault({ blobs, wrap, patience: 1000 });
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

it('does not read a note again whose time changed and whose content did not, more than once', async () => {
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
    read: (path, from) => (path === 'A.md' && reads++, files.read(path, from)),
  });
  const second = createTestVault({ blobs, files: first.files, wrap });
  await second.data('searchContent', { query: 'nothing of it', mode: 'keyword' });
  expect(reads).toBe(0);
});

it('finds what was just written in a note, however long it takes to be asked for', async () => {
  let tell: (path: string) => void = () => undefined;
  let wait = Promise.resolve();
  const watchNotes: Watch = {
    start(changed) {
      tell = changed;
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
  tell('A.md');
  await new Promise((resolve) => setTimeout(resolve, 5)); // it is being asked for now
  const found = find('fresh');
  await new Promise((resolve) => setTimeout(resolve, 5));
  goOn();
  expect(await found).toMatchObject([{ path: 'A.md' }]);
});

it('knows notes beyond what the device can bear by their names, and gives a meaning to no more than it may', async () => {
  const vault = createTestVault({ limits: { largestNote: 100, mostVectors: 1, workMs: 8 } });
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
