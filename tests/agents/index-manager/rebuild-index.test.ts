import { describe, expect, it } from 'vitest';
import type { Files } from '../../../src/platform/files.js';
import { createMemoryBlobs } from '../../fakes/memory-blobs.js';
import { createTestVault, stateNamed, type TestVault } from '../../fakes/test-vault.js';

const paths = async (vault: TestVault, query: string) =>
  ((await vault.data('searchContent', { query, mode: 'keyword' })) as { path: string }[]).map(
    ({ path }) => path,
  );

/** Creates a gate that blocks reads of notes while it is closed. */
function createGate() {
  let open: () => void = () => undefined;
  return {
    isOpen: Promise.resolve(),
    close() {
      this.isOpen = new Promise((resolve) => (open = resolve));
    },
    open: () => open(),
  };
}

describe('rebuildIndex', () => {
  it('rereads every note, and returns their number immediately', async () => {
    const reads: string[] = [];
    const gate = createGate();
    const wrap = (files: Files): Files => ({
      ...files,
      async read(path, from) {
        if (!path.endsWith('.md')) return files.read(path, from);
        reads.push(path);
        await gate.isOpen;
        return files.read(path, from);
      },
    });
    const vault = createTestVault({ wrap });
    for (let at = 0; at < 20; at++) vault.files.put(`N/${at}.md`, `Note about subject${at}.`);
    await vault.data('searchContent', { query: 'subject7' }); // also waits for the vectors
    reads.length = 0;
    gate.close();
    expect(await vault.data('rebuildIndex')).toEqual({ ready: false, done: 0, total: 20 });
    gate.open();
    expect(await paths(vault, 'subject7')).toEqual(['N/7.md']);
    expect(new Set(reads).size).toBe(20);
    expect(await vault.data('indexStatus')).toMatchObject({
      notes: { ready: true, done: 20, total: 20 },
    });
  });

  it('returns while a slow note is still being read', async () => {
    const gate = createGate();
    const wrap = (files: Files): Files => ({
      ...files,
      read: async (path, from) => (path === 'A.md' && (await gate.isOpen), files.read(path, from)),
    });
    const vault = createTestVault({ wrap });
    vault.files.put('A.md', 'Walnut.');
    gate.close();
    const search = paths(vault, 'walnut');
    const answer = vault.data('rebuildIndex');
    await expect
      .poll(() => (vault.clock.advance(100), Promise.race([answer, Promise.resolve('waiting')])))
      .toMatchObject({ ready: false, done: 0 });
    gate.open();
    await search;
    expect(await paths(vault, 'walnut')).toEqual(['A.md']);
  });

  it('recovers from a lost index', async () => {
    const vault = createTestVault();
    vault.files.put('A.md', 'Walnut.');
    await paths(vault, 'walnut');
    const { search } = vault.toolkit.host.services;
    const before = await search.clearIndex();
    expect(before).toBe(0);
    await vault.data('rebuildIndex');
    expect(await paths(vault, 'walnut')).toEqual(['A.md']);
  });

  it('finds notes, states and calls written during the rebuild', async () => {
    const vault = createTestVault();
    for (let at = 0; at < 200; at++) vault.files.put(`N/${at}.md`, `Note about subject${at}.`);
    await vault.data('createState', stateNamed('Walnut grove'));
    await paths(vault, 'subject');
    await vault.data('searchMemory', { query: 'walnut', workspaceId: 'default' });
    await vault.data('rebuildIndex');
    vault.clock.advance(5);
    vault.files.put('New.md', 'A medlar.');
    await vault.data('createState', stateNamed('Damson'));
    expect(await paths(vault, 'medlar')).toEqual(['New.md']);
    const find = async (query: string) =>
      (
        (await vault.data('searchMemory', {
          query,
          workspaceId: 'default',
          memoryTypes: ['states'],
        })) as { name: string }[]
      ).map(({ name }) => name);
    expect(await find('damson')).toEqual(['Damson']);
    expect(await find('walnut')).toEqual(['Walnut grove']);
  });

  it('performs a single rebuild for concurrent calls and searches', async () => {
    let reads = 0;
    const wrap = (files: Files): Files => ({
      ...files,
      read: (path, from) => (path.endsWith('.md') && reads++, files.read(path, from)),
    });
    const vault = createTestVault({ wrap });
    for (let at = 0; at < 50; at++) vault.files.put(`N/${at}.md`, `Word subject${at}.`);
    await paths(vault, 'word');
    await vault.data('searchContent', { query: 'word' }); // the vectors are complete now
    reads = 0;
    const all = await Promise.all([
      ...[1, 2, 3].map(() => vault.data('rebuildIndex')),
      ...[1, 2].map(() => vault.data('searchContent', { query: 'subject33', mode: 'keyword' })),
      vault.data('rebuildIndex'),
    ]);
    expect(all).toHaveLength(6);
    expect(await paths(vault, 'subject33')).toEqual(['N/33.md']);
    await vault.data('searchContent', { query: 'word', mode: 'semantic' });
    // Reads for keywords, for vectors and for the returned hits.
    expect(reads).toBeLessThanOrEqual(50 * 2 + 60);
    expect(vault.reports).toEqual([]);
  });

  it('leaves no old records, and survives a restart', async () => {
    const blobs = createMemoryBlobs();
    const vault = createTestVault({ blobs });
    vault.files.put('A.md', 'Walnut.');
    await paths(vault, 'walnut');
    await vault.data('searchMemory', { query: 'walnut', workspaceId: 'default' });
    vault.clock.advance(60_000);
    await expect.poll(() => blobs.records.size).toBeGreaterThan(2);
    const old = [...blobs.records.keys()].filter((name) => /segment|chunk/.test(name));
    await vault.data('rebuildIndex');
    await paths(vault, 'walnut');
    await vault.toolkit.host.services.search.close();
    expect([...blobs.records.keys()].filter((name) => old.includes(name))).toEqual([]);
    let reads = 0;
    const wrap = (files: Files): Files => ({
      ...files,
      read: (path, from) => (path === 'A.md' && reads++, files.read(path, from)),
    });
    const second = createTestVault({ blobs, files: vault.files, wrap });
    expect(await paths(second, 'nothing')).toEqual([]);
    expect(reads).toBe(0);
    expect(await paths(second, 'walnut')).toEqual(['A.md']);
  });
});
