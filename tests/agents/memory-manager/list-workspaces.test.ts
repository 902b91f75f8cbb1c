import { describe, expect, it } from 'vitest';
import { createTestVault, garden } from '../../fakes/test-vault.js';

describe('listWorkspaces', () => {
  it('shows the built-in workspace in an empty vault', async () => {
    expect(await createTestVault().data('listWorkspaces')).toEqual([
      { name: 'Default', description: 'For everything that has no workspace of its own' },
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
    expect(shown[1]).toEqual({ name: 'Garden', description: 'The garden' });
    expect(shown[2]?.name).toMatch(/^Garden ⟨[a-z0-9]{4}⟩$/);
    expect(shown[2]?.description).toBe('Another garden');
  });
});
