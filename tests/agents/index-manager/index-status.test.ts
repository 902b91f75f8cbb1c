import { describe, expect, it } from 'vitest';
import { createMemoryBlobs } from '../../fakes/memory-blobs.js';
import { createTestVault, garden, stateNamed } from '../../fakes/test-vault.js';

describe('indexStatus', () => {
  it('does not start indexing, and adds a notice', async () => {
    const vault = createTestVault();
    vault.files.put('A.md', 'Text.');
    const answer = await vault.call('indexStatus');
    expect(answer).toMatchObject({ success: true, data: { notes: { ready: false, done: 0 } } });
    expect(answer).toHaveProperty('notice');
    expect(await vault.data('indexStatus')).toMatchObject({ notes: { ready: false, done: 0 } });
  });

  it('counts notes, vectors and bytes, and lists excluded folders', async () => {
    const vault = createTestVault({ blobs: createMemoryBlobs(), excluded: ['Private'] });
    for (const path of ['A.md', 'B.md', 'Private/C.md'])
      vault.files.put(path, 'The car needs tyres.');
    await vault.data('searchContent', { query: 'tyres' });
    vault.clock.advance(60_000);
    const status = () => vault.data('indexStatus') as Promise<{ keptBytes: number }>;
    await expect.poll(async () => (await status()).keptBytes).toBeGreaterThan(0);
    expect(await status()).toMatchObject({
      notes: { ready: true, done: 2, total: 2 },
      meaning: { available: true, language: 'en', ready: true, done: 2, total: 2 },
      excludedFolders: ['Savepoint', 'Private'],
    });
  });

  it('counts the memory of the current workspace only', async () => {
    const vault = createTestVault();
    await vault.data('createState', stateNamed('Of default'));
    await vault.data('createWorkspace', garden);
    await vault.data('createState', stateNamed('One'));
    await vault.data('createState', stateNamed('Two'));
    await vault.data('archiveState', { name: 'Two' });
    await vault.idle();
    expect(await vault.data('indexStatus')).toMatchObject({
      memory: { ready: false, done: 0, total: 4 },
    }); // one state, three calls
    await vault.data('searchMemory', { query: 'talked', workspaceId: 'Garden' });
    await vault.idle();
    await vault.data('searchMemory', { query: 'talked', workspaceId: 'Garden' });
    const { memory } = (await vault.data('indexStatus')) as {
      memory: { done: number; total: number };
    };
    expect(memory.done).toBeGreaterThanOrEqual(4);
    expect(memory.total - memory.done).toBeLessThan(3);
  });
});
