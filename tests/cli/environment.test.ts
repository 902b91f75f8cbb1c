import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runProgram, temporaryFolder } from '../fakes/program.js';

it.skipIf(process.platform !== 'linux').each(['', '${STATE_FOLDER}'])(
  'uses the default state folder if the variables and --state are "%s"',
  async (value) => {
    const home = temporaryFolder('home');
    const vault = join(home, 'vault');
    mkdirSync(join(vault, '.obsidian'), { recursive: true });
    const env = { HOME: home, SAVEPOINT_STATE: value, XDG_STATE_HOME: value };
    const args = ['call', 'listWorkspaces', '--vault', vault, '--state', value, '--json', '{}'];
    const result = await runProgram(args, { env, cwd: home });
    expect([result.stderr, result.code]).toEqual(['', 0]);
    expect(existsSync(join(home, '.local/state/savepoint'))).toBe(true);
    expect(readdirSync(home).sort()).toEqual(['.local', 'vault']);
  },
);
