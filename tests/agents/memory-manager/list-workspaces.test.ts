import { describe, expect, it } from 'vitest';
import { createTestVault, garden, stateNamed } from '../../fakes/test-vault.js';

describe('listWorkspaces', () => {
  it('shows the built-in workspace in an empty vault', async () => {
    expect(await createTestVault().data('listWorkspaces')).toMatchObject([
      { name: 'Default', description: 'For everything that has no workspace of its own' },
    ]);
  });

  it('says which workspace is current, and how much was saved in each', async () => {
    const vault = createTestVault();
    await vault.data('createState', stateNamed('Plan'));
    await vault.data('createState', stateNamed('Hidden'));
    await vault.data('archiveState', { name: 'Hidden' });
    await vault.data('createWorkspace', garden);
    expect(await vault.data('listWorkspaces')).toEqual([
      {
        name: 'Default',
        description: expect.any(String) as unknown,
        states: 1,
        lastSave: '2026-11-20',
      },
      { name: 'Garden', description: 'The garden', isCurrent: true, states: 0 },
    ]);
  });

  it('sorts by name, ignoring case, and hides archived workspaces', async () => {
    const vault = createTestVault();
    const names = Array.from(
      { length: 150 },
      (_, index) => `${index % 2 ? 'w' : 'W'}${String(index).padStart(3, '0')}`,
    );
    for (const name of [...names].reverse())
      await vault.data('createWorkspace', { ...garden, name });
    await vault.data('archiveWorkspace', { name: 'W000' });
    const shown = (await vault.data('listWorkspaces', { limit: 1000 })) as { name: string }[];
    expect(shown.map(({ name }) => name)).toEqual(['Default', ...names.slice(1)]);
    expect(await vault.data('listWorkspaces', { includeArchived: true })).toContainEqual({
      name: 'W000',
      description: 'The garden',
      isCurrent: true,
      states: 0,
      isArchived: true,
    });
  });

  it('marks the later of two workspaces that devices gave the same name', async () => {
    const [one, two] = [createTestVault({ seed: 1 }), createTestVault({ seed: 2 })];
    await one.data('createWorkspace', garden);
    two.clock.advance(1000);
    await two.data('createWorkspace', { ...garden, description: 'Another garden' });
    for (const path of two.files.paths())
      if (path.endsWith('.jsonl')) one.files.put(path, two.files.text(path));
    const shown = (await one.data('listWorkspaces')) as { name: string; description: string }[];
    expect(shown[1]).toMatchObject({ name: 'Garden', description: 'The garden' });
    expect(shown[2]?.name).toMatch(/^Garden ⟨[a-z0-9]{4}⟩$/);
    expect(shown[2]?.description).toBe('Another garden');
  });
});
