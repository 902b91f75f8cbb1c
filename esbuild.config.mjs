/**
 * Builds `main.js`, the one file that is both the plugin and the Node program, and writes what is in
 * it to `metafile.json` in the cache. `--metafile` prints that too.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { analyzeMetafile, build } from 'esbuild';
import { folders } from './scripts/architecture.mjs';
import { directImports } from './scripts/direct-imports.mjs';
import { functionWrappers } from './scripts/function-wrappers.mjs';
import { lazyModules } from './scripts/lazy-modules.mjs';
import { lazyStemmers, unusedSchemas } from './scripts/library-patches.mjs';
import { modulesOfNode } from './scripts/modules-of-node.mjs';
import { noticesOf } from './scripts/notices.mjs';

const root = fileURLToPath(new URL('.', import.meta.url));
const { name, version, license } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'));

/**
 * Only the part that is asked for is evaluated: Node never asks for the module `obsidian`, Obsidian
 * never runs the program, and a hook loads nothing else. The modules of hooks come first in main.js
 * and those of the other commands follow, each up to a mark, so that `connect` can install them as
 * smaller files.
 */
const PARTS = { hook: './src/program/hook-program.ts', command: './src/headless.ts' };
const parts = `
const isNode = typeof window === 'undefined';
const hook = () => require('part:hook').hookPart();
const command = () => require('part:command').commandPart();
const plugin = () => require('./src/main.ts');
module.exports = !isNode ? plugin() : process.argv[2] === 'hook' ? hook() : command();`;

/** Adds the last module of each part. */
const partModules = {
  name: 'parts',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^part:/ }, ({ path }) => ({ path: path.slice(5), namespace: 'parts' }));
    onLoad({ filter: /.*/, namespace: 'parts' }, ({ path }) => ({
      contents: `exports.${path}Part = () => require('${PARTS[path]}');`,
      resolveDir: root,
    }));
  },
};

/**
 * Escapes what esbuild leaves in regular expressions. One character beyond Latin-1 doubles the
 * memory of the whole file, and the time that a start takes to read it.
 */
function toAscii(code) {
  return code.replace(
    /[\u0080-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/**
 * Adds a comment after the modules of each part. It names the part and the function that returns
 * the last of them.
 */
function markParts(code) {
  return Object.keys(PARTS).reduce((marked, name) => {
    const last = new RegExp(
      `var ([\\w$]+)=[\\w$]+\\([\\w$]+=>\\{[\\w$]+\\.${name}Part=[^{}]*\\}\\);`,
    ).exec(marked);
    if (!last) throw new Error(`The modules of the part "${name}" cannot be found in main.js.`);
    const end = last.index + last[0].length;
    return `${marked.slice(0, end)}/*${name}:${last[1]}*/${marked.slice(end)}`;
  }, code);
}

/**
 * Resolves zod's register of 50 languages (0.26 MB) to the English one, which zod uses unless told
 * otherwise: our own messages replace zod's wherever people or models read them. `z.locales` is
 * therefore not available in main.js.
 */
const zodInEnglish = {
  name: 'zod-in-english',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^\.\.?\/locales\/index\.js$/ }, ({ importer, kind }) =>
      /[\\/]node_modules[\\/]zod[\\/]v4[\\/]/.test(importer)
        ? resolve('zod/v4/locales/en.js', { importer, kind, resolveDir: dirname(importer) })
        : undefined,
    );
  },
};

/**
 * Adds a comment before the embedding table, a third of main.js, so that `connect` can install the
 * program without it: a program that is loaded often need not read it each time.
 */
function markTable(code) {
  const table = JSON.stringify(readFileSync(`${root}/assets/meaning.txt`, 'utf8'));
  const at = code.indexOf(table);
  if (at < 0) throw new Error('The embedding table cannot be found in main.js.');
  return `${code.slice(0, at)}/*table*/${code.slice(at)}`;
}

const result = await build({
  absWorkingDir: root, // with it the output is the same wherever the folder lies
  stdin: { contents: parts, resolveDir: root, sourcefile: 'parts.js' },
  outfile: 'main.js',
  bundle: true,
  format: 'cjs',
  target: ['es2022', 'safari15.6'],
  // the `node` condition of the MCP SDK would bring a schema compiler that needs `new Function`
  platform: 'browser',
  external: ['node:*', 'obsidian'],
  loader: { '.txt': 'text' },
  // in Electron a real one is a request for a URL; as `require` it finds the module
  supported: { 'dynamic-import': false },
  minify: true,
  plugins: [
    directImports(
      root,
      folders.filter(({ hasIndex }) => hasIndex).map(({ name }) => name),
    ),
    lazyModules(root),
    zodInEnglish,
    modulesOfNode,
    lazyStemmers,
    unusedSchemas,
    partModules,
  ],
  legalComments: 'none',
  banner: {
    js: `/* ${name} ${version}, ${license} licence. Built from src/ by esbuild.config.mjs.\n   Embedding table: from all-MiniLM-L6-v2 (Apache-2.0) and WordNet 3.1 (Princeton University). */`,
  },
  logLevel: 'warning',
  metafile: true,
  write: false,
}).catch(() => process.exit(1)); // esbuild has said why

const bundled = Object.entries(result.metafile.outputs['main.js'].inputs).filter(
  ([, { bytesInOutput }]) => bytesInOutput > 0,
);
const code =
  markTable(functionWrappers(markParts(toAscii(result.outputFiles[0].text)))) +
  noticesOf(
    root,
    bundled.map(([path]) => path),
  );
writeFileSync(`${root}/main.js.new`, code);
// whoever reads it meanwhile reads a whole one
renameSync(`${root}/main.js.new`, `${root}/main.js`);

const folder = `${root}/node_modules/.cache/savepoint`;
mkdirSync(folder, { recursive: true });
writeFileSync(`${folder}/metafile.json`, JSON.stringify(result.metafile));
if (process.argv.includes('--metafile'))
  process.stdout.write(`${await analyzeMetafile(result.metafile)}\n`);
