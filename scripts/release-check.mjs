/**
 * `npm run release-check` checks what a release needs: versions, files, the store's rules for the
 * manifest, links, the packages, the site, the store's pictures, that no benchmark is out of date,
 * and that the build gives the same bytes twice. Prints one sentence per problem, then what only a
 * person can do. Exit code: 0 without problems, else 1. `--fast` builds nothing of these.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { outdatedRows } from '../benchmarks/rows.mjs';
import { benchmarkNames, describeBenchmarks } from '../benchmarks/suite.mjs';
import { deadLinks } from './links.mjs';
import { fileProblems, missingAddresses, readFiles } from './manifest.mjs';
import { sizeOf } from './png.mjs';

/** Sizes in pixels of the pictures that the store asks for: of a desktop and of a phone. */
const PICTURE_SIZES = ['1200x800', '900x1600'];

const BY_HAND = [
  'Try the plugin in Obsidian itself, on a computer and on a phone.',
  'Set the day in CHANGELOG.md with npm run version-bump, then push the tag.',
  'Review the draft that the release workflow creates, and publish it.',
  'Submit the plugin to the store, with the pictures that npm run screenshots -- --store DIR makes.',
];

/**
 * Returns one sentence per picture that has not the size in its name, and per size of the store
 * without a picture.
 * @param {Readonly<Record<string, Buffer>>} pictures PNG files by name.
 * @returns {string[]}
 */
export function pictureProblems(pictures) {
  const sizes = Object.entries(pictures).map(([name, png]) => {
    const { width, height } = sizeOf(png);
    return { name, size: `${width}x${height}` };
  });
  const wrong = sizes.filter(({ name, size }) => !name.endsWith(`-${size}.png`));
  const missing = PICTURE_SIZES.filter((wanted) => !sizes.some(({ size }) => size === wanted));
  return [
    ...wrong.map(({ name, size }) => `The store's picture ${name} has ${size} pixels.`),
    ...missing.map((size) => `The store's pictures have none of ${size}.`),
  ];
}

/** Returns the pictures in a folder by name. */
function readPictures(folder) {
  const names = existsSync(folder) ? readdirSync(folder).sort() : [];
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name))]));
}

/**
 * Returns one sentence per benchmark whose row in docs/benchmarks.md is out of date, or that cannot
 * say what it measures.
 * @param {string} root The repository.
 * @param {string} page
 * @param {Awaited<ReturnType<typeof describeBenchmarks>>} benchmarks
 * @returns {string[]}
 */
export function rowProblems(root, page, benchmarks) {
  const broken = benchmarks.filter(({ problem }) => problem !== undefined);
  const outdated = outdatedRows(
    root,
    page,
    benchmarks.filter((benchmark) => !broken.includes(benchmark)),
  );
  return [
    ...broken.map(({ name, problem }) => `The benchmark ${name} ${problem}.`),
    ...outdated.map(
      ({ name, reason }) =>
        `docs/benchmarks.md: the row of ${name} is out of date: ${reason}. Run npm run bench -- --write ${name}.`,
    ),
  ];
}

/** Returns one sentence per failed build, and per dead link of the site. */
function buildProblems(root) {
  const folder = mkdtempSync(join(tmpdir(), 'savepoint-release-'));
  const outputOf = (...args) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: root,
      encoding: 'utf8',
    });
    return status === 0 ? [] : (stderr || stdout).trim().split('\n');
  };
  const run = (problem, ...args) =>
    outputOf(...args)
      .slice(-1)
      .map((line) => `${problem}: ${line}`);
  try {
    return [
      ...run('The build does not give the same bytes twice', 'scripts/reproduce.mjs'),
      ...run(
        'The packages cannot be built',
        'scripts/make-packages.mjs',
        '--out',
        join(folder, 'packages'),
      ),
      ...outputOf('scripts/site.mjs', '--to', join(folder, 'site')).map(
        (line) => `The site: ${line}`,
      ),
      ...run(
        "The store's pictures cannot be made",
        'scripts/screenshots.mjs',
        '--store',
        join(folder, 'pictures'),
      ),
      ...pictureProblems(readPictures(join(folder, 'pictures'))),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function main(args) {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const built = args.includes('--fast') ? [] : buildProblems(root); // also builds main.js
  const files = readFiles(root);
  const results = readFileSync(join(root, 'docs/benchmarks.md'), 'utf8');
  const rows = rowProblems(root, results, await describeBenchmarks(await benchmarkNames()));
  const problems = [...built, ...fileProblems(files), ...deadLinks(root), ...rows];
  for (const problem of problems) process.stdout.write(`${problem}\n`);
  process.stdout.write(
    problems.length === 0
      ? `release-check passed\n\nOnly a person can do the rest:\n${[...missingAddresses(files), ...BY_HAND].map((step) => `- ${step}\n`).join('')}`
      : `release-check FAILED: ${problems.length} to fix\n`,
  );
  process.exitCode = problems.length === 0 ? 0 : 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  await main(process.argv.slice(2));
