/** Builds `main.js`, the one file that is both the plugin and the Node program. `--metafile` also tells what is in it. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { analyzeMetafile, build } from 'esbuild';
import { noticesOf } from './scripts/notices.mjs';

const root = fileURLToPath(new URL('.', import.meta.url));
const { name, version, license } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'));

/**
 * Only the part that is asked for is evaluated: Node never asks for the module `obsidian`, Obsidian never runs the program, and a hook
 * loads nothing else. The modules of hooks come first in main.js, up to a mark, so that `connect` can install them as a smaller file.
 */
const parts = `
const isNode = typeof window === 'undefined';
const hooks = () => require('hooks').hookProgram();
const others = () => (isNode ? require('./src/headless.ts') : require('./src/main.ts'));
module.exports = isNode && process.argv[2] === 'hook' ? hooks() : others();`;

/** The last module of those that hooks need. */
const hooksModule = {
  name: 'hooks',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^hooks$/ }, () => ({ path: 'hooks', namespace: 'hooks' }));
    onLoad({ filter: /.*/, namespace: 'hooks' }, () => ({
      contents: "exports.hookProgram = () => require('./src/program/hook-program.ts');",
      resolveDir: root,
    }));
  },
};

/**
 * Escapes what esbuild leaves in regular expressions. One character beyond Latin-1 doubles the memory of the whole file, and the time
 * that a start takes to read it.
 */
function toAscii(code) {
  return code.replace(
    /[\u0080-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Adds a comment after the modules that hooks need. It names the function that returns the last of them. */
function markHooks(code) {
  const last = /var ([\w$]+)=[\w$]+\([\w$]+=>\{[\w$]+\.hookProgram=[^{}]*\}\);/.exec(code);
  if (!last) throw new Error('The modules of hooks cannot be found in main.js.');
  const end = last.index + last[0].length;
  return `${code.slice(0, end)}/*hooks:${last[1]}*/${code.slice(end)}`;
}

/**
 * Resolves zod's register of 50 languages (0.26 MB) to the English one, which zod uses unless told otherwise: our own messages
 * replace zod's wherever people or models read them. `z.locales` is therefore not available in main.js.
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

/** Resolves the module `buffer`, which a dependency of isomorphic-git requires, to Node's own. Only programs with Node load it. */
const bufferOfNode = {
  name: 'buffer-of-node',
  setup({ onResolve }) {
    onResolve({ filter: /^buffer$/ }, () => ({ path: 'node:buffer', external: true }));
  },
};

const result = await build({
  absWorkingDir: root, // with it the output is the same wherever the folder lies
  stdin: { contents: parts, resolveDir: root, sourcefile: 'parts.js' },
  outfile: 'main.js',
  bundle: true,
  format: 'cjs',
  target: 'es2022',
  platform: 'browser', // the `node` condition of the MCP SDK would bring a schema compiler that needs `new Function`
  external: ['node:*', 'obsidian'],
  loader: { '.txt': 'text' },
  supported: { 'dynamic-import': false }, // in Electron a real one is a request for a URL; as `require` it finds the module
  minify: true,
  plugins: [zodInEnglish, bufferOfNode, hooksModule],
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
  markHooks(toAscii(result.outputFiles[0].text)) +
  noticesOf(
    root,
    bundled.map(([path]) => path),
  );
writeFileSync(`${root}/main.js.new`, code);
renameSync(`${root}/main.js.new`, `${root}/main.js`); // whoever reads it meanwhile reads a whole one

if (process.argv.includes('--metafile')) {
  const folder = `${root}/node_modules/.cache/savepoint`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/metafile.json`, JSON.stringify(result.metafile));
  process.stdout.write(`${await analyzeMetafile(result.metafile)}\n`);
}
