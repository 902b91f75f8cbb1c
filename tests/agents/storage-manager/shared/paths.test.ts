import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  filePathProblem,
  folderOfId,
  placeOf,
  readStoredPath,
} from '../../../../src/agents/storage-manager/shared/paths.js';
import { createMemoryFiles } from '../../../fakes/memory-files.js';
import { GOOD_PATHS, HOSTILE_PATHS } from '../../shared/hostile-paths.js';

describe('a path below the folder of kept files', () => {
  it('is refused with the reason in each of 54 hostile forms', () => {
    expect(HOSTILE_PATHS).toHaveLength(54);
    for (const [path, said] of HOSTILE_PATHS)
      expect(filePathProblem(path), JSON.stringify(path)).toContain(said);
  });

  it('is taken as it is where it is a good one', () => {
    for (const path of GOOD_PATHS)
      expect(filePathProblem(path), JSON.stringify(path)).toBeUndefined();
    expect(readStoredPath('./notes//plan.md')).toEqual({ path: 'notes/plan.md' });
  });

  it('is the path of a file only where it names one', () => {
    for (const path of ['', '.', './']) expect(filePathProblem(path)).toContain('is empty');
    expect(filePathProblem('notes/')).toContain('ends with "/"');
    expect([readStoredPath(''), readStoredPath('/'), readStoredPath('notes/')]).toEqual([
      { path: '' },
      { path: '' },
      { path: 'notes' },
    ]);
  });

  it('never climbs, hides or names a drive, whatever is typed', () => {
    const piece = fc.constantFrom(
      '.',
      '..',
      '/',
      '\\',
      ':',
      '~',
      '%2e',
      'a',
      'C',
      ' ',
      '\u0000',
      '．',
      '／',
      'con',
      '\u202e',
      '工',
    );
    const typed = fc.oneof(
      fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('')),
      fc.string({ unit: 'binary', maxLength: 40 }),
    );
    fc.assert(
      fc.property(typed, (text) => {
        const read = readStoredPath(text);
        if ('problem' in read || read.path === '') return;
        for (const part of read.path.split('/'))
          expect(part).toMatch(/^[^.~\s\\:\p{Cc}][^\\:\p{Cc}]*$/u);
        for (const part of read.path.split('/')) expect(part).toMatch(/[^.\s]$/u);
      }),
    );
  });
});

describe('the folder of an id', () => {
  it('is the id where it is plain', async () => {
    expect(await Promise.all(['7hq2m4x9zk3vtb8d', 'default'].map(folderOfId))).toEqual([
      '7hq2m4x9zk3vtb8d',
      'default',
    ]);
  });

  it('is what a person recognises of any other, and a hash', async () => {
    expect(await folderOfId('Claude 工作: 2026/11')).toMatch(/^Claude 工作- 2026-11-[0-9a-f]{16}$/);
    expect(await folderOfId('../../x')).toMatch(/^x-[0-9a-f]{16}$/);
    expect(await folderOfId('con')).toMatch(/^_con-[0-9a-f]{16}$/);
    expect(await folderOfId('')).toMatch(/^untitled-[0-9a-f]{16}$/);
  });

  it('is another for each of many ids that look alike, letter case and ways of writing aside', async () => {
    const ids = [
      'A',
      'a',
      'a ',
      'ａ',
      'a\u0000',
      'a\u200b',
      '\u00e9',
      'e\u0301',
      'a/b',
      'a\\b',
      'a:b',
      'x\ud800',
      'x\ud801',
      '',
      '..',
    ];
    const long = ['x'.repeat(10_000), `${'x'.repeat(9_999)}y`, 'x'.repeat(40), 'x'.repeat(41)];
    const folders = await Promise.all([...ids, ...long].map(folderOfId));
    expect(new Set(folders.map((folder) => folder.normalize('NFKC').toLowerCase())).size).toBe(
      ids.length + long.length,
    );
    // Nor is one id the folder of another.
    expect(
      await Promise.all(folders.filter((folder) => folder.includes('-')).map(folderOfId)),
    ).not.toEqual(expect.arrayContaining(folders.filter((folder) => folder.includes('-'))));
  });

  it('is a single safe name for any id', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 300 }), async (id) => {
        const folder = await folderOfId(id);
        expect(filePathProblem(folder)).toBeUndefined();
        expect(folder).not.toContain('/');
      }),
    );
  });
});

