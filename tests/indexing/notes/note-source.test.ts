import { expect, it } from 'vitest';
import { createFileNotes, isNote } from '../../../src/indexing/notes/note-source.js';
import { createMemoryFiles } from '../../fakes/memory-files.js';

function files() {
  const made = createMemoryFiles(() => 1234);
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
    made.put(path, 'text');
  return made;
}

it('lists notes with what tells whether they have changed, and all files and folders but hidden ones', async () => {
  const { notes, files: all, folders } = await createFileNotes(files()).list(() => false);
  expect(notes.map(({ path }) => path).sort()).toEqual([
    'A.md',
    'Away/e.md',
    'B/Deep/d.md',
    'B/c.MD',
  ]);
  expect(notes[0]).toEqual({ path: 'A.md', mtime: 1234, size: 4 });
  expect(all).toContain('B/picture.png');
  expect([...folders].sort()).toEqual(['Away', 'B', 'B/Deep']);
});

it('never looks into a folder that is skipped', async () => {
  const looked: string[] = [];
  const own = files();
  const source = createFileNotes({
    ...own,
    list: (folder) => (looked.push(folder), own.list(folder)),
  });
  const { notes, folders } = await source.list((folder) => folder === 'B');
  expect(notes.map(({ path }) => path).sort()).toEqual(['A.md', 'Away/e.md']);
  expect([looked.sort(), folders]).toEqual([['', 'Away'], ['Away']]);
});

it('answers nothing for what is no note any more, and takes a byte order mark for none', async () => {
  const own = files();
  own.put('Marked.md', new Uint8Array([0xef, 0xbb, 0xbf, 0x68, 0x69]));
  const source = createFileNotes(own);
  expect([
    await source.stat('Gone.md'),
    await source.stat('B'),
    await source.read('Gone.md'),
  ]).toEqual([undefined, undefined, undefined]);
  expect(await source.read('Marked.md')).toBe('hi');
});

it('reads no more of a note than is searched', async () => {
  const own = files();
  own.put('Long.md', new Uint8Array(5_000_000).fill(0x61));
  expect(await createFileNotes(own).read('Long.md')).toHaveLength(4_000_000);
});

it.each([
  ['a/b.md', true],
  ['a/B.MD', true],
  ['a/b.markdown', false],
  ['a/md', false],
  ['.trash/b.md', false],
  ['a/.b.md', false],
])('takes %j for a note or not', (path, isOne) => {
  expect(isNote(path)).toBe(isOne);
});
