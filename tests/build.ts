import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Builds main.js, which tests of the program run, and creates the parent folder of all test
 * folders. With SAVEPOINT_BUILT=1, the existing main.js is used.
 */
export default function setUp(): () => Promise<void> {
  if (process.env['SAVEPOINT_BUILT'] !== '1')
    execFileSync(process.execPath, ['esbuild.config.mjs'], {
      cwd: fileURLToPath(new URL('..', import.meta.url)),
      stdio: 'inherit',
    });
  const folder = mkdtempSync(join(tmpdir(), 'savepoint-run-'));
  chmodSync(folder, 0o711); // some tests run a process of another user in this folder
  process.env['SAVEPOINT_TEST_FOLDER'] = folder;
  const seed = process.env['SAVEPOINT_SEED'];
  if (seed !== undefined) process.stdout.write(`Seed ${seed}: SAVEPOINT_SEED=${seed} repeats it\n`);
  // processes of clients that were killed may still write; rmSync would not list the folder again
  return () => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}
