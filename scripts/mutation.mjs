/**
 * Runs Stryker, which changes src/storage in many places and runs the tests against each change.
 * Further arguments go to Stryker.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installTools } from './install-tools.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const stryker = join(installTools('mutation'), '@stryker-mutator/core/bin/stryker.js');
const { status } = spawnSync(
  process.execPath,
  [stryker, 'run', 'tools/mutation/stryker.config.mjs', ...process.argv.slice(2)],
  { cwd: root, stdio: 'inherit' },
);
process.exitCode = status ?? 1;
