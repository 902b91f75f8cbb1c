import { describe, expect, it } from 'vitest';
import { moveStateInLog } from '../../../src/agents/shared/move-state.js';
import { restoreStateInLog } from '../../../src/agents/shared/restore-state.js';
import { lookupState, lookupWorkspace, workspaceById } from '../../../src/model/lookup.js';
import type { State } from '../../../src/model/state.js';
import type { Workspace } from '../../../src/model/workspace.js';
import { createTestVault, garden, stateNamed, type TestVault } from '../../fakes/test-vault.js';

const inDefault = { context: { workspaceId: 'default' } };
const inGarden = { context: { workspaceId: 'Garden' } };

async function workspaceNamed({ log }: TestVault, name: string): Promise<Workspace> {
  const found = lookupWorkspace(await log.memory(), name);
  if (!('item' in found)) throw new Error(`No workspace ${name}`);
  return found.item.item;
}

async function findState(vault: TestVault, workspace: string, name: string): Promise<State> {
  const { id } = await workspaceNamed(vault, workspace);
  const found = lookupState(await vault.log.memory(), id, name);
  if (!('item' in found)) throw new Error(`No state ${name}`);
  return found.item.item;
}

/** A vault with the state "Plan" in the workspace `default`, and an empty workspace "Garden". */
async function vaultWithPlan(): Promise<TestVault> {
  const vault = createTestVault();
  await vault.data('createState', { ...stateNamed('Plan', { tags: ['a'] }), ...inDefault });
  await vault.data('createWorkspace', garden);
  return vault;
}

async function move(vault: TestVault, from: string, to: string, name = 'Plan'): Promise<string> {
  return moveStateInLog(vault.toolkit.host.services, {
    state: await findState(vault, from, name),
    workspace: await workspaceNamed(vault, to),
  });
}

describe('moveState', () => {
  it('copies the state with its origin and archives the original', async () => {
    const vault = await vaultWithPlan();
    const before = await findState(vault, 'Default', 'Plan');
    const id = await move(vault, 'Default', 'Garden');
    expect(await vault.data('listStates', inDefault)).toEqual([]);
    expect(await vault.data('listStates', inGarden)).toMatchObject([{ name: 'Plan' }]);
    const { createdAt: _, ...after } = await findState(vault, 'Garden', 'Plan');
    const { createdAt, ...original } = before;
    expect(after).toEqual({
      ...original,
      id,
      workspaceId: (await workspaceNamed(vault, 'Garden')).id,
      origin: { ws: 'default', state: before.id, at: createdAt },
    });
    expect((await findState(vault, 'Default', 'Plan')).isArchived).toBe(true);
  });

  it('undoes a move when the state is moved back', async () => {
    const vault = await vaultWithPlan();
    const before = await findState(vault, 'Default', 'Plan');
    await move(vault, 'Default', 'Garden');
    expect(await move(vault, 'Garden', 'Default')).toBe(before.id);
    expect(await findState(vault, 'Default', 'Plan')).toEqual(before);
    expect(await vault.data('listStates', inGarden)).toEqual([]);
  });

  it('keeps the first origin over several moves', async () => {
    const vault = await vaultWithPlan();
    await vault.data('createWorkspace', { ...garden, name: 'Shed' });
    const before = await findState(vault, 'Default', 'Plan');
    await move(vault, 'Default', 'Garden');
    await move(vault, 'Garden', 'Shed');
    expect((await findState(vault, 'Shed', 'Plan')).origin?.state).toBe(before.id);
  });

  it('writes nothing if the name is taken there', async () => {
    const vault = await vaultWithPlan();
    const other = { ...stateNamed('plan'), activeTask: 'Other', ...inGarden };
    await vault.data('createState', other);
    await expect(move(vault, 'Default', 'Garden')).rejects.toThrow(
      '"Garden" already has a state named "Plan". Choose another workspace; names are never reused.',
    );
    expect((await findState(vault, 'Default', 'Plan')).isArchived).toBe(false);
  });

  it('refuses archived states, archived workspaces and the same workspace', async () => {
    const vault = await vaultWithPlan();
    await expect(move(vault, 'Default', 'Default')).rejects.toThrow(
      'State "Plan" is already in "Default". Choose another workspace.',
    );
    await vault.data('archiveWorkspace', { name: 'Garden' });
    await expect(move(vault, 'Default', 'Garden')).rejects.toThrow(
      'Workspace "Garden" is archived. Restore it, or choose another workspace.',
    );
    await vault.data('updateWorkspace', { name: 'Garden', isArchived: false });
    await move(vault, 'Default', 'Garden');
    await expect(move(vault, 'Default', 'Garden')).rejects.toThrow(
      'State "Plan" is archived. Restore it before you move it.',
    );
    const { services } = vault.toolkit.host;
    const nothing = { id: 'nothing' };
    await expect(moveStateInLog(services, { state: nothing, workspace: nothing })).rejects.toThrow(
      'The state no longer exists. Choose another one.',
    );
    const state = await findState(vault, 'Garden', 'Plan');
    await expect(moveStateInLog(services, { state, workspace: nothing })).rejects.toThrow(
      'The workspace no longer exists. Choose another one.',
    );
  });

  it('leaves an original that can be restored', async () => {
    const vault = await vaultWithPlan();
    await move(vault, 'Default', 'Garden');
    const memory = await vault.log.memory();
    await restoreStateInLog(vault.toolkit.host.services, workspaceById(memory, 'default'), 'Plan');
    expect(await vault.data('listStates', inDefault)).toMatchObject([{ name: 'Plan' }]);
  });
});