describe('the place of a stored path', () => {
  const base = 'Savepoint/files/workspaces/w';
  const filled = () => {
    const files = createMemoryFiles();
    for (const path of ['Notes/Plan.md', 'cafe\u0301.md', 'Straße.md'])
      files.put(`${base}/${path}`, 'x');
    return files;
  };

  it('is where it says, there or not', async () => {
    const files = filled();
    for (const path of ['', 'Notes', 'Notes/Plan.md', 'Notes/Other.md', 'x/y/z.md'])
      expect(await placeOf(files, base, path)).toEqual({
        path: path === '' ? base : `${base}/${path}`,
      });
  });

  it('is the one that is there where only the accents are written in another way', async () => {
    expect(await placeOf(filled(), base, 'caf\u00e9.md')).toEqual({
      path: `${base}/cafe\u0301.md`,
    });
    expect(await placeOf(filled(), base, 'Notes/cafe\u0301.md')).toEqual({
      path: `${base}/Notes/caf\u00e9.md`,
    });
  });

  it('is none where some disk would take it for another that is there', async () => {
    const files = filled();
    expect(await placeOf(files, base, 'Notes/plan.md')).toEqual({ twin: 'Notes/Plan.md' });
    expect(await placeOf(files, base, 'notes/Other.md')).toEqual({ twin: 'Notes' });
    expect(await placeOf(files, base, 'Notes/Ｐlan.md')).toEqual({ twin: 'Notes/Plan.md' });
    expect(await placeOf(files, base, 'Notes/Pl\u200Dan.md')).toEqual({ twin: 'Notes/Plan.md' });
    expect(await placeOf(files, base, 'STRASSE.md')).toEqual({ twin: 'Straße.md' });
  });

  it('is that which is spelled so where both are there', async () => {
    const files = filled();
    files.put(`${base}/Notes/plan.md`, 'y');
    expect(await placeOf(files, base, 'Notes/plan.md')).toEqual({ path: `${base}/Notes/plan.md` });
    expect(await placeOf(files, base, 'Notes/Plan.md')).toEqual({ path: `${base}/Notes/Plan.md` });
  });

  it('is elsewhere where the disk has the file under another name', async () => {
    const files = filled();
    const stat = (path: string) => files.stat(path.replace('PLAN~1.MD', 'Plan.md'));
    expect(await placeOf({ ...files, stat }, base, 'Notes/PLAN~1.MD')).toEqual({ elsewhere: true });
  });

  it('is elsewhere where a link leads out, and nothing behind the link is looked at', async () => {
    const files = filled();
    const listed: string[] = [];
    const isInside = (path: string) => Promise.resolve(!path.includes('Notes'));
    const list = (folder: string) => (listed.push(folder), files.list(folder));
    expect(await placeOf({ ...files, isInside, list }, base, 'Notes/Plan.md')).toEqual({
      elsewhere: true,
    });
    expect(listed).toEqual([base]);
    expect(
      await placeOf({ ...files, isInside: () => Promise.resolve(false) }, base, 'x.md'),
    ).toEqual({ elsewhere: true });
  });

  it('is found where the file came between two looks', async () => {
    const files = filled();
    let looks = 0;
    const list = async (folder: string) =>
      folder.endsWith('Notes') && ++looks === 1 ? [] : files.list(folder);
    expect(await placeOf({ ...files, list }, base, 'Notes/Plan.md')).toEqual({
      path: `${base}/Notes/Plan.md`,
    });
  });
});
