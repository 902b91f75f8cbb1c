/**
 * `npm run bench [-- [--write] NAME...]` answers each question of this folder, as ratios within one
 * run. `--write` stores the results in docs/benchmarks.md, next to those of other questions, and
 * draws the curves.
 */
import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, statfs, writeFile } from 'node:fs/promises';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { drawCurves } from './curves.mjs';
import { isHeld, screenText, withResults } from './results.mjs';

const folder = fileURLToPath(new URL('.', import.meta.url));
const root = fileURLToPath(new URL('..', import.meta.url));
const isKept = process.argv.includes('--write');
const wanted = process.argv.slice(2).filter((argument) => argument !== '--write');
const all = (await readdir(folder)).filter((name) => name.endsWith('.bench.ts')).sort();
const names = all.filter(
  (name) => wanted.length === 0 || wanted.some((part) => name.includes(part)),
);
if (names.length === 0) throw new Error(`No benchmark is named ${wanted.join(' or ')}.`);

/** Linux's ids of file systems. Results depend on the file system. */
const FILE_SYSTEMS = {
  0xef53: 'ext4',
  0x9123683e: 'btrfs',
  0x58465342: 'xfs',
  0x01021994: 'tmpfs',
  0x794c7630: 'overlay',
};

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

const cache = join(root, 'node_modules/.cache/savepoint'); // packages are resolved from here
await mkdir(cache, { recursive: true });
const out = await mkdtemp(join(cache, 'bench-'));
try {
  await build({
    entryPoints: (isKept ? all : names).map((name) => join(folder, name)),
    outdir: out,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    plugins: [ownPlace],
    logLevel: 'warning',
  });
  const load = (name) => import(pathToFileURL(join(out, name.replace(/\.ts$/, '.mjs'))).href);
  const facts = await factsOfTheRun();
  console.log(`${facts}\n`);
  const answered = [];
  for (const name of names) {
    const { question, answer } = await load(name);
    console.log(question);
    const figures = await answer();
    answered.push({ question, figures, facts });
    console.log(screenText(figures));
  }
  if (isKept)
    await keep(answered, await Promise.all(all.map(async (name) => (await load(name)).question)));
  process.exitCode = answered.every(({ figures }) => figures.every(isHeld)) ? 0 : 1;
} finally {
  await rm(out, { recursive: true });
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
  return git('status', '--porcelain', '--', 'src', 'benchmarks', 'package-lock.json') === ''
    ? `commit ${hash}`
    : `commit ${hash} and changes`;
}

async function keep(answered, questions) {
  const results = join(root, 'docs/benchmarks.md');
  const page = withResults(await readFile(results, 'utf8').catch(() => ''), answered, questions);
  await writeFile(
    results,
    await format(page, { ...(await resolveConfig(results)), parser: 'markdown' }),
  );
  for (const { question, figures } of answered) {
    const points = figures.flatMap(({ value, curve }) =>
      curve ? [{ ...curve, cost: value }] : [],
    );
    if (points.length > 0)
      await writeFile(join(root, 'docs/pictures/growth.svg'), drawCurves(points, question));
  }
}
