import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The user's own folders, which tests must not write to, apart from npm's cache. */
const USER_FOLDERS = ['XDG_STATE_HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_CACHE_HOME'];

/**
 * Builds main.js, which tests of the program run, and creates a folder that is home and temporary
 * folder of all tests, and is removed at the end. With SAVEPOINT_BUILT=1, the existing main.js is
 * used.
 */
export default function setUp(): () => Promise<void> {
  if (process.env['SAVEPOINT_BUILT'] !== '1')
    execFileSync(process.execPath, ['esbuild.config.mjs'], {
      cwd: fileURLToPath(new URL('..', import.meta.url)),
      stdio: 'inherit',
    });
  const folder = mkdtempSync(join(tmpdir(), 'savepoint-'));
  chmodSync(folder, 0o711); // some tests run a process of another user in this folder
  const home = join(folder, 'home');
  mkdirSync(home);
  process.env['npm_config_cache'] ??= join(homedir(), '.npm');
  for (const name of USER_FOLDERS) delete process.env[name];
  for (const name of ['HOME', 'USERPROFILE']) process.env[name] = home;
  for (const name of ['TMPDIR', 'TMP', 'TEMP', 'SAVEPOINT_TEST_FOLDER']) process.env[name] = folder;
  const seed = process.env['SAVEPOINT_SEED'];
  if (seed !== undefined) process.stdout.write(`Seed ${seed}: SAVEPOINT_SEED=${seed} repeats it\n`);
  // processes of clients that were killed may still write; rmSync would not list the folder again
  return () => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}
