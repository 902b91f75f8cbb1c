/**
 * Checks format, types, lint rules, unused code, imports, generated pages, the store's rules for the
 * manifest, and the size of main.js. Prints the output of failed steps.
 *
 *   node scripts/check.mjs                everything; builds main.js first
 *   node scripts/check.mjs --with-tests   what `npm test` runs in parallel with the tests. Uses the
 *                                         existing main.js and one core, skips unused code, and
 *                                         lints and formats only files that differ from the
 *                                         upstream branch
 */
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const isParallel = process.argv.includes('--with-tests');
/** Number of steps that run at the same time. */
const LANES = isParallel ? 1 : 2;
/**
 * Maximum size of main.js. Obsidian Sync's smaller plan refuses files above 5 MB, so a larger plugin
 * would not reach the phone.
 */
const BUDGET_BYTES = 4_500_000; // also notices when what the build leaves out is back
const root = fileURLToPath(new URL('..', import.meta.url));
const MAIN = `${root}/main.js`;
const tool = (path, ...args) => [`node_modules/${path}`, ...args];

const linted = isParallel ? changedFiles() : ['.'];

/**
 * Steps, ordered to keep both lanes busy. A step with `after` reads main.js, so it waits for the
 * build.
 */
const steps = [
  { name: 'build', command: ['esbuild.config.mjs'], isSkipped: isParallel },
  {
    name: 'lint',
    command: tool('eslint/bin/eslint.js', '--no-warn-ignored', ...linted),
    isSkipped: linted.length === 0,
  },
  { name: 'types', command: tool('typescript7/bin/tsc', '--noEmit') },
  { name: 'stylelint', command: tool('stylelint/bin/stylelint.mjs', 'styles.css') },
  {
    name: 'prettier',
    command: tool(
      'prettier/bin/prettier.cjs',
      '--check',
      '--ignore-unknown',
      '--log-level=warn',
      ...linted,
    ),
    isSkipped: linted.length === 0,
  },
  { name: 'knip', command: tool('knip/bin/knip.js', '--no-progress'), isSkipped: isParallel },
  {
    name: 'imports',
    command: tool(
      'dependency-cruiser/bin/dependency-cruise.mjs',
      '--config',
      '.dependency-cruiser.mjs',
      '--output-type=err-long',
      'src',
    ),
  },
  { name: 'docs', command: ['scripts/write-docs.mjs', '--check'], after: 'build' },
  { name: 'engines', command: ['scripts/floor.mjs'], after: 'build', isSkipped: isParallel },
  { name: 'manifest', command: ['scripts/manifest.mjs'], after: 'build', hasOutput: true },
  { name: 'tokens', command: ['scripts/measure-tokens.mjs'], after: 'build', hasOutput: true },
].filter(({ isSkipped }) => !isSkipped);

const started = performance.now();
const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;
const runs = new Map();
const failed = [];

function run({ name, command, hasOutput }) {
  const since = performance.now();
  const child = spawn(process.execPath, command, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = [];
  child.stdout.on('data', (bytes) => output.push(bytes));
  child.stderr.on('data', (bytes) => output.push(bytes));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      process.stdout.write(
        `${code === 0 ? 'passed' : 'FAILED'}  ${name.padEnd(10)}${seconds(since).padStart(8)}\n`,
      );
      if (code !== 0) {
        failed.push(name);
        process.stdout.write(`\n${Buffer.concat(output).toString().trim()}\n\n`);
      } else if (hasOutput) process.stdout.write(`${Buffer.concat(output).toString().trim()}\n`);
      resolve();
    });
  });
}

/** Returns the sizes of main.js and its parts in bytes. */
function sizesOfMain() {
  const main = readFileSync(MAIN);
  const table = statSync(`${root}/assets/meaning.txt`).size;
  const notices = main.length - main.lastIndexOf('/*\nThird-party notices');
  return { total: main.length, code: main.length - table - notices, table, notices };
}

/**
 * Returns the CPU time in milliseconds that evaluating main.js takes as the program and as the
 * plugin. It is the minimum of several runs, because other processes run at the same time.
 */
function evaluationTimes() {
  const timed = `const start = process.cpuUsage(); require(${JSON.stringify(MAIN)}); const { user, system } = process.cpuUsage(start); console.log((user + system) / 1000);`;
  // Replaces what main.js uses of the app while it is evaluated as a plugin.
  const app = `globalThis.window = globalThis; const load = module.constructor._load; const named = new Proxy({}, { get: () => class {} });
    module.constructor._load = (name, ...rest) => (name === 'obsidian' ? named : load(name, ...rest));`;
  const least = (code) =>
    Math.min(
      ...Array.from({ length: 9 }, () => Number(spawnSync(process.execPath, ['-e', code]).stdout)),
    );
  return { program: least(timed), plugin: least(app + timed) };
}

/** Prints the facts of main.js and fails the check if it is over budget. */
function checkMain() {
  const { total, code, table, notices } = sizesOfMain();
  const kB = (bytes) => `${(bytes / 1000).toLocaleString('en', { maximumFractionDigits: 0 })} kB`;
  process.stdout.write(
    `main.js is ${kB(total)} (budget ${kB(BUDGET_BYTES)}): ${kB(code)} of code, ${kB(table)} of embedding table, ${kB(notices)} of notices\n`,
  );
  if (!isParallel) {
    const { program, plugin } = evaluationTimes();
    process.stdout.write(
      `evaluating it takes ${program.toFixed(0)} ms as the program, ${plugin.toFixed(0)} ms as the plugin\n`,
    );
  }
  if (total > BUDGET_BYTES) failed.push('size of main.js');
}

/**
 * Returns the files that differ from the upstream branch, or from the last commit if there is none;
 * all files outside a checkout.
 */
function changedFiles() {
  const git = (...args) => {
    const { status, stdout } = spawnSync('git', ['-c', 'core.quotePath=false', ...args], {
      cwd: root,
      encoding: 'utf8',
    });
    return status === 0 ? stdout.split('\n').filter((line) => line !== '') : undefined;
  };
  const [base = 'HEAD'] = git('merge-base', 'HEAD', '@{upstream}') ?? [];
  const changed = git('diff', '--name-only', '--diff-filter=d', base);
  const added = git('ls-files', '--others', '--exclude-standard');
  return changed && added ? [...changed, ...added] : ['.'];
}

const waiting = [...steps];

async function lane() {
  for (let step = waiting.shift(); step; step = waiting.shift()) {
    await runs.get(step.after);
    const current = run(step);
    runs.set(step.name, current);
    await current;
  }
}

await Promise.all(Array.from({ length: LANES }, lane));

if (!failed.includes('build')) checkMain();
process.stdout.write(`took ${seconds(started)}\n`);
process.stdout.write(
  failed.length === 0 ? 'check passed\n' : `check FAILED: ${failed.join(', ')}\n`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
