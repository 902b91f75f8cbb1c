import { describe, expect, it } from 'vitest';
import { FileChanged, fileTrouble } from '../../src/platform/files.js';

describe('the trouble with a file', () => {
  it.each([
    [
      ['ENOSPC', 'EDQUOT', 'EFBIG'],
      'the disk is full. Nothing was saved; free some space and try again.',
    ],
    [['EEXIST', 'ENOTDIR'], 'a file is in the way. Choose another folder, or move the file.'],
    [['EISDIR'], 'a folder has that name. Choose another name.'],
    [['ENAMETOOLONG'], 'the name is too long for this disk. Choose a shorter one.'],
  ])('of the codes %j is told in words, with what to do', (codes, words) => {
    for (const code of codes)
      expect(fileTrouble('save', 'a/b.md', code)).toBe(
        `Cannot save "a/b.md" in the vault: ${words}`,
      );
  });

  it.each(['EACCES', 'EPERM', 'EROFS'])(
    'of the code %s names it beside the words: there are several',
    (code) => {
      expect(fileTrouble('read', 'a.md', code)).toBe(
        `Cannot read "a.md" in the vault: this program has no permission (${code}). Make the vault folder readable and writable for it and try again.`,
      );
    },
  );

  it('of any other code is told by that', () => {
    expect(fileTrouble('read', 'a.md', 'EIO')).toBe(
      'Cannot read "a.md" in the vault: the disk answered EIO. Try again; if it stays, check the disk.',
    );
  });

  it('that somebody else has changed it bears that name', () => {
    expect(new FileChanged('a.md').name).toBe('FileChanged');
  });
});
