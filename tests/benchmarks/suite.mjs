/**
 * Compiles the benchmarks of this folder, and runs each in a process of its own, so that none can
 * end or block another.
 */
import { build } from 'esbuild';
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * @typedef {import('./results.mjs').Figure} Figure
 * @typedef {{ name: string, program: string, modules: readonly string[] }} Compiled A benchmark with
 * the path of its program, and the modules of src in it.
 * @typedef {object} Outcome `question` and `measures` are missing if it did not get that far;
 * `figures`, `notRun` and `problem` exclude each other.
 * @property {string} [question]
 * @property {readonly string[]} [measures] Folders of src.
 * @property {readonly Figure[]} [figures]
 * @property {string} [notRun] What this machine lacks.
 * @property {string} [problem] What the benchmark did instead.
 */

const folder = fileURLToPath(new URL('.', import.meta.url));
const root = fileURLToPath(new URL('../..', import.meta.url));
const child = fileURLToPath(new URL('child.mjs', import.meta.url));
const SUFFIX = '.bench.ts';
const DESCRIBING_TIMEOUT_MS = 60_000;

/**
 * Replaces `import.meta.url` in each bundled file with the file's own URL, so that it finds the
 * files next to it.
 */
const ownPlace = {
  name: 'own-place',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.(ts|mjs)$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const contents = text.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href));
      return { contents, loader: path.endsWith('.ts') ? 'ts' : 'js' };
    }),
};

/** Path of a benchmark from the root of the repository. */
export const fileOf = (name) => `tests/benchmarks/${name}${SUFFIX}`;

/** Returns the names of all benchmarks, sorted. */
export async function benchmarkNames() {
  const files = (await readdir(folder)).filter((name) => name.endsWith(SUFFIX));
  return files.map((name) => name.slice(0, -SUFFIX.length)).sort();
}

/**
 * Compiles benchmarks for the duration of a task.
 * @template T
 * @param {readonly string[]} names
 * @param {(benchmarks: Compiled[]) => Promise<T>} task
 * @returns {Promise<T>}
 */
export async function withCompiled(names, task) {
  const cache = join(root, 'node_modules/.cache/savepoint'); // packages are resolved from here
  await mkdir(cache, { recursive: true });
  const out = await mkdtemp(join(cache, 'bench-'));
  try {
    const { metafile } = await build({
      absWorkingDir: root,
      entryPoints: names.map(fileOf),
      outdir: out,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      packages: 'external',
      plugins: [ownPlace],
      logLevel: 'warning',
      metafile: true,
    });
    const outputs = Object.entries(metafile.outputs);
    return await task(
      names.map((name) => {
        const [path, { inputs }] = outputs.find(([, each]) => each.entryPoint === fileOf(name));
        const modules = Object.keys(inputs).filter(
          (module) => module.startsWith('src/') && inputs[module].bytesInOutput > 0,
        );
        return { name, program: join(root, path), modules };
      }),
    );
  } finally {
    await rm(out, { recursive: true });
  }
}

/**
 * Runs a benchmark. Never throws for what a benchmark does.
 * @param {Pick<Compiled, 'program'>} benchmark
 * @param {{ timeoutMs: number, isShort?: boolean, isDescribed?: boolean }} how `isDescribed` only
 * asks for the question and the folders.
 * @returns {Promise<Outcome>}
 */
