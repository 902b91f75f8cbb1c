// Tier full: it needs the packages of tools/check
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { installTools } from '../../scripts/install-tools.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
installTools('check');
const { aboveFloor } = await import('../../tools/check/floor.mjs');

it.each([
  ['a class static block', 'class A { static { this.a = 1; } }'],
  ['lookbehind in a literal', '/(?<=a)b/'],
  ['lookbehind in a text', 'new RegExp("(?<!" + word + ")")'],
  ['an expression with the flag v', '/[a--b]/v'],
  ['toSpliced', 'list.toSpliced(0, 1)'],
  ['toReversed', 'list.toReversed()'],
  ['toSorted', 'list.toSorted()'],
  ['with', 'list.with(0, 1)'],
  ['isWellFormed', 'name.isWellFormed()'],
  ['Object.groupBy', 'Object.groupBy(list, f)'],
  ['Promise.withResolvers', 'Promise.withResolvers()'],
  ['a method of a set', 'set.difference(other)'],
  ['Array.fromAsync', 'Array.fromAsync(list)'],
  ['AbortSignal.timeout', 'AbortSignal.timeout(1)'],
  ['AbortSignal.any', 'AbortSignal.any([])'],
  ['CompressionStream', 'new CompressionStream("gzip")'],
  ['URL.canParse', 'URL.canParse(text)'],
  ['requestIdleCallback', 'window.requestIdleCallback(f)'],
])('%s is above the floor', async (_, code) => {
  expect((await aboveFloor(code)).size).toBeGreaterThan(0);
});

it('types name what the oldest Node lacks', () => {
  const folder = mkdtempSync(join(root, 'node_modules/.cache/floor-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const code = "import { Server } from 'node:http';\nnew Server().closeAllConnections();\n";
  writeFileSync(join(folder, 'newer.ts'), code);
  const config = { extends: join(root, 'tools/check/tsconfig.floor.json'), files: ['newer.ts'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const tsc = join(root, 'tools/check/node_modules/typescript7/bin/tsc');
  const { status, stdout } = spawnSync(process.execPath, [tsc, '--project', folder]);
  expect(String(stdout)).toContain("'closeAllConnections' does not exist");
  expect(status).not.toBe(0);
});

it('finds nothing in code that the oldest engines understand', async () => {
  const code = `class A { #b = 1; static c = 2; has(d) { return #b in d; } }
    list.at(-1)?.e ?? list.findLast(f); Object.hasOwn(a, 'b'); 'a'.replaceAll('b', 'c');
    /(?<name>a)\\p{L}/du; a ||= 1_000n; structuredClone(a); await_(() => import_);`;
  expect([...(await aboveFloor(code))]).toEqual([]);
});
