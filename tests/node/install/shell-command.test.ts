import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  installShellCommand,
  removeShellCommand,
} from '../../../src/node/install/shell-command.js';
import { createFolder, node } from '../folders.js';

/** Looked up on PATH, as when a user types it. */
const COMMAND = 'savepoint';

let home: string;
let launcher: string;

beforeEach(() => {
  home = createFolder();
  launcher = join(createFolder(), "it's here", 'savepoint.js');
  mkdirSync(dirname(launcher));
  writeFileSync(launcher, 'console.log(process.argv.slice(2))');
});

/** Creates a folder in the home folder. */
function folder(...names: string[]): string {
  const path = join(home, ...names);
  mkdirSync(path, { recursive: true });
  return path;
}

const shell = (...searched: string[]) => ({
  platform: 'linux' as NodeJS.Platform,
  env: { PATH: ['/usr/bin', ...searched].join(':') },
  home,
});

describe('the shell command', () => {
  it.skipIf(process.platform === 'win32')('starts the launcher with its arguments', async () => {
    const bin = folder('.local', 'bin');
    expect(await installShellCommand(node, shell(`${bin}/`), launcher)).toBe(
      join(bin, 'savepoint'),
    );
    const PATH = `${bin}:${process.env['PATH']}`;
    const output = execFileSync(COMMAND, ['a b', "'$x"], { env: { PATH }, encoding: 'utf8' });
    expect(output).toBe(`[ 'a b', "'$x" ]\n`);
  });

  it("is only added to one of the user's own folders on PATH", async () => {
    folder('.local', 'bin');
    expect(await installShellCommand(node, shell(), launcher)).toBeUndefined();
    const bin = folder('bin');
    expect(await installShellCommand(node, shell(bin), launcher)).toBe(join(bin, 'savepoint'));
    expect(readdirSync(join(home, '.local', 'bin'))).toEqual([]);
  });

  it('is written again for another launcher, and removed', async () => {
    const bin = folder('bin');
    const file = join(bin, 'savepoint');
    await installShellCommand(node, shell(bin), '/old/savepoint.js');
    await installShellCommand(node, shell(bin), launcher);
    expect(readFileSync(file, 'utf8')).toContain('here');
    expect(await removeShellCommand(node, shell(bin))).toEqual([file]);
    expect(existsSync(file)).toBe(false);
    expect(await removeShellCommand(node, shell(bin))).toEqual([]);
  });

  it('never replaces or removes another program, or a broken link', async () => {
    const [bin, other] = [folder('.local', 'bin'), folder('bin')];
    writeFileSync(join(bin, 'savepoint'), 'mine');
    symlinkSync(join(home, 'nowhere'), join(other, 'savepoint'));
    expect(await installShellCommand(node, shell(bin, other), launcher)).toBeUndefined();
    expect(await removeShellCommand(node, shell(bin, other))).toEqual([]);
    expect(readFileSync(join(bin, 'savepoint'), 'utf8')).toBe('mine');
    expect(existsSync(join(home, 'nowhere'))).toBe(false);
  });

  it.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
    'is not added if the folder cannot be written to (skipped as root, who may write anywhere)',
    async () => {
      const bin = folder('bin');
      chmodSync(bin, 0o500);
      expect(await installShellCommand(node, shell(bin), launcher)).toBeUndefined();
      chmodSync(bin, 0o700);
    },
  );

  it('is not added if the folder does not exist', async () => {
    const bin = join(home, 'bin');
    expect(await installShellCommand(node, shell(bin), launcher)).toBeUndefined();
    expect(existsSync(bin)).toBe(false);
  });

  it('does not contain the name of a Windows user, which may not be ASCII', async () => {
    const bin = folder('Microsoft', 'WindowsApps');
    const env = { Path: bin, LOCALAPPDATA: home };
    await installShellCommand(node, { platform: 'win32', env, home }, `${home}\\a\\savepoint.js`);
    expect(readFileSync(join(bin, 'savepoint.cmd'), 'utf8')).toBe(
      '@rem Starts the installed Savepoint.\r\n@set SAVEPOINT_COMMAND=1\r\n@node "%LOCALAPPDATA%\\a\\savepoint.js" %*\r\n',
    );
  });

  it('is a batch file on Windows', async () => {
    const bin = folder('AppData', 'Local', 'Microsoft', 'WindowsApps');
    const windows = { platform: 'win32' as const, env: { Path: bin }, home };
    const file = join(bin, 'savepoint.cmd');
    expect(await installShellCommand(node, windows, 'C:\\100 %\\savepoint.js')).toBe(file);
    expect(readFileSync(file, 'utf8')).toBe(
      '@rem Starts the installed Savepoint.\r\n@set SAVEPOINT_COMMAND=1\r\n@node "C:\\100 %%\\savepoint.js" %*\r\n',
    );
  });
});