export async function runBenchmark({ program }, { timeoutMs, isShort, isDescribed }) {
  const scratch = await mkdtemp(join(tmpdir(), 'savepoint-bench-')); // what is ended cannot tidy up
  const args = ['--expose-gc', child, program, ...(isDescribed ? ['--describe'] : [])];
  const running = spawn(process.execPath, args, {
    cwd: root,
    detached: process.platform !== 'win32', // a process group of its own
    serialization: 'advanced', // JSON has no NaN
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, TMPDIR: scratch, ...(isShort && { SAVEPOINT_SHORT: '1' }) },
  });
  let outcome = {};
  running.on('message', (message) => (outcome = { ...outcome, ...message }));
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    endGroup(running);
  }, timeoutMs);
  const [[code, signal]] = await Promise.all([
    new Promise((resolve) => running.once('exit', (...how) => resolve(how))),
    new Promise((resolve) => running.once('disconnect', resolve)), // the last message has arrived
  ]);
  clearTimeout(timer);
  endGroup(running); // programs that it left running
  await rm(scratch, { recursive: true, force: true, maxRetries: 5 });
  if (outcome.problem !== undefined || outcome.notRun !== undefined) return outcome;
  const { figures, ...described } = outcome;
  if (isLate) return { ...described, problem: `did not end within ${timeoutMs / 1000} seconds` };
  const isAnswered = isDescribed ? 'question' in outcome : figures !== undefined;
  const problem = isAnswered ? figuresProblem(figures) : endText(code, signal);
  return problem === undefined ? outcome : { ...described, problem };
}

/** Ends a process and those that it started. */
function endGroup(running) {
  try {
    if (process.platform === 'win32') running.kill('SIGKILL');
    else process.kill(-running.pid, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error; // all have ended
  }
}

function endText(code, signal) {
  if (signal !== null) return `was ended by ${signal} before it answered`;
  if (code === 13) return 'waited for something that cannot happen any more (exit code 13)';
  return `ended with exit code ${code} before it answered`;
}

/** Returns what is wrong with figures. A figure has a number, unless data is missing. */
function figuresProblem(figures) {
  if (figures === undefined) return undefined;
  if (!Array.isArray(figures) || figures.length === 0) return 'answered without figures';
  const empty = figures.find(({ value, isMissing }) => !Number.isFinite(value) && !isMissing);
  return empty && `has no number for "${empty.what}"`;
}

/**
 * Returns the question of each benchmark and the folders that it measures, or what is wrong with
 * it.
 * @param {readonly string[]} names
 * @returns {Promise<(Outcome & { name: string })[]>}
 */
export function describeBenchmarks(names) {
  return withCompiled(names, async (benchmarks) => {
    const described = [];
    const waiting = [...benchmarks.entries()];
    const lane = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const [at, benchmark] = next;
        const how = { isDescribed: true, timeoutMs: DESCRIBING_TIMEOUT_MS };
        described[at] = checked(benchmark, await runBenchmark(benchmark, how));
      }
    };
    await Promise.all(Array.from({ length: availableParallelism() }, lane));
    return described;
  });
}

/**
 * Adds the benchmark's name to an outcome. If it measures other folders than it declares, the
 * outcome has a problem instead of figures.
 * @param {Compiled} benchmark
 * @param {Outcome} outcome
 * @returns {Outcome & { name: string }}
 */
export function checked({ name, modules }, outcome) {
  const { figures, ...described } = outcome;
  const problem = outcome.problem ?? declarationProblem(modules, outcome.measures);
  return problem === undefined ? { name, ...outcome } : { name, ...described, problem };
}

/**
 * Returns what is wrong with the folders that a benchmark declares. `src` stands for all of main.js,
 * which a benchmark runs.
 * @param {readonly string[]} modules Modules of src in its program.
 * @param {readonly string[] | undefined} measures
 */
export function declarationProblem(modules, measures) {
  if (!Array.isArray(measures) || measures.length === 0) return 'exports no folders as `measures`';
  const isIn = (module, measured) => module.startsWith(`${measured}/`);
  const outside = modules.find((module) => !measures.some((each) => isIn(module, each)));
  if (outside !== undefined) return `measures ${outside}, which is in none of its \`measures\``;
  const unused = measures.find(
    (each) => each !== 'src' && !modules.some((module) => isIn(module, each)),
  );
  return unused && `has ${unused} in its \`measures\`, and no module of it`;
}
