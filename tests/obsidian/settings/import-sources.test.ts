import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createFolderFiles } from '../../../src/node/ports/folder-files.js';
import { readBelow } from '../../../src/obsidian/settings/import-sources.js';
import { createFolder, node } from '../../node/folders.js';

it('readBelow reads regular files, and opens no linked folder', async () => {
  const vault = createFolder();
  mkdirSync(join(vault, 'From', 'deep'), { recursive: true });
  for (const name of ['a.jsonl', 'deep/b.jsonl', 'note.md'])
    writeFileSync(join(vault, 'From', name), name);
  symlinkSync('..', join(vault, 'From', 'up.jsonl'));
  symlinkSync('/dev/zero', join(vault, 'From', 'zero.jsonl'));
  const files = createFolderFiles(node, vault);
  const read = async (takesNotes: boolean) =>
    (await readBelow(files, 'From', () => takesNotes)).map(({ name }) => name);
  expect(await read(false)).toEqual(['From/a.jsonl', 'From/deep/b.jsonl']);
  expect(await read(true)).toEqual(['From/a.jsonl', 'From/deep/b.jsonl', 'From/note.md']);
});
