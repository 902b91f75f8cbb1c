import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { runProgram, temporaryFolder } from '../../fakes/program.js';
import { inFull } from '../../tier.js';

const itInFull = it.runIf(inFull('a damaged settings file'));

let home: string;
let vault: string;
let env: NodeJS.ProcessEnv;

beforeEach(() => {
  home = temporaryFolder('home');
  vault = temporaryFolder();
  for (const folder of ['.claude', '.cursor']) mkdirSync(join(home, folder));
  env = {
    PATH: join(home, 'bin'), // without the clients of this machine
    HOME: home,
    USERPROFILE: home,
    APPDATA: join(home, '.config'),
    XDG_CONFIG_HOME: join(home, '.config'),
    LOCALAPPDATA: join(home, 'local'),
    SAVEPOINT_STATE: join(home, 'state'),
    XDG_RUNTIME_DIR: home,
  };
});

const run = (...args: string[]) => runProgram(args, { env, cwd: home });
const read = (file: string) => readFileSync(join(home, file), 'utf8');

it('uninstall removes entries, hooks and the program, and keeps the memory', async () => {
  writeFileSync(join(home, '.claude.json'), '{"theme":"dark"}');
  mkdirSync(join(vault, 'Savepoint'));
  writeFileSync(join(vault, 'Savepoint', 'kept'), 'memory');
  mkdirSync(join(home, 'bin'));
  const command = join(home, 'bin', process.platform === 'win32' ? 'savepoint.cmd' : 'savepoint');
  const connected = await run('connect', 'claude-code', 'cursor', '--vault', vault);
  if (process.platform !== 'win32')
    expect(connected.stdout).toContain(
      `To use Savepoint in a shell (it is in ${command}), run: savepoint help`,
    );
  await run('connect', 'claude-code', '--hooks', '--vault', vault);
  expect(read('.claude.json') + read('.cursor/mcp.json') + read('.claude/settings.json')).toContain(
    join(home, 'state', 'program', 'savepoint.js'),
  );
  const trial = await run('uninstall', '--dry-run');
  expect(trial.stdout).toContain('Nothing was removed: this was a dry run.');
  expect(trial.stdout).toContain(`Would remove the program in ${join(home, 'state', 'program')}`);
  expect(trial.stdout).toContain(`Would remove the command ${command}`);
  expect(read('.claude.json')).toContain('savepoint');
  expect(existsSync(command)).toBe(true);

  mkdirSync(join(home, '.codex'));
  const plugins = '[plugins."savepoint@team"]\nenabled = true\n';
  writeFileSync(join(home, '.codex/config.toml'), plugins);
  const { code, stdout, stderr } = await run('uninstall');
  expect(read('.codex/config.toml')).toBe(plugins);
  expect(stdout).toContain(
    "Savepoint's package in Codex stays, and with it its server and hooks: remove it there.\n",
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(read('.claude.json')).toBe('{"theme":"dark"}');
  expect(existsSync(join(home, '.claude/settings.json'))).toBe(false);
  expect(existsSync(join(home, '.cursor/mcp.json'))).toBe(false);
  expect(existsSync(join(home, 'state/program'))).toBe(false);
  expect(existsSync(command)).toBe(false);
  expect(readFileSync(join(vault, 'Savepoint', 'kept'), 'utf8')).toBe('memory');
  expect(stdout).toContain(`Removed the program in ${join(home, 'state', 'program')}`);
  expect(stdout).toContain(`copies and caches in ${join(home, 'state')}`);
});

itInFull('uninstall keeps the program if a settings file cannot be read', async () => {
  await run('connect', 'cursor', '--vault', vault);
  writeFileSync(join(home, '.claude.json'), '{');
  const { code, stdout } = await run('uninstall');
  expect(code).toBe(1);
  expect(stdout).toContain(
    'Not everything was removed. Fix these files, then run uninstall again.',
  );
  expect(existsSync(join(home, '.cursor/mcp.json'))).toBe(false);
  expect(existsSync(join(home, 'state/program/savepoint.js'))).toBe(true);
});

it('uninstall on a device without connections says so', async () => {
  const { code, stdout } = await run('uninstall');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^No program was installed for AI apps\.\n/);
});
