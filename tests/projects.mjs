/**
 * Decides from the text of each test file in which project of vitest it runs, and in which tier.
 * Nothing is listed by hand, so a file that is renamed or gains an import moves by itself.
 *
 *   browser   reaches playwright-core through its imports
 *   process   reaches node:child_process or esbuild through its imports
 *   isolated  replaces modules, timers or globals, or asks for an environment of its own
 *   unit      every other file
 *
 * The files of a project but isolated share one module graph for each worker.
 *
 * A file with a line `// Tier full: <why>` before its first import is left out of the quick tier.
 */
import { readdirSync, readFileSync, existsSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

export const PROJECTS = ['unit', 'isolated', 'process', 'browser'];
export const TIERS = ['quick', 'full', 'nightly'];

const root = fileURLToPath(new URL('..', import.meta.url));
const TIER_MODULE = 'tests/tier.ts';
/** Hands the modules of Node to the code under test and starts nothing by itself. */
const NODE_MODULES = 'tests/node/folders.ts';
/** Power cuts need root, and real clients are installed from npm. */
const NIGHTLY_ONLY = ['tests/powercut/', 'tests/clients/'];

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s(?!type\b)(?:[^;'"]*?\sfrom\s*)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;
const CHANGES_GLOBALS =
  /\bvi\.(?:mock|doMock|useFakeTimers|setSystemTime|stubGlobal|stubEnv)\b|@vitest-environment\b|\bprocess\.chdir\(|\bObject\.(?:assign|defineProperty)\((?:globalThis|window|process|navigator)\b/;
const FULL_TIER = /^\/\/ Tier full: (.+)$/m;

/**
 * @typedef {object} TestFile
 * @property {string} path from the root of the repository, with `/`
 * @property {string[]} helpers the files of tests/ and scripts/ that it imports, directly or
 * through others
 * @property {'unit' | 'isolated' | 'process' | 'browser'} project
 * @property {string | undefined} whyFull why the quick tier leaves it out
 * @property {boolean} dependsOnTier whether it imports tests/tier.ts, so that its cases or their
 * number differ between tiers
 * @property {boolean} isNightly whether only the nightly tier runs it
 */

/**
 * Returns every test file, sorted by path.
 * @returns {TestFile[]}
 */
export function testFiles() {
  return readdirSync(join(root, 'tests'), { recursive: true, encoding: 'utf8' })
    .map((path) => `tests/${path.split(sep).join('/')}`)
    .filter((path) => path.endsWith('.test.ts'))
    .sort()
    .map((path) => {
      const { files, packages } = closureOf(path);
      return {
        path,
        helpers: [...files].filter((file) => file !== path),
        project: projectOf(textOf(path), packages),
        whyFull: whyFull(textOf(path)),
        dependsOnTier: files.has(TIER_MODULE),
        isNightly: NIGHTLY_ONLY.some((folder) => path.startsWith(folder)),
      };
    });
}

/**
 * Returns the project of a test file.
 * @param {string} text its source
 * @param {ReadonlySet<string>} packages the packages that it or one of its helpers imports
 * @returns {TestFile['project']}
 */
export function projectOf(text, packages) {
  if (packages.has('playwright-core')) return 'browser';
  if (packages.has('node:child_process') || packages.has('esbuild')) return 'process';
  return CHANGES_GLOBALS.test(text) ? 'isolated' : 'unit';
}

/**
 * Returns the reason that a file gives for being in the full tier only.
 * @param {string} text its source
 * @returns {string | undefined}
 */
export function whyFull(text) {
  const [head] = text.split(/^import\b/m, 1);
  return FULL_TIER.exec(head)?.[1];
}

/**
 * Returns the files that a tier runs. `isRest` leaves out those that the quick tier has run in the
 * same way.
 * @param {readonly TestFile[]} files
 * @param {string} tier
 * @param {boolean} isRest
 * @returns {TestFile[]}
 */
export function selectFiles(files, tier, isRest = false) {
  return files.filter(({ whyFull, dependsOnTier, isNightly }) => {
    if (isNightly) return tier === 'nightly';
    if (tier === 'quick') return whyFull === undefined;
    return !isRest || whyFull !== undefined || dependsOnTier;
  });
}

const texts = new Map();

function textOf(path) {
  if (!texts.has(path)) texts.set(path, readFileSync(join(root, path), 'utf8'));
  return texts.get(path);
}

/**
 * What a file imports, directly or through files of tests/ and scripts/. src counts as one package:
 * it starts no process by itself.
 */
function closureOf(path) {
  const files = new Set();
  const packages = new Set();
  const waiting = [path];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (files.has(file)) continue;
    files.add(file);
    for (const [, stated, asked] of textOf(file).matchAll(IMPORT)) {
      const name = stated ?? asked;
      const local = name.startsWith('.') ? resolveLocal(file, name) : undefined;
      if (local !== undefined) waiting.push(local);
      else if (!name.startsWith('.') && file !== NODE_MODULES) packages.add(name);
    }
  }
  return { files, packages };
}

function resolveLocal(from, name) {
  const target = relative(root, resolve(root, dirname(from), name))
    .split(sep)
    .join('/');
  if (!/^(?:tests|scripts)\//.test(target)) return undefined;
  return [
    target,
    target.replace(/\.js$/, '.ts'),
    target.replace(/\.js$/, '.tsx'),
    `${target}.ts`,
    `${target}/index.ts`,
  ].find((file) => /\.(?:ts|tsx|mjs|js)$/.test(file) && existsSync(join(root, file)));
}
