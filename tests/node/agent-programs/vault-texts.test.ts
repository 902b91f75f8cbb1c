import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { VaultTexts } from '../../../src/node/agent-programs/vault-texts.js';
import { createFolder, node } from '../folders.js';

const FILES = [
  'a.md',
  'picture.png',
  'Folder/b.md',
  '.git/config.txt',
  '.obsidian/app.json',
  '.obsidian/workspace.json',
  'Savepoint/core.jsonl',
];

function createTexts(): VaultTexts {
  const vault = createFolder();
  for (const file of FILES) {
    mkdirSync(dirname(join(vault, file)), { recursive: true });
    writeFileSync(join(vault, file), file);
  }
  const excludedFolders = () => ['Savepoint'];
  return new VaultTexts(node, { vault, configFolder: '.obsidian', excludedFolders });
}

it('lists text files and settings, without the layout and excluded folders', async () => {
  const listed = await createTexts().list('');
  const paths = listed.map(({ path }) => path).sort();
  expect(paths).toEqual(['.obsidian/app.json', 'Folder/b.md', 'a.md']);
});

it('lists one folder', async () => {
  const listed = await createTexts().list('.obsidian');
  expect(listed.map(({ path }) => path)).toEqual(['.obsidian/app.json']);
  expect(await createTexts().list('missing')).toEqual([]);
});

it('reads only what it lists', async () => {
  const texts = createTexts();
  const read = await Promise.all(FILES.map((file) => texts.read(file)));
  expect(read.filter((text) => text !== undefined)).toEqual([
    'a.md',
    'Folder/b.md',
    '.obsidian/app.json',
  ]);
});
