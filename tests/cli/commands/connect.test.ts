import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runProgram, temporaryFolder } from '../../fakes/program.js';

it('the command in AGENTS.md works as it stands there, without a vault', async () => {
  const project = temporaryFolder('project');
  mkdirSync(join(project, '.git'));
  const file = join(project, 'AGENTS.md');
  writeFileSync(file, 'Use tabs.\n');
  const home = temporaryFolder('home');
  const { SAVEPOINT_VAULT: _, ...env } = process.env;
  const run = (...args: string[]) =>
    runProgram(args, {
      cwd: project,
      env: { ...env, HOME: home, USERPROFILE: home, SAVEPOINT_STATE: join(home, 'state') },
    });
  expect((await run('connect', '--agents-md')).stderr).toBe('');
  const lines = readFileSync(file, 'utf8');
  const command = /"savepoint ([^"]+)" removes these lines/.exec(lines)?.[1] ?? '';
  expect((await run(...command.split(' '))).stderr).toBe('');
  expect(readFileSync(file, 'utf8')).toBe('Use tabs.\n');
  expect(existsSync(join(home, 'state', 'program'))).toBe(false);
  expect((await run('connect')).stderr).toContain('connect needs --vault DIR');
});
