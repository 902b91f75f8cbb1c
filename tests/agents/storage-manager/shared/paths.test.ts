import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  filePathProblem,
  idToFolderName,
  resolveStoredPath,
  parseStoredPath,
} from '../../../../src/agents/storage-manager/shared/paths.js';
import { createMemoryFiles } from '../../../fakes/memory-files.js';
import { GOOD_PATHS, HOSTILE_PATHS } from '../../shared/hostile-paths.js';

describe('a path in the storage folder', () => {
  it('is refused with the reason in each of 54 hostile forms', () => {
    expect(HOSTILE_PATHS).toHaveLength(54);
    for (const [path, said] of HOSTILE_PATHS)
      expect(filePathProblem(path), JSON.stringify(path)).toContain(said);
  });

  it('is unchanged if it is valid', () => {
    for (const path of GOOD_PATHS)
      expect(filePathProblem(path), JSON.stringify(path)).toBeUndefined();
    expect(parseStoredPath('./notes//plan.md')).toEqual({ path: 'notes/plan.md' });
  });

  it('names a file only if it is not empty and has no final slash', () => {
    for (const path of ['', '.', './']) expect(filePathProblem(path)).toContain('is empty');
    expect(filePathProblem('notes/')).toContain('ends with "/"');
    expect([parseStoredPath(''), parseStoredPath('/'), parseStoredPath('notes/')]).toEqual([
      { path: '' },
      { path: '' },
      { path: 'notes' },
    ]);
  });

  it('never leaves the folder, is never hidden and never names a drive', () => {
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
        const read = parseStoredPath(text);
        if ('problem' in read || read.path === '') return;
        for (const part of read.path.split('/'))
          expect(part).toMatch(/^[^.~\s\\:\p{Cc}][^\\:\p{Cc}]*$/u);
        for (const part of read.path.split('/')) expect(part).not.toMatch(/^$|[.\s]$/u);
      }),
    );
  });
});

describe('the folder name of an id', () => {
  it('is the id itself if that is safe', async () => {
    expect(await Promise.all(['7hq2m4x9zk3vtb8d', 'default'].map(idToFolderName))).toEqual([
      '7hq2m4x9zk3vtb8d',
      'default',
    ]);
  });

  it('is a readable part and a hash if the id is unsafe', async () => {
    expect(await idToFolderName('Claude 工作: 2026/11')).toMatch(
      /^Claude 工作- 2026-11-[0-9a-f]{16}$/,
    );
    expect(await idToFolderName('../../x')).toMatch(/^x-[0-9a-f]{16}$/);
    expect(await idToFolderName('con')).toMatch(/^_con-[0-9a-f]{16}$/);
    expect(await idToFolderName('')).toMatch(/^untitled-[0-9a-f]{16}$/);
  });

  it('differs for similar ids, even if letter case is ignored', async () => {
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
    const folders = await Promise.all([...ids, ...long].map(idToFolderName));
    expect(new Set(folders.map((folder) => folder.normalize('NFKC').toLowerCase())).size).toBe(
      ids.length + long.length,
    );
    // No id equals the folder name of another.
    expect(
      await Promise.all(folders.filter((folder) => folder.includes('-')).map(idToFolderName)),
    ).not.toEqual(expect.arrayContaining(folders.filter((folder) => folder.includes('-'))));
  });

  it('is a single safe file name for any id', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 300 }), async (id) => {
        const folder = await idToFolderName(id);
        expect(filePathProblem(folder)).toBeUndefined();
        expect(folder).not.toContain('/');
      }),
    );
  });
});

describe('the resolution of a stored path', () => {
  const base = 'Savepoint/files/workspaces/w';
  const filled = () => {
    const files = createMemoryFiles();
    for (const path of ['Notes/Plan.md', 'cafe\u0301.md', 'Straße.md'])
      files.put(`${base}/${path}`, 'x');
    return files;
  };

  it('is the path itself, whether the file exists or not', async () => {
    const files = filled();
    for (const path of ['', 'Notes', 'Notes/Plan.md', 'Notes/Other.md', 'x/y/z.md'])
      expect(await resolveStoredPath(files, base, path)).toEqual({
        path: path === '' ? base : `${base}/${path}`,
      });
  });

  it('is the existing file if only accents are encoded differently', async () => {
    expect(await resolveStoredPath(filled(), base, 'caf\u00e9.md')).toEqual({
      path: `${base}/cafe\u0301.md`,
    });
    expect(await resolveStoredPath(filled(), base, 'Notes/cafe\u0301.md')).toEqual({
      path: `${base}/Notes/caf\u00e9.md`,
    });
  });

  it('reports a collision if some file systems treat the names as equal', async () => {
    const files = filled();
    expect(await resolveStoredPath(files, base, 'Notes/plan.md')).toEqual({
      collidesWith: 'Notes/Plan.md',
    });
    expect(await resolveStoredPath(files, base, 'notes/Other.md')).toEqual({
      collidesWith: 'Notes',
    });
    expect(await resolveStoredPath(files, base, 'Notes/Ｐlan.md')).toEqual({
      collidesWith: 'Notes/Plan.md',
    });
    expect(await resolveStoredPath(files, base, 'Notes/Pl\u200Dan.md')).toEqual({
      collidesWith: 'Notes/Plan.md',
    });
    expect(await resolveStoredPath(files, base, 'STRASSE.md')).toEqual({
      collidesWith: 'Straße.md',
    });
  });

  it('is the exact spelling if both exist', async () => {
    const files = filled();
    files.put(`${base}/Notes/plan.md`, 'y');
    expect(await resolveStoredPath(files, base, 'Notes/plan.md')).toEqual({
      path: `${base}/Notes/plan.md`,
    });
    expect(await resolveStoredPath(files, base, 'Notes/Plan.md')).toEqual({
      path: `${base}/Notes/Plan.md`,
    });
  });

  it('is an alias if the disk has the file under another name', async () => {
    const files = filled();
    const stat = (path: string) => files.stat(path.replace('PLAN~1.MD', 'Plan.md'));
    expect(await resolveStoredPath({ ...files, stat }, base, 'Notes/PLAN~1.MD')).toEqual({
      isAlias: true,
    });
  });

  it('is an alias if a link leads out of the vault', async () => {
    const files = filled();
    const listed: string[] = [];
    const isInside = (path: string) => Promise.resolve(!path.includes('Notes'));
    const list = (folder: string) => (listed.push(folder), files.list(folder));
    expect(await resolveStoredPath({ ...files, isInside, list }, base, 'Notes/Plan.md')).toEqual({
      isAlias: true,
    });
    expect(listed).toEqual([base]);
    expect(
      await resolveStoredPath({ ...files, isInside: () => Promise.resolve(false) }, base, 'x.md'),
    ).toEqual({ isAlias: true });
  });

  it.each([1, 2])('finds a file that %i listings miss', async (missing) => {
    const files = filled();
    let listings = 0;
    const list = async (folder: string) =>
      folder.endsWith('Notes') && ++listings <= missing ? [] : files.list(folder);
    expect(await resolveStoredPath({ ...files, list }, base, 'Notes/Plan.md')).toEqual({
      path: `${base}/Notes/Plan.md`,
    });
  });
});
