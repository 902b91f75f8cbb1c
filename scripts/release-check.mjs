/**
 * `npm run release-check` checks what a release needs: versions, files, the store's rules for the
 * manifest, links, the packages, the site, the commands in the pages, the store's pictures, that no
 * benchmark is out of date, and that the build gives the same bytes twice. Prints one sentence per
 * problem, then what only a person can do. Exit code: 0 without problems, else 1. `--fast` builds
 * nothing of these.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { outdatedRows } from '../tests/benchmarks/rows.mjs';
import { benchmarkNames, describeBenchmarks } from '../tests/benchmarks/suite.mjs';
import { deadLinks } from './links.mjs';
import { fileProblems, missingAddresses, readFiles } from './manifest.mjs';
import { sizeOf } from './png.mjs';

/** Sizes in pixels of the pictures that the store asks for: of a desktop and of a phone. */
const PICTURE_SIZES = ['1200x800', '900x1600'];

/**
 * Returns what only a person can do to publish, in order: what and with which command. What is in
 * capitals has to be filled in.
 * @param {Readonly<Record<string, string>>} files Texts by name.
 * @returns {{ what: string, command: string }[]}
 */
export function publishingSteps(files) {
  const manifest = JSON.parse(files['manifest.json'] ?? '{}');
  const { id, name, version, author, description } = manifest;
  const entry = JSON.stringify({ id, name, author, description, repo: `OWNER/${id}` });
  return [
    {
      what: 'Create the public repository, and push to it',
      command: `gh repo create OWNER/${id} --public --source . --push`,
    },
    ...missingAddresses(files).map((what) => ({
      what: what.replace(/\.$/, ''),
      command: what.includes('manifest.json')
        ? `node -e "const m = require('./manifest.json'); m.authorUrl = 'https://github.com/OWNER'; fs.writeFileSync('manifest.json', JSON.stringify(m, null, 2) + '\\n')"`
        : `npm pkg set repository=https://github.com/OWNER/${id} homepage=https://github.com/OWNER/${id} bugs=https://github.com/OWNER/${id}/issues`,
    })),
    {
      what: 'Try the plugin in Obsidian itself, on a computer and on a phone',
      command: 'npm run build && node main.js install --vault /path/to/vault',
    },
    {
      what: 'Set the version and the day in the changelog',
      command: `npm run version-bump -- ${version}`,
    },
    {
      what: 'Push the tag, from which the release workflow builds and attests a draft',
      command: `git commit --all --message "release: ${version}" && git tag ${version} && git push origin HEAD ${version}`,
    },
    {
      what: 'Check that the draft is what this source builds',
      command: `gh release download ${version} --dir draft && (cd draft && sha256sum --check SHA256SUMS && gh attestation verify main.js --repo OWNER/${id})`,
    },
    { what: 'Publish the draft', command: `gh release edit ${version} --draft=false` },
    { what: 'Make the pictures for the store', command: 'npm run screenshots -- --store pictures' },
    {
      what: `Submit the plugin to the store, with those pictures and the entry ${entry}`,
      command: 'gh repo fork obsidianmd/obsidian-releases --clone && gh pr create --web',
    },
    {
      what: 'Publish the entry of the MCP registry, which the release contains',
      command: 'mcp-publisher login github && (cd draft && mcp-publisher publish)',
    },
  ];
}

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
      ...outputOf('scripts/walk-pages.mjs'),
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

function stepsText(steps) {
  const texts = steps.map(({ what, command }, at) => `${at + 1}. ${what}:\n   ${command}\n`);
  return texts.join('');
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
      ? `release-check passed\n\nOnly a person can do the rest, in this order:\n${stepsText(publishingSteps(files))}`
      : `release-check FAILED: ${problems.length} to fix\n`,
  );
  process.exitCode = problems.length === 0 ? 0 : 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  await main(process.argv.slice(2));
