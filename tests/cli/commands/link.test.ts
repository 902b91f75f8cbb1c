import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PROGRAM, runProgram, temporaryFolder } from '../../fakes/program.js';
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
    stderr: `Workspace "Nope" not found. Use "node ${PROGRAM} call listWorkspaces --vault ${vault}" to see available workspaces.\n`,
  });
  expect((await run('links')).stdout).toBe(
    `No project is linked. Run "node ${PROGRAM} link --workspace NAME --vault DIR" in a project.\n`,
  );
  expect(await run('link', '--workspace', 'app', '--vault', vault)).toEqual({
    code: 0,
    stdout: `Linked ${project} to "App". Sessions in this project are not captured; add --capture on to change that.\n`,
    stderr: '',
  });
  const on = await run('link', '--workspace', 'App', '--vault', vault, '--capture', 'on');
  expect(on.stdout).toBe(`Linked ${project} to "App". Sessions in this project are captured.\n`);
  const again = await run('link', '--workspace', 'App', '--vault', vault);
  expect(again.stdout).toBe(on.stdout);
  const secret = join(project, 'secret');
  mkdirSync(secret);
  const changed = await run('links', '--pause', '--exclude', secret);
  expect(changed.stdout.replace(/until .*/, 'until T.')).toBe(
    `${project} is linked to "App" in ${vault}; capture is on.\nNothing in ${secret} is captured.\nNothing is captured until T.\n`,
  );
  expect(await run('links', '--exclude', 'no such folder')).toEqual({
    code: 1,
    stdout: '',
    stderr: `There is no folder "${join(project, 'no such folder')}" to exclude. Check the path; nothing was changed.\n`,
  });
  expect((await run('links', '--resume', '--include', secret)).stdout).toBe(
    `${project} is linked to "App" in ${vault}; capture is on.\n`,
  );
  expect((await run('unlink')).stdout).toBe(
    `Unlinked ${project}. Its sessions are no longer captured.\n`,
  );
  expect(await run('unlink')).toMatchObject({
    code: 1,
    stderr: `${project} is not linked. Run "node ${PROGRAM} links" to see what is.\n`,
  });
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
