// Tier full: starts the program for each call
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { joinLines, linesOf } from '../../fakes/events.js';
import { runProgram } from '../../fakes/program.js';
import { stateNamed } from '../../fakes/test-vault.js';
import { callInProcess, createFolders, type TestFolders } from '../program-folders.js';

function restore({ vault, state }: TestFolders, ...args: string[]) {
  return runProgram(['restore', ...args, '--vault', vault, '--state', state]);
}

async function createThesis(at: TestFolders): Promise<{ workspaceId: string }> {
  const thesis = { name: 'Thesis', description: 'd', rootFolder: 'T', purpose: 'p' };
  await callInProcess(at, 'createWorkspace', thesis);
  return { workspaceId: 'Thesis' };
}

describe('restore', () => {
  it('restores an archived state, and reports what it cannot restore', async () => {
    const at = createFolders();
    await callInProcess(at, 'createState', stateNamed('Plan'));
    await callInProcess(at, 'archiveState', { name: 'Plan' });
    expect(await restore(at, 'Plam')).toEqual({
      code: 1,
      stdout: '',
      stderr: `State "Plam" not found. Run \`node main.js restore --kind state --vault ${at.vault}\` to see what is archived. Did you mean "Plan"?\n`,
    });
    const { stdout } = await restore(at, '--kind', 'state');
    expect(stdout).toMatch(/^Archived:\n {2}Plan {2}in Default {2}\d{4}-\d\d-\d\d\n/);
    expect(stdout).toContain(
      `\nTo restore the first, run \`node main.js restore Plan --kind state --vault ${at.vault}\`\n`,
    );
    expect(await restore(at, 'plan')).toEqual({
      code: 0,
      stdout: 'Restored "Plan" in Default.\n',
      stderr: '',
    });
    expect(JSON.parse((await callInProcess(at, 'listStates', {})).stdout)).toMatchObject({
      data: [{ name: 'Plan' }],
    });
    expect(await restore(at, 'Plan')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'State "Plan" is not archived. There is nothing to restore.\n',
    });
    expect(await restore(at, 'Plan', '--workspace', 'None')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Workspace "None" not found.') as string,
    });
    expect((await restore(at)).stdout).toBe('No state is archived.\n');
    expect(await restore(at, 'Plan', '--kind', 'chat')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Unknown kind "chat".') as string,
    });
  });

  it('finds the workspace by itself if one has an archived state of that name', async () => {
    const at = createFolders();
    const context = await createThesis(at);
    await callInProcess(at, 'createState', stateNamed('Outline'));
    await callInProcess(at, 'createState', { ...stateNamed('Outline'), context });
    await callInProcess(at, 'archiveState', { name: 'Outline', context });
    expect(await restore(at, 'Outline')).toEqual({
      code: 0,
      stdout: 'Restored "Outline" in Thesis.\n',
      stderr: '',
    });
  });

  it('restores records and workspaces, and asks for an id if several have the title', async () => {
    const at = createFolders();
    const context = await createThesis(at);
    for (const own of [{}, { context }]) {
      const title = 'Use lime';
      await callInProcess(at, 'createRecord', { resource: 'decision', title, ...own });
      await callInProcess(at, 'archiveRecord', { title, ...own });
    }
    const { stderr } = await restore(at, 'use lime', '--kind', 'record');
    const [, id = ''] = /^Record "Use lime" is archived more than once: .*(\w{8}) in Thesis/.exec(
      stderr,
    )!;
    expect((await restore(at, id, '--kind', 'record')).stdout).toBe(
      'Restored "Use lime" in Thesis.\n',
    );
    const listed = await callInProcess(at, 'listRecords', { context });
    expect(JSON.parse(listed.stdout)).toMatchObject({ data: [{ title: 'Use lime' }] });

    await callInProcess(at, 'archiveWorkspace', { name: 'Thesis' });
    expect((await restore(at, '--kind', 'workspace')).stdout).toContain('  Thesis  ');
    expect((await restore(at, 'thesis', '--kind', 'workspace')).stdout).toBe(
      'Restored "Thesis".\n',
    );
    expect((await callInProcess(at, 'listWorkspaces', {})).stdout).toContain('Thesis');
  });

  it('restores a conversation', async () => {
    const at = createFolders();
    const chat = linesOf([
      { t: 'conv.new', e: 'talk', d: { ws: 'default', title: 'About lime' } },
      { t: 'set', e: 'talk', d: { '/isArchived': true } },
    ]);
    mkdirSync(join(at.vault, 'Savepoint/chat'), { recursive: true });
    writeFileSync(join(at.vault, 'Savepoint/chat/a.jsonl'), joinLines(chat));
    const options = ['--kind', 'conversation'];
    expect((await restore(at, ...options)).stdout).toContain('  About lime  in Default');
    expect((await restore(at, 'About lime', ...options)).code).toBe(0);
    expect((await restore(at, ...options)).stdout).toBe('No conversation is archived.\n');
  });
});
