/**
 * Leaves out of the bundle what packages bring and nothing here uses. esbuild drops what is not used once it knows that making it has
 * no effect; where a package does not say so, it is said here. A change is made where its text is found, and the build fails where a
 * newer version of the package no longer has it.
 */
import { readFileSync } from 'node:fs';

/** A constant that is made by a call, an object or a list, at the outermost level of a module as bundlers print it. */
const CONSTANT =
  /^((?:const|let|var) [\w$]+ = )((?![\w$.]*Symbol)(?:[a-zA-Z_$][\w$.]*\(|[[{])[^]*?);$(?=\n[^\t)}\]])/gm;
const PURE = [CONSTANT, '$1/* @__PURE__ */ (() => ($2))();'];

/** As a namespace, only those parts of zod stay that are used. */
const ZOD_BY_PARTS = ['import { z } from "zod/v4";', 'import * as z from "zod/v4";'];
/** A class with a computed name in it is always kept: here for a workflow engine, which writes models down and reads them again. */
const NO_WORKFLOWS = [/\n\tstatic \[WORKFLOW_(?:DE)?SERIALIZE\]\([^]*?\n\t\}(?=\n)/g, ''];
/** Every answer of a model is streamed. */
const ONLY_STREAMS = [/\n\tasync doGenerate\([^]*?\n\t\}(?=\n)/g, ''];
/** Of tools only those are sent that are functions: what a provider brings itself is not asked for. */
const ONLY_FUNCTIONS = [
  /^\t\tcase "provider":(?: \{)?\n(?:\t\t\t(?!switch).*\n)?\t\t\tswitch \(tool\.id\) \{[^]*?(?=^\t\tdefault:)/m,
  '',
];
const MODELS = [PURE, ZOD_BY_PARTS, NO_WORKFLOWS, ONLY_STREAMS];

/** By the file: what is replaced in it. */
const CHANGES = [
  [
    '@ai-sdk/openai/dist/internal/index.js',
    ...MODELS,
    ONLY_FUNCTIONS,
    [/^(?=create\w+Factory\w*\()/gm, '/* @__PURE__ */ '],
    // Models that draw or speak are not asked.
    [/(?<=combineModelEntries\(\[\n\topenaiLanguageModelEntries),[^\]]*(?=\n\]\))/, ''],
  ],
  ['@ai-sdk/anthropic/dist/internal/index.js', ...MODELS, ONLY_FUNCTIONS],
  ['@ai-sdk/google/dist/internal/index.js', ...MODELS],
  [
    '@ai-sdk/openai-compatible/dist/index.js',
    ...MODELS,
    [/^(?=getOpenAICompatibleModelEntry\("\*"\);$)/m, '/* @__PURE__ */ '],
  ],
  // Its schemas are all of zod 4.
  [
    '@ai-sdk/provider-utils/dist/index.js',
    PURE,
    ['else return zod3Schema(zodSchema, options);', ''],
  ],
  ['@modelcontextprotocol/core/dist/schemas-', PURE],
  ['@modelcontextprotocol/core/dist/auth-', PURE],
  // A register of every schema by its name, those of OAuth too.
  [
    '@modelcontextprotocol/server/dist/src-',
    PURE,
    [/^for \(const .*\) register\(key, .*\);\n/gm, ''],
  ],
  // Of its register of tools only the server is taken: requests are answered below it.
  [
    '@modelcontextprotocol/server/dist/mcp-',
    PURE,
    [
      /(?<=^var McpServer = class \{)[^]*?\n(\tconstructor\(serverInfo, options\) \{\n\t\tthis\.server = new Server\(serverInfo, options\);)[^]*?(?=^\};)/m,
      '\n$1\n\t}\n',
    ],
  ],
  // What is asked of clients is not validated here, for nothing is.
  [
    '@modelcontextprotocol/server/dist/shimsBrowser.mjs',
    [/^import \{ t as (\w+) \} from "\.\/cfWorkerProvider-.*$/m, 'class $1 {}'],
  ],
  // Each class is followed by what makes one of it.
  [
    'zod/v3/types.js',
    [
      /^export class (Zod\w+)( [^]*?^\})\n(\1\.create = [^]*?;)$(?=\n[^ })])/gm,
      'export const $1 = /* @__PURE__ */ (() => { class $1$2\n$3\nreturn $1; })();',
    ],
    [/^const (\w+) = (Zod\w+\.\w+);$/gm, 'const $1 = /* @__PURE__ */ (() => $2)();'],
  ],
  // zod tells in fifty languages what is wrong with a value; what is shown here are words of our own.
  ['zod/v4/locales/index.js', [/^[^]*$/, "export { default as en } from './en.js';"]],
];

function change(path, met) {
  const place = path.replaceAll('\\', '/');
  const entry = CHANGES.find(([file]) => place.includes(`/node_modules/${file}`));
  met.add(entry);
  const [, ...changes] = entry;
  let contents = readFileSync(path, 'utf8');
  for (const [from, to] of changes) {
    const changed = contents.replace(from, to);
    if (changed === contents)
      throw new Error(`scripts/lean.mjs no longer finds ${from} in ${place}.`);
    contents = changed;
  }
  return { contents };
}

const STEMMER = /[\\/]@orama[\\/]stemmers[\\/]dist[\\/]\w\w\.js$/;
const MACHINE = /^function (\w)\(\)\{(this\.p=[^]*?)\}(?=let \w=new function\(\))/;

/** The same functions have the same shape, whatever their own variables are called. */
function shapeOf(functions) {
  return functions
    .split('function(')
    .map((one) => {
      const names = [];
      return one.replace(
        /(?<![\w$.])[a-z](?!\w)/g,
        (name) => `$${names.includes(name) ? names.indexOf(name) : names.push(name) - 1}`,
      );
    })
    .join();
}

/** Every stemmer brings the machine that runs it along; all take that of one. */
function withSharedMachine(path) {
  const text = readFileSync(path, 'utf8');
  if (path.endsWith('uk.js')) return { contents: text }; // it has none
  const [all, name, machine] = MACHINE.exec(text) ?? [];
  const shared = path.replace(/\w\w\.js$/, 'de.js');
  if (path === shared) return { contents: `${text};export{${name} as Machine}` };
  if (
    !machine ||
    shapeOf(machine) !== shapeOf(MACHINE.exec(readFileSync(shared, 'utf8'))?.[2] ?? '')
  )
    throw new Error(`scripts/lean.mjs finds another machine in ${path} than in ${shared}.`);
  return { contents: text.replace(all, `import{Machine as ${name}}from"./de.js";`) };
}

export const lean = {
  name: 'lean',
  setup({ onLoad, onEnd }) {
    const met = new Set();
    const files = CHANGES.map(([file]) =>
      file.replaceAll('.', '\\.').replaceAll('/', '[\\\\/]'),
    ).join('|');
    onLoad({ filter: new RegExp(`[\\\\/]node_modules[\\\\/](?:${files})`) }, ({ path }) =>
      change(path, met),
    );
    onLoad({ filter: STEMMER }, ({ path }) => withSharedMachine(path));
    onEnd(() => ({
      errors: CHANGES.filter((entry) => !met.has(entry)).map(([file]) => ({
        text: `scripts/lean.mjs no longer finds ${file} in the bundle.`,
      })),
    }));
  },
};
