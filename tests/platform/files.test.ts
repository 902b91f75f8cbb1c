import { describe, expect, it } from 'vitest';
import { FileChangedError, fileErrorText, FileReplacedError } from '../../src/platform/files.js';

describe('fileErrorText', () => {
  it.each([
    [
      ['ENOSPC', 'EDQUOT', 'EFBIG'],
      'the disk is full. Nothing was saved; free some space and try again.',
    ],
    [['EEXIST', 'ENOTDIR'], 'a file is in the way. Choose another folder, or move the file.'],
    [['EISDIR'], 'a folder has that name. Choose another name.'],
    [['ENAMETOOLONG'], 'the name is too long for this disk. Choose a shorter one.'],
  ])('explains the codes %j with a next step', (codes, words) => {
    for (const code of codes)
      expect(fileErrorText('save', 'a/b.md', code)).toBe(
        `Cannot save "a/b.md" in the vault: ${words}`,
      );
  });

  it.each(['EACCES', 'EPERM', 'EROFS'])(
    'includes the code %s, since several codes share this text',
    (code) => {
      expect(fileErrorText('read', 'a.md', code)).toBe(
        `Cannot read "a.md" in the vault: this program has no permission (${code}). Make the vault folder readable and writable for it and try again.`,
      );
    },
  );

  it('includes any other code', () => {
    expect(fileErrorText('read', 'a.md', 'EIO')).toBe(
      'Cannot read "a.md" in the vault: the disk reported EIO. Try again; if it keeps failing, check the disk.',
    );
  });

  it('is not needed for errors with a name of their own', () => {
    expect(new FileChangedError('a.md').name).toBe('FileChangedError');
    expect(new FileReplacedError('a.md').name).toBe('FileReplacedError');
  });
});
