import { describe, expect, it } from 'vitest';
import { createTestVault, garden, stateNamed } from '../../fakes/test-vault.js';

describe('archiveState', () => {
  it('hides the state from lists and searches', async () => {
    const vault = createTestVault();
    await vault.data('createState', stateNamed('Plan'));
    expect(await vault.call('archiveState', { name: 'plan' })).toMatchObject({
      success: true,
      workspace: 'Default',
    });
    expect(await vault.data('listStates')).toEqual([]);
    expect(await vault.data('listStates', { includeArchived: true })).toMatchObject([
      { name: 'Plan', isArchived: true },
    ]);
    expect(
      await vault.data('searchMemory', {
        query: 'plan',
        workspaceId: 'default',
        memoryTypes: ['states'],
      }),
    ).toEqual([]);
  });

  it('refuses an archived state and one of another workspace', async () => {
    const vault = createTestVault();
    await vault.data('createState', stateNamed('Plan'));
    await vault.data('archiveState', { name: 'Plan' });
    expect(await vault.error('archiveState', { name: 'Plan' })).toBe(
      'State "Plan" is already archived. It can still be loaded. Only the user can restore it, in Savepoint.',
    );
    await vault.data('createWorkspace', garden);
    expect(await vault.error('archiveState', { name: 'Plan' })).toBe(
      'State "Plan" not found. Use listStates to see available states.',
    );
  });
});
