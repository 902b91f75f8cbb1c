import { describe, expect, it } from 'vitest';
import { verify } from '../../../src/storage/integrity/verify.js';
import { START_TIME } from '../../fakes/deterministic.js';
import { createTestVault } from '../../fakes/test-vault.js';
import { expectRefused, toolsOf, vaultWithGarden } from './storage-scopes.js';
import { writeSuite } from './write-suite.js';

describe('workspaceStorageWrite', () => {
  writeSuite('workspace');

  it('stores the files of each workspace separately', async () => {
    const vault = await vaultWithGarden();
    const { write, read, list, readError } = toolsOf('workspace', vault);
    await write({ path: 'plan.md', content: 'of the garden' });
    await write({ path: 'plan.md', content: 'of the rest', context: { workspaceId: 'default' } });
    expect((await read({ path: 'plan.md' })).content).toBe('of the garden');
    expect((await read({ path: 'plan.md', context: { workspaceId: 'default' } })).content).toBe(
      'of the rest',
    );
    const { id } = (await vault.data('loadWorkspace', { name: 'Garden' })) as { id: string };
    expect(vault.files.text(`Savepoint/files/workspaces/${id}/plan.md`)).toBe('of the garden');
    expect(await list({ context: { workspaceId: id } })).toHaveLength(1);
    expect(await readError({ path: `../default/plan.md` })).toContain('leads outside');
    // Renaming the workspace does not affect its files.
    await vault.data('updateWorkspace', { name: 'Garden', newName: 'Park' });
    expect((await read({ path: 'plan.md', context: { workspaceId: 'park' } })).content).toBe(
      'of the garden',
    );
  });

  it('shares the files of a workspace among all sessions in it', async () => {
    const vault = createTestVault();
    await vault.data('workspaceStorageWrite', { path: 'a.md', content: 'x' }, { session: 'one' });
    expect(
      await vault.data('workspaceStorageRead', { path: 'a.md' }, { session: 'two' }),
    ).toMatchObject({ content: 'x' });
  });

  it('refuses to write to an archived workspace', async () => {
    const vault = await vaultWithGarden();
    const { write, writeError, read, list } = toolsOf('workspace', vault);
    await write({ path: 'a.md', content: 'x' });
    await vault.data('archiveWorkspace', { name: 'Garden' });
    expect([(await read({ path: 'a.md' })).content, (await list()).length]).toEqual(['x', 1]);
    const said =
      'Workspace "Garden" is archived, so its files can be read but not written. Use updateWorkspace with name "Garden" and isArchived false';
    for (const mode of ['create', 'overwrite', 'append'])
      await expectRefused(vault, () => writeError({ path: 'a.md', content: 'y', mode }), said);
    await vault.data('updateWorkspace', { name: 'Garden', isArchived: false });
    await write({ path: 'a.md', content: 'y', mode: 'overwrite' });
  });

  it('keeps its files out of the log, note search and root folders', async () => {
    const vault = createTestVault();
    const { write } = toolsOf('workspace', vault);
    for (const path of ['zebra.md', 'core/2026-11/zebra.jsonl', 'trace.jsonl'])
      await write({ path, content: '{"v":1,"zebra":true}\n<<<<<<< ours\n' });
    expect(await verify(vault.files, 'Savepoint', { now: START_TIME })).toMatchObject({
      isWhole: true,
      problems: [],
    });
    expect(await vault.data('searchContent', { query: 'zebra', mode: 'keyword' })).toEqual([]);
    expect(await vault.data('searchDirectory', { query: 'zebra' })).toEqual([]);
    const params = {
      name: 'X',
      description: 'x',
      rootFolder: 'Savepoint/files/workspaces/default',
      purpose: 'x',
    };
    expect(await vault.error('createWorkspace', params)).toContain("is in Savepoint's data folder");
  });
});
