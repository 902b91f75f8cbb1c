/**
 * The two places in which the build changes the text of packages. tests/scripts/library-patches.test.ts
 * notices a release that they do not fit, and prints what each saves.
 */
import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';

/** Schemas of zod 3 that `rest-api-schema.ts` never creates, and nothing that it creates does. */
const UNUSED_ZOD_3 =
  'Zod(?:Any|BigInt|Date|DiscriminatedUnion|Function|Lazy|Literal|Map|NaN|NativeEnum|Null|Record|Set|Symbol|Undefined|Void)';

/** Which files of which packages are changed, and what is replaced in them. */
export const SCHEMA_PATCHES = [
  {
    packages: {
      '@ai-sdk/anthropic': '4.0.105',
      '@ai-sdk/google': '4.0.121',
      '@ai-sdk/openai': '4.0.118',
      '@ai-sdk/openai-compatible': '3.0.92',
      '@ai-sdk/provider-utils': '5.0.81',
    },
    files: /@ai-sdk[\\/][\w-]+[\\/]dist[\\/].*index\.js$/,
    replacements: [
      // zod as a namespace, of which esbuild keeps what is used
      ['import { z } from "zod/v4"', 'import * as z from "zod/v4"'],
      // no methods with computed names, which nothing here calls
      [/(?<=^\tstatic )\[(WORKFLOW_\w+)\]/gm, '$1'],
      // these only create schemas and tools
      [
        /(?<=^(?:const|let|var) \w+ = )(?=(?:lazySchema|create\w+|z\.object)\()/gm,
        '/* @__PURE__ */ ',
      ],
    ],
  },
  {
    packages: { zod: '4.6.7' },
    files: /[\\/]zod[\\/]v3[\\/]types\.js$/,
    replacements: [
      [new RegExp(`^${UNUSED_ZOD_3}\\.create = [^]*?^};$`, 'gm'), ''],
      [new RegExp(`^(const \\w+Type = )${UNUSED_ZOD_3}\\.create;$`, 'gm'), '$1undefined;'],
    ],
  },
];

/** Lets esbuild leave out what is not used of the AI SDK and of zod. */
export const unusedSchemas = {
  name: 'unused-schemas',
  setup({ onLoad }) {
    for (const { files, replacements } of SCHEMA_PATCHES)
      onLoad({ filter: files }, ({ path }) => ({
        contents: replacements.reduce(
          (text, [pattern, replacement]) => text.replace(pattern, replacement),
          readFileSync(path, 'utf8'),
        ),
        resolveDir: dirname(path),
      }));
  },
};

export const STEMMERS = { name: '@orama/stemmers', version: '3.1.18' };

/**
 * Evaluates the stemmer of a language when its first word is stemmed. Words stay unstemmed where its
 * expressions are a syntax error: the Ukrainian one uses lookbehind, which iOS supports since 16.4.
 */
export const lazyStemmers = {
  name: 'lazy-stemmers',
  setup({ onLoad }) {
    onLoad({ filter: /@orama[\\/]stemmers[\\/]dist[\\/]\w+\.js$/ }, ({ path }) => ({
      contents: `let loaded;
        function load() {
          try { return require(${JSON.stringify(`./${basename(path).replace(/js$/, 'cjs')}`)}).stemmer; } catch (error) {
            if (!(error instanceof SyntaxError)) throw error;
            return (word) => word;
          }
        }
        export const stemmer = (word) => (loaded ??= load())(word);`,
      resolveDir: dirname(path),
    }));
  },
};
