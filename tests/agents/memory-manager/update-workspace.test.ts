import { describe, expect, it } from 'vitest';
import { createTestVault, garden, stateNamed, type TestVault } from '../../fakes/test-vault.js';

async function withGarden(more: Record<string, unknown> = {}): Promise<TestVault> {
  const vault = createTestVault();
  await vault.data('createWorkspace', { ...garden, ...more });
  return vault;
}

const load = async (vault: TestVault, name = 'Garden') =>
  (await vault.data('loadWorkspace', { name })) as Record<string, unknown>;

describe('updateWorkspace', () => {
  it('changes only the given fields', async () => {
    const vault = await withGarden({ workflows: ['Sow'] });
    expect(
      await vault.call('updateWorkspace', {
        name: 'Garden',
        purpose: 'Harvest',
        rootFolder: 'Beds',
      }),
    ).toEqual({ success: true });
    expect(await load(vault)).toMatchObject({
      description: 'The garden',
      purpose: 'Harvest',
      rootFolder: 'Beds',
      workflows: ['Sow'],
    });
  });

  it('replaces lists and preferences as a whole', async () => {
    const vault = await withGarden({
      keyFiles: ['a.md', 'b.md', 'c.md'],
      preferences: { tone: 'dry', units: { length: 'm' } },
    });
    await vault.data('updateWorkspace', {
      name: 'Garden',
      keyFiles: ['c.md', 'new.md', 'a.md'],
      preferences: { units: { length: 'ft' } },
    });
    expect(await load(vault)).toMatchObject({ keyFiles: ['c.md', 'new.md', 'a.md'] });
    expect((await load(vault))['preferences']).toEqual({ units: { length: 'ft' } });
    await vault.data('updateWorkspace', { name: 'Garden', keyFiles: [] });
    expect(await load(vault)).toMatchObject({ keyFiles: [] });
  });

  it('renames a workspace, keeps its states and frees the old name', async () => {
    const vault = await withGarden();
    await vault.data('createState', stateNamed('S'));
    await vault.data('updateWorkspace', { name: 'Garden', newName: 'Orchard' });
    expect(await load(vault, 'Orchard')).toMatchObject({
      name: 'Orchard',
      states: [{ name: 'S' }],
    });
    expect(await vault.error('loadWorkspace', { name: 'Garden' })).toContain('not found');
    await vault.data('createWorkspace', garden);
  });

  it('accepts a new spelling of its own name', async () => {
    const vault = await withGarden();
    await vault.data('updateWorkspace', { name: 'Garden', newName: 'GARDEN' });
    expect(await load(vault)).toMatchObject({ name: 'GARDEN' });
  });

  it('refuses a taken name', async () => {
    const vault = await withGarden();
    await vault.data('createWorkspace', { ...garden, name: 'Orchard' });
    expect(await vault.error('updateWorkspace', { name: 'Garden', newName: 'orchard' })).toBe(
      'Workspace "orchard" already exists. Choose another newName; use listWorkspaces to see existing workspaces.',
    );
  });

  it('archives and restores a workspace', async () => {
    const vault = await withGarden();
    await vault.data('updateWorkspace', { name: 'Garden', isArchived: true });
    expect(await vault.data('listWorkspaces')).toHaveLength(1);
    await vault.data('updateWorkspace', { name: 'Garden', isArchived: false });
    expect(await vault.data('listWorkspaces')).toHaveLength(2);
  });

  it('refuses to rename or archive the built-in workspace', async () => {
    const vault = createTestVault();
    expect(await vault.error('updateWorkspace', { name: 'Default', newName: 'Main' })).toContain(
      'cannot be renamed or archived',
    );
    expect(await vault.error('updateWorkspace', { name: 'Default', isArchived: true })).toContain(
      'cannot be renamed or archived',
    );
    await vault.data('updateWorkspace', { name: 'default', description: 'My vault' });
    expect(await vault.data('listWorkspaces')).toMatchObject([
      { name: 'Default', description: 'My vault' },
    ]);
  });

  it('refuses a call without a field to update', async () => {
    const vault = await withGarden();
    expect(await vault.error('updateWorkspace', { name: 'Garden' })).toBe(
      'There is nothing to update. Pass at least one field besides name, such as description or keyFiles.',
    );
  });

  it('has no currentGoal, and says so', async () => {
    const vault = await withGarden();
    expect(await vault.call('updateWorkspace', { name: 'Garden', currentGoal: 'x' })).toEqual({
      success: false,
      notice: 'There is no parameter "currentGoal" here, so it was ignored.',
      error:
        'There is nothing to update. Pass at least one field besides name, such as description or keyFiles.',
    });
  });

  it('writes no event when nothing changes', async () => {
    const vault = await withGarden();
    const before = vault.files
      .paths()
      .filter((path) => path.includes('/core/'))
      .map((path) => vault.files.text(path));
    await vault.data('updateWorkspace', { name: 'Garden', purpose: garden.purpose });
    expect(
      vault.files
        .paths()
        .filter((path) => path.includes('/core/'))
        .map((path) => vault.files.text(path)),
    ).toEqual(before);
  });

  it('merges list entries that two offline devices add', async () => {
    const [one, two] = [await withGarden({ keyFiles: ['a.md'] }), createTestVault({ seed: 2 })];
    const sync = (from: TestVault, to: TestVault) => {
      for (const path of from.files.paths())
        if (path.endsWith('.jsonl')) to.files.put(path, from.files.text(path));
    };
    sync(one, two);
    await one.data('updateWorkspace', { name: 'Garden', keyFiles: ['a.md', 'one.md'] });
    await two.data('updateWorkspace', { name: 'Garden', keyFiles: ['two.md', 'a.md'] });
    sync(one, two);
    sync(two, one);
    const lists = await Promise.all(
      [one, two].map(async (vault) => (await load(vault))['keyFiles'] as string[]),
    );
    expect([...(lists[0] ?? [])].sort()).toEqual(['a.md', 'one.md', 'two.md']);
    expect(lists[0]).toEqual(lists[1]);
  });
});
