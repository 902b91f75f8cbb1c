import { describe, expect, it } from 'vitest';
import { createTestVault, garden, stateNamed } from '../../fakes/test-vault.js';

describe('loadWorkspace', () => {
  it('returns every field, newest states first, and recent activity', async () => {
    const vault = createTestVault();
    await vault.data('createWorkspace', {
      ...garden,
      workflows: ['Sow'],
      keyFiles: ['Beds.md', 'Gone.md'],
      preferences: { tone: 'dry' },
    });
    vault.files.put('Beds.md', '# Beds');
    await vault.data('createState', stateNamed('First', { description: 'One' }));
    vault.clock.advance(1000);
    await vault.data('createState', stateNamed('Second'));
    await vault.data('createState', stateNamed('Hidden'));
    await vault.data('archiveState', { name: 'Hidden' });
    const data = (await vault.data('loadWorkspace', { name: 'garden' })) as Record<string, unknown>;
    expect(data).toMatchObject({
      ...garden,
      workflows: ['Sow'],
      keyFiles: ['Beds.md', 'Gone.md'],
      missingFiles: ['Gone.md'],
      preferences: { tone: 'dry' },
      isArchived: false,
    });
    expect(data['states']).toMatchObject([
      { name: 'Second' },
      { name: 'First', description: 'One' },
    ]);
    expect(data['recentActivity']).toMatchObject([{ tool: 'archiveState', sessionId: 'session' }]);
    expect(data['id']).toMatch(/^[a-z0-9]{16}$/);
  });

  it('shows recent changes with their goal, and no look-ups or failures', async () => {
    const vault = createTestVault();
    await vault.data('createWorkspace', garden);
    await vault.data('createState', stateNamed('First'));
    await vault.data('archiveState', { name: 'First', context: { goal: 'Tidy up' } });
    await vault.data('listStates');
    await vault.call('loadState', { name: 'Nothing', context: { goal: 'Resume' } });
    await vault.call('archiveState', { name: 'Nothing' });
    const { recentActivity } = (await vault.data('loadWorkspace', { name: 'Garden' })) as {
      recentActivity: unknown[];
    };
    expect(recentActivity).toMatchObject([{ tool: 'archiveState', goal: 'Tidy up' }]);
  });

  it('makes the workspace current for the session', async () => {
    const vault = createTestVault();
    await vault.data('createWorkspace', garden, { session: 'one' });
    await vault.data('loadWorkspace', { name: 'Garden' }, { session: 'two' });
    await vault.data('createState', stateNamed('S'), { session: 'two' });
    expect(await vault.data('listStates', {}, { session: 'one' })).toMatchObject([{ name: 'S' }]);
  });

  it('suggests close matches for an unknown name', async () => {
    const vault = createTestVault();
    await vault.data('createWorkspace', garden);
    expect(await vault.error('loadWorkspace', { name: 'Gardn' })).toBe(
      'Workspace "Gardn" not found. Use listWorkspaces to see available workspaces. Did you mean "Garden"?',
    );
    expect(await vault.error('loadWorkspace', { name: 'Spaceship' })).toBe(
      'Workspace "Spaceship" not found. Use listWorkspaces to see available workspaces.',
    );
  });

  it('refuses an ambiguous name, but accepts the marked names', async () => {
    const [one, two] = [createTestVault({ seed: 1 }), createTestVault({ seed: 2 })];
    await one.data('createWorkspace', garden);
    await two.data('createWorkspace', { ...garden, description: 'Another garden' });
    for (const path of two.files.paths())
      if (path.endsWith('.jsonl')) one.files.put(path, two.files.text(path));
    const error = await one.error('loadWorkspace', { name: 'Garden' });
    const marked = [...error.matchAll(/"(Garden ⟨\w{4}⟩)" \(created on 2026-11-20\)/g)].map(
      (match) => match[1],
    );
    expect(error).toMatch(/^Workspace "Garden" is ambiguous: .* Use one of these names\.$/);
    expect(marked).toHaveLength(2);
    const loaded = await Promise.all(marked.map((name) => one.data('loadWorkspace', { name })));
    expect(loaded.map((data) => (data as { description: string }).description).sort()).toEqual([
      'Another garden',
      'The garden',
    ]);
  });

  it('loads an archived workspace, and marks it as archived', async () => {
    const vault = createTestVault();
    await vault.data('createWorkspace', garden);
    await vault.data('archiveWorkspace', { name: 'Garden' });
    expect(await vault.data('loadWorkspace', { name: 'Garden' })).toMatchObject({
      isArchived: true,
    });
  });
});
