import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { createVaultTexts, type VaultTexts } from '../../../src/node/chat-agents/vault-texts.js';
import { createFolder, node } from '../folders.js';

const FILES = [
  'a.md',
  'picture.png',
  'Folder/b.md',
  '.git/config.txt',
  '.obsidian/app.json',
  '.obsidian/workspace.json',
  '.savepoint/core/a.jsonl',
  '.savepoint/notes/b.md',
];
const TRACKED = ['a.md', 'Folder/b.md', '.obsidian/app.json', '.savepoint/core/a.jsonl'];

function createTexts(): VaultTexts {
  const vault = createFolder();
  for (const file of FILES) {
    mkdirSync(dirname(join(vault, file)), { recursive: true });
    writeFileSync(join(vault, file), file);
  }
  const protectedFolders = ['.obsidian', '.savepoint'];
  const excludedFolders = () => ['.savepoint/notes'];
  return createVaultTexts(node, { vault, protectedFolders, excludedFolders });
}

it('lists text files, settings and the memory, without the layout and excluded folders', async () => {
  const listed = await createTexts().list('');
  const paths = listed.map(({ path }) => path).sort();
  expect(paths).toEqual([...TRACKED].sort());
});

it('lists one folder', async () => {
  const listed = await createTexts().list('.obsidian');
  expect(listed.map(({ path }) => path)).toEqual(['.obsidian/app.json']);
  expect(await createTexts().list('missing')).toEqual([]);
});

it('tracks only what it lists', () => {
  const texts = createTexts();
  expect(FILES.filter((file) => texts.isTracked(file))).toEqual(TRACKED);
  expect(texts.isTracked('/elsewhere/a.md')).toBe(false);
});

it('gives no stamp to a file that may change within the step of a coarse clock', async () => {
  const vault = createFolder();
  const texts = createVaultTexts(node, { vault, protectedFolders: [], excludedFolders: () => [] });
  const stampAt = async (seconds: number) => {
    writeFileSync(join(vault, 'a.md'), 'a');
    utimesSync(join(vault, 'a.md'), seconds, seconds);
    return (await texts.list('')).map(({ stamp }) => stamp);
  };
  const now = Math.floor(Date.now() / 2000) * 2;
  expect(await stampAt(now)).toEqual(['']);
  expect(await stampAt(now - 60)).toEqual([expect.stringMatching(/^1-\d+000-\d+$/)]);
});
