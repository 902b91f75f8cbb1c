import { build, type Plugin } from 'esbuild';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import {
  lazyStemmers,
  SCHEMA_PATCHES,
  STEMMERS,
  unusedSchemas,
} from '../../scripts/library-patches.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folderOf = (name: string) => join(root, 'node_modules', name);

function versionOf(name: string): string {
  const text = readFileSync(join(folderOf(name), 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/** Returns the minified code of a file of src, bundled with some plugins. */
async function bundle(path: string, plugins: Plugin[]): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [path],
    bundle: true,
    write: false,
    minify: true,
    format: 'cjs',
    platform: 'browser',
    external: ['node:*', 'obsidian'],
    loader: { '.txt': 'text' },
    supported: { 'dynamic-import': false },
    plugins,
  });
  return outputFiles[0]!.text;
}

/** Prints and returns the bytes that a plugin saves. */
async function saved(path: string, plugin: Plugin): Promise<number> {
  const [without, with_] = await Promise.all([bundle(path, []), bundle(path, [plugin])]);
  const bytes = without.length - with_.length;
  process.stdout.write(`${plugin.name} saves ${bytes.toLocaleString('en')} bytes of ${path}\n`);
  return bytes;
}

describe('the patch of unused schemas', () => {
  const versions = SCHEMA_PATCHES.flatMap(({ packages }) => Object.entries(packages));

  it.each(versions)('is written for the installed %s', (name, version) => {
    expect(versionOf(name)).toBe(version);
  });

  it.each(
    SCHEMA_PATCHES.flatMap(({ packages, files, replacements }) =>
      replacements.map(([pattern = '']) => ({ pattern, packages, files })),
    ),
  )('changes something by $pattern', ({ pattern, packages, files }) => {
    const texts = Object.keys(packages).flatMap((name) =>
      readdirSync(folderOf(name), { recursive: true, encoding: 'utf8' })
        .map((path) => join(folderOf(name), path))
        .filter((path) => files.test(path))
        .map((path) => readFileSync(path, 'utf8')),
    );
    expect(texts.some((text) => text.split(pattern).length > 1)).toBe(true);
  });

  it('saves 150 kB of the AI SDK and 10 kB of zod 3', async () => {
    expect(await saved('src/obsidian/models/sdk-model.ts', unusedSchemas)).toBeGreaterThan(150_000);
    expect(await saved('src/obsidian/clients/rest-api-schema.ts', unusedSchemas)).toBeGreaterThan(
      10_000,
    );
  });
});

describe('the patch of the stemmers', () => {
  it('is written for the installed package', () => {
    expect(versionOf(STEMMERS.name)).toBe(STEMMERS.version);
  });

  it('lets the languages load where lookbehind is a syntax error', async () => {
    const path = 'src/search/text/languages.ts';
    const [without, with_] = await Promise.all([bundle(path, []), bundle(path, [lazyStemmers])]);
    process.stdout.write(`lazy-stemmers adds ${with_.length - without.length} bytes to ${path}\n`);
    expect(() => void runInNewContext(without, oldEngine())).toThrow('lookbehind');
    expect(() => void runInNewContext(with_, oldEngine())).not.toThrow();
  });
});

/** Globals of an engine that does not know lookbehind. */
function oldEngine() {
  const create = (given: unknown[]): RegExp => {
    const [pattern, flags] = given as [string, string?];
    if (/\(\?<[=!]/.test(pattern)) throw new SyntaxError('lookbehind');
    return new RegExp(pattern, flags);
  };
  const OldRegExp = new Proxy(RegExp, {
    apply: (_target, _this, given: unknown[]): RegExp => create(given),
    construct: (_target, given: unknown[]): RegExp => create(given),
  });
  return { module: { exports: {} }, RegExp: OldRegExp };
}
