import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { TYPED_PROGRAM, runProgram, temporaryFolder } from '../../fakes/program.js';
import { callProgram, createFolders } from '../program-folders.js';
import { inFull } from '../../tier.js';

const itInFull = it.runIf(inFull('linking and unlinking'));

itInFull('links a project to a workspace, lists it, and unlinks it', async () => {
  const at = createFolders();
  const project = realpathSync(temporaryFolder('project'));
  const vault = realpathSync(at.vault);
  const run = (...args: string[]) =>
    runProgram([...args, '--state', at.state], { cwd: project, env: { ...process.env } });
  await callProgram(at, 'createWorkspace', {
    name: 'App',
    description: 'd',
    rootFolder: 'App',
    purpose: 'p',
  });
  expect(await run('link', '--workspace', 'Nope', '--vault', vault)).toMatchObject({
    code: 1,
    stderr: `Workspace "Nope" not found. Use \`${TYPED_PROGRAM} call listWorkspaces --vault ${vault}\` to see available workspaces.\n`,
  });
  expect((await run('links')).stdout).toBe(
    `No project is linked. Run \`${TYPED_PROGRAM} link --workspace NAME --vault DIR\` in a project.\n`,
  );
  expect(await run('link', '--workspace', 'app', '--vault', vault)).toEqual({
    code: 0,
    stdout: `Linked ${project} to "App". Sessions in this project are not captured; add --capture task or --capture all to change that.\n`,
    stderr: '',
  });
  const on = await run('link', '--workspace', 'App', '--vault', vault, '--capture', 'on');
  expect(on.stdout).toBe(
    `Linked ${project} to "App". Of sessions in this project, all messages and answers are kept, with files and commands, and everybody who has the vault can read them.\n`,
  );
  const again = await run('link', '--workspace', 'App', '--vault', vault);
  expect(again.stdout).toBe(on.stdout);
  const secret = join(project, 'secret');
  mkdirSync(secret);
  const changed = await run('links', '--pause', '--exclude', secret);
  expect(changed.stdout.replace(/until .*/, 'until T.')).toBe(
    `${project} is linked to "App" in ${vault}; capture is paused.\nNothing in ${secret} is captured.\nNothing is captured until T.\n`,
  );
  expect(await run('links', '--exclude', 'no such folder')).toEqual({
    code: 1,
    stdout: '',
    stderr: `There is no folder "${join(project, 'no such folder')}" to exclude. Check the path; nothing was changed.\n`,
  });
  expect((await run('links', '--resume', '--include', secret)).stdout).toBe(
    `${project} is linked to "App" in ${vault}; capture is on.\n`,
  );
  const task = await run('link', '--workspace', 'App', '--vault', vault, '--capture', 'task');
  expect(task.stdout).toContain('Of sessions in this project, the task, files and commands are');
  expect((await run('links')).stdout).toBe(
    `${project} is linked to "App" in ${vault}; capture is limited to the task.\n`,
  );
  expect(
    await run('link', '--workspace', 'App', '--vault', vault, '--capture', 'half'),
  ).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Unknown value "half". Valid: off, task, all.') as '',
  });
  expect((await run('unlink')).stdout).toBe(
    `Unlinked ${project}. Its sessions are no longer captured.\n`,
  );
  expect(await run('unlink')).toMatchObject({
    code: 1,
    stderr: `${project} is not linked. Run \`${TYPED_PROGRAM} links\` to see what is.\n`,
  });
});

itInFull('says of each project what a session in it gets', async () => {
  const [at, other] = [createFolders(), createFolders()];
  const [project, second, third] = ['one', 'two', 'three'].map((name) =>
    realpathSync(temporaryFolder(name)),
  );
  const [vault, otherVault] = [realpathSync(at.vault), realpathSync(other.vault)];
  const run = (...args: string[]) =>
    runProgram([...args, '--state', at.state], { cwd: third, env: { ...process.env } });
  const link = (folder: string | undefined, to: string, name: string) =>
    run('link', '--project', folder ?? '', '--workspace', name, '--vault', to, '--capture', 'on');
  await callProgram(at, 'createWorkspace', {
    name: 'App',
    description: 'd',
    rootFolder: 'App',
    purpose: 'p',
  });
  await link(project, vault, 'App');
  await link(second, otherVault, 'Default');
  const here = `${third} is not linked, and the links of this device lead to several vaults, so a session here gets no brief and is not captured. To link it, run \`${TYPED_PROGRAM} link --workspace NAME --vault DIR\` here.\n`;
  const ofSecond = `${second} is linked to "Default" in ${otherVault}; capture is on.\n`;
  expect((await run('links')).stdout).toBe(
    `${project} is linked to "App" in ${vault}; capture is on.\n${ofSecond}${here}`,
  );
  await callProgram(at, 'archiveWorkspace', { name: 'App' });
  expect((await run('links')).stdout).toBe(
    `${project} is linked to "App" in ${vault}; capture is on. This workspace is archived. To fix that: restore it in Obsidian, or run \`${TYPED_PROGRAM} link --workspace NAME --vault ${vault} --project ${project}\`.\n${ofSecond}${here}`,
  );
  expect((await run('links', '--exclude', second ?? '')).stdout).toContain(
    `${second} is linked to "Default" in ${otherVault}; the folder is excluded, so there is no brief or capture.\n`,
  );
});

it('does not link the home folder', async () => {
  const at = createFolders();
  const home = realpathSync(temporaryFolder('home'));
  const args = ['link', '--workspace', 'Default', '--vault', at.vault, '--state', at.state];
  const result = await runProgram([...args, '--project', home], {
    env: { ...process.env, HOME: home, USERPROFILE: home },
  });
  expect(result).toMatchObject({
    code: 1,
    stderr: `${home} is not a project: it does not exist, or it is the vault, your home folder or a drive. Pass the folder of one project as --project.\n`,
  });
});
