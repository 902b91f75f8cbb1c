import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { folders } from '../scripts/architecture.mjs';
import { CACHE_FOLDER } from '../scripts/host-page.mjs';
import { LAZY_MODULES } from '../scripts/lazy-modules.mjs';

interface Metafile {
  readonly inputs: Readonly<
    Record<
      string,
      {
        readonly imports: readonly {
          readonly path: string;
          readonly kind: string;
          readonly external?: boolean;
        }[];
      }
    >
  >;
  readonly outputs: Readonly<
    Record<
      string,
      { readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>> }
    >
  >;
}

const { inputs, outputs } = JSON.parse(
  readFileSync(join(CACHE_FOLDER, 'metafile.json'), 'utf8'),
) as Metafile;

/** What a module in this place requires is evaluated when one of its functions is called. */
const STUB = /^lazy:|@orama\/stemmers\/dist\/\w+\.js$/;

/** Returns the modules that are evaluated with the given one. */
function evaluatedWith(start: string): Set<string> {
  const found = new Set([start]);
  for (const module of found)
    for (const { path, kind, external } of inputs[module]?.imports ?? []) {
      const isDeferred =
        kind === 'dynamic-import' || (kind === 'require-call' && STUB.test(module));
      if (external !== true && !isDeferred) found.add(path);
    }
  return found;
}

const atStart = evaluatedWith('src/main.ts');
const all = Object.keys(outputs['main.js']?.inputs ?? {});

it.each([
  ['the chat panel', /^src\/obsidian\/chat\/ui\/(?:composer|messages|.*-page\.)/],
  ['model providers', /@ai-sdk\/|^src\/obsidian\/models\/sdk-model/],
  ['the memory view', /^src\/obsidian\/memory\/.*-page\./],
  ['the MCP server', /@modelcontextprotocol\/|^src\/bridge\//],
  ['imports', /^src\/(?:transfer\/(?:import|foreign\/)|chat\/imports\/)/],
  ['the Agent Client Protocol', /^src\/(?:acp\/(?!known-chat-agents)|plugin\/chat-agent-host)/],
  ['git', /isomorphic-git\/|^src\/node\/git\//],
  ['the tools', /^src\/agents\/\w+-manager\/[\w-]+\.ts$|^src\/toolkit\/call-tool/],
  ['search', /chrono-node\/|stemmers\/dist\/\w+\.cjs$|^src\/(?:search\/query|indexing)\//],
  ['the log', /^src\/storage\/(?:write|read)\//],
  ['zod', /\/zod\//],
  ['the embedding table', /^assets\//],
  ['texts in other languages', /^src\/obsidian\/i18n\/de/],
])('the start evaluates no module of %s', (_, part) => {
  const modules = all.filter((path) => part.test(path));
  expect(modules).not.toHaveLength(0);
  expect(modules.filter((path) => atStart.has(path))).toEqual([]);
});

it('the start evaluates at most 0.31 MB of modules', () => {
  const bytes = (path: string) => outputs['main.js']?.inputs[path]?.bytesInOutput ?? 0;
  expect([...atStart].reduce((sum, path) => sum + bytes(path), 0)).toBeLessThan(310_000);
});

it('a closed folder is bundled without its index', () => {
  const closed = folders.filter(({ hasIndex }) => hasIndex).map(({ name }) => name);
  expect(closed).toContain('search');
  expect(closed.filter((name) => inputs[`src/${name}/index.ts`] !== undefined)).toEqual([]);
});

it('each lazy module is imported through its stub alone', () => {
  const imported = Object.values(inputs).flatMap(({ imports }) =>
    imports.flatMap(({ path, kind }) => (kind === 'import-statement' ? [path] : [])),
  );
  const stubs = LAZY_MODULES.map((path) => `lazy:${path}`);
  expect(stubs.filter((stub) => !imported.includes(stub))).toEqual([]);
  expect(LAZY_MODULES.filter((path) => imported.includes(path))).toEqual([]);
});
