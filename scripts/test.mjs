/**
 * Runs the tests of a tier. `npm test`, `test:full` and `test:nightly` call it; further arguments
 * go to vitest.
 *
 *   node scripts/test.mjs quick            the check in parallel with the unit tests and a smoke
 *                                          selection of the slow ones
 *   node scripts/test.mjs full [--rest]    everything but nightly; --rest leaves out what quick
 *                                          runs in the same way
 *   node scripts/test.mjs nightly          what takes hours or needs special rights
 */
import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const [tier, ...rest] = process.argv.slice(2);
const isRest = rest.includes('--rest');
const forVitest = rest.filter((argument) => argument !== '--rest');

/** Scripts of package.json. A failure does not stop the next script. */
const NIGHTLY = [
  'test:long',
  'test:powercut',
  'test:clients',
  'test:wine',
  'test:node',
  'test:bare',
  'test:sync',
  'test:simulation',
  'test:properties',
  'test:conformance',
  'test:bench',
  'test:mutation',
];

const runs = { quick: runQuick, full: runFull, nightly: runNightly };
const run = runs[tier];
if (run === undefined) throw new Error(`Usage: test.mjs ${Object.keys(runs).join(' | ')}`);
const started = performance.now();
const failed = await run();
const seconds = ((performance.now() - started) / 1000).toFixed(0);
process.stdout.write(
  failed.length === 0
    ? `test (${tier}) passed in ${seconds} s\n`
    : `test (${tier}) FAILED in ${seconds} s: ${failed.join(', ')}\n`,
);
process.exitCode = failed.length === 0 ? 0 : 1;

/**
 * Runs check and tests at the same time, because each alone leaves a core idle for a while. Returns
 * what failed.
 */
async function runQuick() {
  if (!build()) return ['build'];
  const [check, tests] = await Promise.all([
    collect(['scripts/check.mjs', '--with-tests']),
    vitest(),
  ]);
  process.stdout.write(`\n${check.output}`); // at the end, so that it does not interrupt the tests
  return [...(check.code === 0 ? [] : ['check']), ...(tests === 0 ? [] : ['tests'])];
}

async function runFull() {
  if (!build()) return ['build'];
  const check = await start(['scripts/check.mjs']);
  const tests = await vitest();
  return [...(check === 0 ? [] : ['check']), ...(tests === 0 ? [] : ['tests'])];
}

function runNightly() {
  return NIGHTLY.filter((script) => {
    process.stdout.write(`\n${script}\n`);
    const { status } = spawnSync('npm', ['run', script], {
      cwd: root,
      stdio: 'inherit',
      shell: process.platform === 'win32',
    });
    return status !== 0;
  });
}

/** Builds main.js. Returns true if it succeeds. */
function build() {
  const { status } = spawnSync(process.execPath, ['esbuild.config.mjs'], {
    cwd: root,
    stdio: 'inherit',
  });
  return status === 0;
}

/** Runs vitest with the main.js that was built. Returns its exit code. */
function vitest() {
  return start(['node_modules/vitest/vitest.mjs', 'run', ...forVitest], {
    SAVEPOINT_TIER: tier,
    SAVEPOINT_BUILT: '1',
    ...(isRest && { SAVEPOINT_REST: '1' }),
  });
}

function start(command, environment = {}) {
  const child = spawn(process.execPath, command, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...environment },
  });
  return new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
}

/** Runs a program. Returns its exit code and standard output. */
function collect(command) {
  const child = spawn(process.execPath, command, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (piece) => (output += piece));
  return new Promise((resolve, reject) =>
    child.on('error', reject).on('close', (code) => resolve({ code, output })),
  );
}
