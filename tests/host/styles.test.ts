import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const folder = fileURLToPath(new URL('styles/', import.meta.url));
const own = readdirSync(folder)
  .map((name) => readFileSync(`${folder}${name}`, 'utf8'))
  .join('\n');
const ofThePlugin = readFileSync(new URL('../../styles.css', import.meta.url), 'utf8');

const matches = (css: string, pattern: RegExp) => [
  ...new Set([...css.matchAll(pattern)].map(([, name = '']) => name)),
];
const used = (css: string) => matches(css, /var\(\s*(--[\w-]+)/g);
const defined = (css: string) => matches(css, /(?<=^|[\s;{])(--[\w-]+)\s*:/g);
const undefinedIn = (css: string, ...sheets: string[]) =>
  used(css).filter((name) => !sheets.flatMap(defined).includes(name));

test('the plugin uses only CSS variables of the app and its own', () => {
  expect(undefinedIn(ofThePlugin, own).filter((name) => !name.startsWith('--savepoint-'))).toEqual(
    [],
  );
});

test('the app’s styles define every variable they use', () => {
  expect(undefinedIn(own, own)).toEqual([]);
});

test('the app’s styles do not mention the plugin', () => {
  expect(own).not.toMatch(/savepoint/i);
});
