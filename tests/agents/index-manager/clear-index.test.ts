import { describe, expect, it } from 'vitest';
import { Refusal } from '../../../src/model/refusal.js';
import type { Blobs } from '../../../src/platform/blobs.js';
import { createMemoryBlobs } from '../../fakes/memory-blobs.js';
import { createTestVault, stateNamed } from '../../fakes/test-vault.js';

describe('clearIndex', () => {
  it('deletes the index, which the next search rebuilds', async () => {
    const blobs = createMemoryBlobs();
    const vault = createTestVault({ blobs });
    vault.files.put('A.md', 'Walnut.');
    await vault.data('createState', stateNamed('Medlar'));
    await vault.data('searchContent', { query: 'walnut' });
    await vault.data('searchMemory', { query: 'medlar', workspaceId: 'default' });
    vault.clock.advance(60_000);
    // the unpacked table belongs to the program, and is stored by the first test that opens it
    const records = () => [...blobs.records].filter(([name]) => !name.startsWith('embedding-'));
    await expect
      .poll(() => new Set(records().map(([name]) => name.split('-')[0])))
      .toEqual(new Set(['notes', 'memory']));
    const kept = records().reduce(
      (sum, [name, bytes]) => sum + (name.endsWith('-turn') ? 0 : bytes.length),
      0,
    );
    const { droppedBytes } = (await vault.data('clearIndex')) as { droppedBytes: number };
    expect(droppedBytes).toBeGreaterThanOrEqual(kept);
    expect(records()).toEqual([]);
    expect(await vault.data('indexStatus')).toMatchObject({
      notes: { ready: false, done: 0 },
      memory: { done: 0 },
      keptBytes: 0,
    });
    expect(await vault.data('searchContent', { query: 'walnut', mode: 'keyword' })).toMatchObject([
      { path: 'A.md' },
    ]);
    expect(
      await vault.data('searchMemory', {
        query: 'medlar',
        workspaceId: 'default',
        memoryTypes: ['states'],
      }),
    ).toMatchObject([{ name: 'Medlar' }]);
  });

  it('can run during indexing and searches', async () => {
    const vault = createTestVault();
    for (let at = 0; at < 100; at++) vault.files.put(`N/${at}.md`, `Word subject${at}.`);
    const search = vault.data('searchContent', { query: 'subject55', mode: 'keyword' });
    await Promise.all([vault.data('clearIndex'), vault.data('clearIndex'), search]);
    expect(
      await vault.data('searchContent', { query: 'subject55', mode: 'keyword' }),
    ).toMatchObject([{ path: 'N/55.md' }]);
  });

  it('reports why the index cannot be deleted', async () => {
    const records = createMemoryBlobs();
    let isFull = false;
    const blobs: Blobs = {
      ...records,
      save: (own, obsolete) =>
        isFull
          ? Promise.reject(new Refusal('The disk is full. Free some space.'))
          : records.save(own, obsolete),
    };
    const vault = createTestVault({ blobs });
    vault.files.put('A.md', 'Walnut.');
    await vault.data('searchContent', { query: 'walnut' });
    isFull = true;
    expect(await vault.error('clearIndex')).toBe('The disk is full. Free some space.');
    isFull = false;
    expect(await vault.data('searchContent', { query: 'walnut' })).toMatchObject([
      { path: 'A.md' },
    ]);
    expect(await vault.data('clearIndex')).toHaveProperty('droppedBytes');
  });
});
