import { build } from 'esbuild';
import { Script } from 'node:vm';
import { expect, it } from 'vitest';
import { functionWrappers } from '../../scripts/function-wrappers.mjs';

const LONG = `[${'"text",'.repeat(60)}].length`;
const MODULES: Readonly<Record<string, string>> = {
  'long.js': `export const long = ${LONG};`,
  'short.js': 'export const short = Math.sign(3);',
  'common.cjs': `module.exports = { common: ${LONG}, arity: (a, b) => a + b };`,
};

async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents:
        'const { long } = require("long.js"), { short } = require("short.js"); module.exports = { long, short, ...require("common.cjs") };',
    },
    bundle: true,
    write: false,
    format: 'cjs',
    minify: true,
    plugins: [
      {
        name: 'modules',
        setup(of) {
          of.onResolve({ filter: /js$/ }, ({ path }) => ({ path, namespace: 'modules' }));
          of.onLoad({ filter: /.*/, namespace: 'modules' }, ({ path }) => ({
            contents: MODULES[path] ?? '',
          }));
        },
      },
    ],
  });
  return outputFiles[0]?.text ?? '';
}

function valuesOf(code: string): unknown {
  const module = { exports: {} as Record<string, unknown> };
  const script = new Script(`(function (module) {${code}\n})`);
  (script.runInThisContext() as (given: typeof module) => void)(module);
  const { long, short, common } = module.exports;
  return { long, short, common };
}

it('long modules are wrapped in functions, short ones in arrow functions', async () => {
  const code = functionWrappers(await bundle());
  expect(code).toMatch(/=\w+\(function\(\)\{[^}]*"text"/);
  expect(code).toMatch(/=\w+\(function\(\w+,\w+\)\{[^}]*"text"/);
  expect(code).toMatch(/=\w+\(\(\)=>\{[^}]*Math\.sign/);
});

it('the modules export the same', async () => {
  const code = await bundle();
  expect(valuesOf(functionWrappers(code))).toEqual(valuesOf(code));
  expect(valuesOf(code)).toEqual({ long: 60, short: 1, common: 60 });
});

it('code without wrappers of the known form is an error', () => {
  expect(() => functionWrappers('var a=1;')).toThrow('cannot be found');
});
