import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createFileNoteSource, isNote } from '../../../src/indexing/notes/note-source.js';
import { createFolderFiles } from '../../../src/node/ports/folder-files.js';
import { createMemoryFiles } from '../../fakes/memory-files.js';
import { createFolder, node } from '../../node/folders.js';

function files() {
  const memoryFiles = createMemoryFiles(() => 1234);
  for (const path of [
    'A.md',
    'B/c.MD',
    'B/picture.png',
    'B/Deep/d.md',
    '.obsidian/x.md',
    'B/.hidden.md',
    'Away/e.md',
    '.icloud/f.md',
  ])
    memoryFiles.put(path, 'text');
  return memoryFiles;
}

it('a file note source lists notes, files and folders, except hidden ones', async () => {
  const { notes, files: all, folders } = await createFileNoteSource(files()).list(() => false);
  expect(notes.map(({ path }) => path).sort()).toEqual([
    'A.md',
    'Away/e.md',
    'B/Deep/d.md',
    'B/c.MD',
  ]);
  expect(notes[0]).toEqual({ path: 'A.md', mtime: 1234.5, size: 4 });
  expect(all).toContain('B/picture.png');
  expect([...folders].sort()).toEqual(['Away', 'B', 'B/Deep']);
});

it('a file note source never opens a skipped folder', async () => {
  const listed: string[] = [];
  const own = files();
  const source = createFileNoteSource({
    ...own,
    list: (folder) => {
      listed.push(folder);
      return own.list(folder);
    },
  });
  const { notes, folders } = await source.list((folder) => folder === 'B');
  expect(notes.map(({ path }) => path).sort()).toEqual(['A.md', 'Away/e.md']);
  expect([listed.sort(), folders]).toEqual([['', 'Away'], ['Away']]);
});

it('a file note source opens no linked folder, and lists only regular files', async () => {
  const vault = createFolder();
  mkdirSync(join(vault, 'B'));
  writeFileSync(join(vault, 'B', 'a.md'), 'text');
  symlinkSync('..', join(vault, 'B', 'up'));
  symlinkSync('a.md', join(vault, 'B', 'link.md'));
  symlinkSync('none.md', join(vault, 'B', 'dangling.md'));
  symlinkSync('/dev/null', join(vault, 'B', 'device.md'));
  const source = createFileNoteSource(createFolderFiles(node, vault));
  const { notes, files: all, folders } = await source.list((folder) => folder === 'skipped');
  expect(notes.map(({ path }) => path).sort()).toEqual(['B/a.md', 'B/link.md']);
  expect([...all].sort()).toEqual(['B/a.md', 'B/link.md']);
  expect([...folders].sort()).toEqual(['B', 'B/up']);
  expect(await source.stat('B/device.md')).toBeUndefined();
});

it('a file note source returns no missing note, and strips a BOM', async () => {
  const own = files();
  own.put('Marked.md', new Uint8Array([0xef, 0xbb, 0xbf, 0x68, 0x69]));
  const source = createFileNoteSource(own);
  expect([
    await source.stat('Gone.md'),
    await source.stat('B'),
    await source.read('Gone.md'),
  ]).toEqual([undefined, undefined, undefined]);
  expect(await source.read('Marked.md')).toBe('hi');
});

it('a file note source reads only the beginning of a long note', async () => {
  const own = files();
  own.put('Long.md', new Uint8Array(65_000_000).fill(0x61));
  expect(await createFileNoteSource(own).read('Long.md')).toHaveLength(64_000_000);
});

it.each([
  ['a/b.md', true],
  ['a/B.MD', true],
  ['a/b.markdown', false],
  ['a/md', false],
  ['.trash/b.md', false],
  ['a/.b.md', false],
])('isNote(%j) is %s', (path, isOne) => {
  expect(isNote(path)).toBe(isOne);
});
