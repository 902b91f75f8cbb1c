/**
 * Lists the syntax and the methods in main.js that are newer than the oldest engines that the
 * README supports: Safari 15.6 (iOS) and Chromium 106. Fails if there are any.
 *
 *   node tools/check/floor.mjs [FILE]
 */
import { ESLint } from 'eslint';
import esX from 'eslint-plugin-es-x';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Newer than ES2022, but known to both engines. */
const SUPPORTED = ['es-x/no-array-prototype-findlast-findlastindex', 'es-x/no-hashbang'];

/** Of ES2022 and before, but unknown to Safari 15.6. */
const UNSUPPORTED = ['es-x/no-class-static-block', 'es-x/no-regexp-lookbehind-assertions'];

/** Methods of the web platform, and what is built from text, with the version that brought it. */
const PATTERNS = {
  'AbortSignal.timeout (Safari 16)': /AbortSignal\.timeout\b/g,
  'AbortSignal.any (Safari 17.4)': /AbortSignal\.any\b/g,
  'CompressionStream (Safari 16.4)': /\b(?:Dec|C)ompressionStream\b/g,
  'lookbehind (Safari 16.4)': /\(\?<[=!]/g,
  'OffscreenCanvas (Safari 16.4)': /\bOffscreenCanvas\b/g,
  'ReadableStream.from (Chromium 146)': /ReadableStream\.from\b/g,
  'requestIdleCallback (not in Safari)': /\.requestIdleCallback\b/g,
  'scheduler.postTask (not in Safari)': /scheduler\.(?:postTask|yield)\(/g,
  'URL.canParse (Safari 17)': /URL\.canParse\b/g,
};

/** What main.js may contain all the same, with how often, and why. */
const ALLOWED = [
  { what: 'lookbehind (Safari 16.4)', count: 3, why: 'guarded in esbuild.config.mjs' },
  {
    what: 'URL.canParse (Safari 17)',
    count: 4,
    why: 'zod guards its own; the rest checks servers',
  },
  { what: 'requestIdleCallback (not in Safari)', count: 1, why: 'guarded' },
  { what: 'CompressionStream (Safari 16.4)', count: 5, why: 'only where agents run: with Node' },
  { what: 'es-x/no-float16array', count: 2, why: 'guarded' },
  { what: 'es-x/no-regexp-lookbehind-assertions', count: 2, why: 'guarded in esbuild.config.mjs' },
  { what: 'es-x/no-set-prototype-union', count: 3, why: 'zod.union is not a method of a set' },
  { what: 'es-x/no-set-prototype-intersection', count: 5, why: 'zod.intersection, too' },
  { what: 'es-x/no-string-prototype-iswellformed', count: 2, why: 'guarded' },
  { what: 'es-x/no-string-prototype-towellformed', count: 1, why: 'guarded' },
  { what: 'es-x/no-temporal', count: 13, why: 'smol-toml uses it only where it is' },
  { what: 'es-x/no-uint8array-fromhex', count: 1, why: 'guarded' },
  { what: 'es-x/no-uint8array-prototype-tohex', count: 2, why: 'guarded' },
];

const newer = ['es2023', 'es2024', 'es2025', 'esnext'].flatMap((edition) =>
  Object.keys(esX.configs[`flat/no-new-in-${edition}`].rules),
);
const rules = [...newer, ...UNSUPPORTED].filter(
  // Arrays have most of the methods of iterators too. The types know those of iterators as missing.
  (name) => !SUPPORTED.includes(name) && !name.startsWith('es-x/no-iterator-prototype-'),
);

/**
 * Returns what is above the floor, with the number of each.
 * @param {string} code
 * @returns {Promise<Map<string, number>>}
 */
export async function aboveFloor(code) {
  const eslint = new ESLint({
    overrideConfigFile: true,
    ignore: false,
    allowInlineConfig: false,
    overrideConfig: {
      plugins: { 'es-x': esX },
      // Types are unknown, so a method counts whatever it is called on.
      settings: { 'es-x': { aggressive: true } },
      languageOptions: { ecmaVersion: 'latest', sourceType: 'commonjs' },
      rules: Object.fromEntries(rules.map((name) => [name, 'error'])),
    },
  });
  const [{ messages }] = await eslint.lintText(code);
  const found = new Map();
  const add = (what) => found.set(what, (found.get(what) ?? 0) + 1);
  for (const { ruleId, message } of messages) add(ruleId ?? message);
  for (const [what, pattern] of Object.entries(PATTERNS))
    code.match(pattern)?.forEach(() => add(what));
  return found;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = process.argv[2] ?? fileURLToPath(new URL('../../main.js', import.meta.url));
  const found = await aboveFloor(readFileSync(file, 'utf8'));
  const isAllowed = ([what, count]) =>
    ALLOWED.some((allowed) => allowed.what === what && allowed.count >= count);
  const problems = [...found].filter((entry) => !isAllowed(entry));
  for (const [what, count] of problems)
    process.stdout.write(`${what}: ${count} times. Avoid it, or guard it and allow it here.\n`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
