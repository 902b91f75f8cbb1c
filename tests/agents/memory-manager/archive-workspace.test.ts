import { describe, expect, it } from 'vitest';
import { createTestVault, garden, stateNamed } from '../../fakes/test-vault.js';

describe('archiveWorkspace', () => {
  it('hides the workspace from lists and keeps its content', async () => {
    const vault = createTestVault();
    await vault.data('createWorkspace', garden);
    await vault.data('createState', stateNamed('S'));
    expect(await vault.call('archiveWorkspace', { name: 'garden' })).toEqual({ success: true });
    expect(await vault.data('listWorkspaces')).toHaveLength(1);
    expect(await vault.data('loadWorkspace', { name: 'Garden' })).toMatchObject({
      isArchived: true,
      states: [{ name: 'S' }],
    });
  });

  it('refuses the built-in, an archived and an unknown workspace', async () => {
    const vault = createTestVault();
    await vault.data('createWorkspace', garden);
    await vault.data('archiveWorkspace', { name: 'Garden' });
    expect(await vault.error('archiveWorkspace', { name: 'Default' })).toContain(
      'cannot be archived',
    );
    expect(await vault.error('archiveWorkspace', { name: 'Garden' })).toBe(
      'Workspace "Garden" is already archived. Use updateWorkspace with name "Garden" and isArchived false to restore it.',
    );
    expect(await vault.error('archiveWorkspace', { name: 'Nothing' })).toBe(
      'Workspace "Nothing" not found. Use listWorkspaces to see available workspaces.',
    );
  });
});
