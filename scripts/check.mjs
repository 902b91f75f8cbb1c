/**
 * Checks format, types, lint rules, the store's review, unused code, imports, generated pages, the
 * store's rules for the manifest, and the size of main.js. Prints the output of failed steps.
 *
 *   node scripts/check.mjs                everything; builds main.js first
 *   node scripts/check.mjs --with-tests   what `npm test` runs in parallel with the tests. Uses the
 *                                         existing main.js and one core. Lint, format, types and
 *                                         imports are checked only if files differ from the upstream
 *                                         branch, lint and format only in these files
 */
import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { installTools } from './install-tools.mjs';

const isParallel = process.argv.includes('--with-tests');
/** Number of steps that run at the same time. */
const LANES = isParallel ? 1 : 2;
/**
 * Maximum size of main.js. Obsidian Sync's smaller plan refuses files above 5 MB, so a larger plugin
 * would not reach the phone.
 */
const BUDGET_BYTES = 4_600_000; // also notices when what the build leaves out is back
/** Maximum number of lines of src: a feature that needs more takes them from another place. */
const MAX_SOURCE_LINES = 109_000;
const root = fileURLToPath(new URL('..', import.meta.url));
const MAIN = `${root}/main.js`;
const CONFIGURATION = 'tools/check';
const tool = (path, ...args) => [`${CONFIGURATION}/node_modules/${path}`, ...args];
const configured = (name) => ['--config', `${CONFIGURATION}/${name}`];

const linted = isParallel ? changedFiles() : ['.'];
/** What the upstream branch has, its CI has checked. */
const isUnchanged = linted.length === 0;

/**
 * Steps, ordered to keep both lanes busy. A step with `after` reads main.js, so it waits for the
 * build.
 */
const steps = [
  { name: 'build', command: ['esbuild.config.mjs'], isSkipped: isParallel },
  {
    name: 'lint',
    command: tool(
      'eslint/bin/eslint.js',
      ...configured('eslint.config.mjs'),
      '--no-warn-ignored',
      ...linted,
    ),
    isSkipped: isUnchanged,
  },
  {
    name: 'store',
    command: tool(
      'eslint/bin/eslint.js',
      ...configured('store-review.config.mjs'),
      '--no-inline-config',
      '--quiet',
      '.',
    ),
    isSkipped: isParallel,
  },
  { name: 'types', command: tool('typescript7/bin/tsc', '--noEmit'), isSkipped: isUnchanged },
  {
    name: 'stylelint',
    command: tool(
      'stylelint/bin/stylelint.mjs',
      ...configured('stylelint.config.mjs'),
      'styles.css',
    ),
    isSkipped: isUnchanged,
  },
  {
    name: 'prettier',
    command: [
      'node_modules/prettier/bin/prettier.cjs',
      '--check',
      '--ignore-unknown',
      '--log-level=warn',
      ...linted,
    ],
    isSkipped: isUnchanged,
  },
  {
    name: 'knip',
    command: tool('knip/bin/knip.js', ...configured('knip.json'), '--no-progress'),
    isSkipped: isParallel,
  },
  {
    name: 'imports',
    command: tool(
      'dependency-cruiser/bin/dependency-cruise.mjs',
      ...configured('dependency-cruiser.mjs'),
      '--output-type=err-long',
      'src',
    ),
    isSkipped: isUnchanged,
  },
  { name: 'docs', command: ['scripts/write-docs.mjs', '--check'], after: 'build' },
  { name: 'engines', command: ['tools/check/floor.mjs'], after: 'build', isSkipped: isParallel },
  {
    name: 'oldest Node',
    command: tool('typescript7/bin/tsc', '--project', `${CONFIGURATION}/tsconfig.floor.json`),
    isSkipped: isUnchanged,
  },
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

/** Prints the number of lines of src and fails the check if there are too many. */
function checkLines() {
  const lines = readdirSync(`${root}/src`, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(?:tsx?|css)$/.test(path))
    .reduce((sum, path) => sum + linesOf(`${root}/src/${path}`), 0);
  const shown = (count) => count.toLocaleString('en');
  process.stdout.write(`src has ${shown(lines)} lines (at most ${shown(MAX_SOURCE_LINES)})\n`);
  if (lines > MAX_SOURCE_LINES) failed.push('lines of src');
}

function linesOf(file) {
  return readFileSync(file, 'utf8').split('\n').length - 1;
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

if (isUnchanged)
  process.stdout.write('No file differs from the upstream branch: lint and types are skipped\n');
else installTools('check');
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
checkLines();
process.stdout.write(`took ${seconds(started)}\n`);
process.stdout.write(
  failed.length === 0 ? 'check passed\n' : `check FAILED: ${failed.join(', ')}\n`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
