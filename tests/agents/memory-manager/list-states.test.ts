import { describe, expect, it } from 'vitest';
import { createTestVault, stateNamed } from '../../fakes/test-vault.js';

describe('listStates', () => {
  it('returns an empty list for an empty workspace', async () => {
    expect(await createTestVault().call('listStates', {})).toEqual({
      success: true,
      workspace: 'Default',
      data: [],
    });
  });

  it('lists all states, newest first, with name and description', async () => {
    const vault = createTestVault();
    for (let at = 0; at < 300; at++)
      await vault.data(
        'createState',
        stateNamed(`S${at}`, at === 0 ? { description: 'The first' } : {}),
      );
    const shown = (await vault.data('listStates', { limit: 1000 })) as unknown[];
    expect(shown).toHaveLength(300);
    expect(shown[0]).toEqual({ name: 'S299' });
    expect(shown[299]).toEqual({ name: 'S0', description: 'The first' });
  });

  it('filters by all tags, ignoring # and case', async () => {
    const vault = createTestVault();
    await vault.data('createState', stateNamed('Both', { tags: ['auth', '#Draft'] }));
    await vault.data('createState', stateNamed('One', { tags: ['auth'] }));
    expect(await vault.data('listStates', { tags: ['#AUTH', 'draft'] })).toEqual([
      { name: 'Both' },
    ]);
    expect(await vault.data('listStates', { tags: ['auth'] })).toHaveLength(2);
    expect(await vault.data('listStates', { tags: ['none'] })).toEqual([]);
  });

  it('refuses an unknown workspace in the context', async () => {
    const error = await createTestVault().error('listStates', {
      context: { workspaceId: 'Nowhere' },
    });
    expect(error).toBe(
      'Workspace "Nowhere" not found. Use listWorkspaces to see available workspaces.',
    );
  });
});
