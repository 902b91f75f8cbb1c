/**
 * `npm run bench [-- [--short | --write] NAME...]` answers each question of this folder, as ratios
 * within one run, and each in a process of its own. `--short` takes little of everything and only
 * shows that each ends with figures. `--write` stores the results in docs/benchmarks.md and draws
 * the curves; without names it replaces the whole page, with names the results of others stay.
 */
import { spawnSync } from 'node:child_process';
import { readFile, statfs, writeFile } from 'node:fs/promises';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { drawCurves } from './curves.mjs';
import { isHeld, screenText, withResults } from './results.mjs';
import { outdatedRows } from './rows.mjs';
import {
  benchmarkNames,
  checked,
  describeBenchmarks,
  runBenchmark,
  withCompiled,
} from './suite.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const isOption = (argument) => argument.startsWith('--');
const options = process.argv.slice(2).filter(isOption);
const wanted = process.argv.slice(2).filter((argument) => !isOption(argument));
const [isShort, isKept] = ['--short', '--write'].map((option) => options.includes(option));
if (options.length > 1 || (options.length === 1 && !isShort && !isKept))
  throw new Error(`Unknown options ${options.join(' ')}: use --short, or --write, or neither.`);
const all = await benchmarkNames();
const names = all.filter(
  (name) => wanted.length === 0 || wanted.some((part) => name.includes(part)),
);
if (names.length === 0) throw new Error(`No benchmark is named ${wanted.join(' or ')}.`);

/** These limits only end what hangs. */
const TIMEOUT_MS = (isShort ? 4 : 120) * 60_000;

/** Linux's ids of file systems. Results depend on the file system. */
const FILE_SYSTEMS = {
  0xef53: 'ext4',
  0x9123683e: 'btrfs',
  0x58465342: 'xfs',
  0x01021994: 'tmpfs',
  0x794c7630: 'overlay',
};

buildProgram();
const facts = await factsOfTheRun();
console.log(`${facts}\n`);
const outcomes = await withCompiled(names, async (benchmarks) => {
  const outcomes = [];
  for (const benchmark of benchmarks) outcomes.push(await runAndShow(benchmark));
  return outcomes;
});
if (isKept) await keep(outcomes.filter(({ figures }) => figures));
const failed = outcomes.filter(({ problem }) => problem !== undefined);
const missed = outcomes.filter(({ figures = [] }) => !isShort && !figures.every(isHeld));
console.log(summary());
process.exitCode = failed.length === 0 && missed.length === 0 ? 0 : 1;

function buildProgram() {
  const { status } = spawnSync(process.execPath, ['esbuild.config.mjs'], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('main.js cannot be built.');
}

async function runAndShow(benchmark) {
  const started = performance.now();
  const outcome = checked(
    benchmark,
    await runBenchmark(benchmark, { isShort, timeoutMs: TIMEOUT_MS }),
  );
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const { name, question, figures = [], notRun, problem } = outcome;
  console.log(`${name}: ${question ?? '?'} (${seconds} s)`);
  if (problem !== undefined) console.log(`  FAILED: it ${problem}\n`);
  else if (notRun !== undefined) console.log(`  not run: ${notRun}\n`);
  else console.log(screenText(isShort ? figures.map(withoutBound) : figures));
  return outcome;
}

/** The bounds are for the full form. */
function withoutBound({ what, value, unit }) {
  return { what, value, unit };
}

function summary() {
  const notRun = outcomes.filter((outcome) => outcome.notRun !== undefined);
  const answered = outcomes.length - failed.length - notRun.length;
  return [
    `${answered} of ${outcomes.length} benchmarks ended with figures.`,
    ...notRun.map((outcome) => `${outcome.name} was not run: ${outcome.notRun}`),
    ...missed.map(({ name }) => `${name} misses a bound.`),
    ...failed.map(({ name, problem }) => `${name} FAILED: it ${problem}`),
  ].join('\n');
}

/** Describes the machine, without its name, and the version of the code. */
async function factsOfTheRun() {
  const { type } = await statfs(tmpdir());
  const processor = `${cpus().length} x ${cpus()[0]?.model.trim() ?? 'unknown'}`;
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`;
  const disk = FILE_SYSTEMS[type] ?? 'another file system';
  return `Node ${process.version}, ${process.platform} ${process.arch}, ${processor}, ${memory}, ${disk}; ${commit()}, ${new Date().toISOString().slice(0, 10)}`;
}

function commit() {
  const git = (...args) =>
    spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout?.trim() ?? '';
  const hash = git('rev-parse', '--short=10', 'HEAD');
  if (hash === '') return 'no commit';
  return git('status', '--porcelain', '--', 'src', 'tests/benchmarks', 'package-lock.json') === ''
    ? `commit ${hash}`
    : `commit ${hash} and changes`;
}

async function keep(answered) {
  const file = join(root, 'docs/benchmarks.md');
  const page = wanted.length === 0 ? '' : await readFile(file, 'utf8').catch(() => '');
  const benchmarks = await describeBenchmarks(all);
  const questions = benchmarks.flatMap(({ question }) => question ?? []);
  const measured = withResults(
    page,
    answered.map((each) => ({ ...each, facts })),
    questions,
  );
  const outdated = outdatedRows(
    root,
    measured,
    benchmarks.filter(({ problem }) => !problem),
  );
  const text = withResults(
    measured,
    [],
    questions,
    new Map(outdated.map(({ name, question }) => [question, name])),
  );
  await writeFile(file, await format(text, { ...(await resolveConfig(file)), parser: 'markdown' }));
  for (const { question, figures } of answered) {
    const points = figures.flatMap(({ value, curve }) =>
      curve ? [{ ...curve, cost: value }] : [],
    );
    if (points.length > 0)
      await writeFile(join(root, 'docs/pictures/growth.svg'), drawCurves(points, question));
  }
}
