// Tier full: starts the program for each call
import { describe, expect, it } from 'vitest';
import { runProgram } from '../../fakes/program.js';
import { stateNamed } from '../../fakes/test-vault.js';
import { callProgram, createFolders } from '../program-folders.js';

describe('restore', () => {
  it('restores an archived state, and reports what it cannot restore', async () => {
    const at = createFolders();
    await callProgram(at, 'createState', stateNamed('Plan'));
    await callProgram(at, 'archiveState', { name: 'Plan' });
    const restore = (...args: string[]) =>
      runProgram(['restore', ...args, '--vault', at.vault, '--state', at.state]);
    expect(await restore('plan')).toEqual({
      code: 0,
      stdout: 'Restored "plan" in Default.\n',
      stderr: '',
    });
    expect(JSON.parse((await callProgram(at, 'listStates', {})).stdout)).toMatchObject({
      data: [{ name: 'Plan' }],
    });
    expect(await restore('Plan')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'State "Plan" is not archived. There is nothing to restore.\n',
    });
    expect(await restore('Plam')).toMatchObject({
      code: 1,
      stderr: `State "Plam" not found. Use "node main.js call listStates --vault ${at.vault}" to see available states. Did you mean "Plan"?\n`,
    });
    expect(await restore('Plan', '--workspace', 'None')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Workspace "None" not found.') as string,
    });
    expect(await restore()).toMatchObject({ code: 2 });
  });

  it('finds the workspace by itself if one has a state of that name', async () => {
    const at = createFolders();
    const thesis = { name: 'Thesis', description: 'd', rootFolder: 'T', purpose: 'p' };
    await callProgram(at, 'createWorkspace', thesis);
    const context = { workspaceId: 'Thesis' };
    await callProgram(at, 'createState', { ...stateNamed('Outline'), context });
    await callProgram(at, 'archiveState', { name: 'Outline', context });
    expect(
      await runProgram(['restore', 'Outline', '--vault', at.vault, '--state', at.state]),
    ).toEqual({ code: 0, stdout: 'Restored "Outline" in Thesis.\n', stderr: '' });
  });
});
