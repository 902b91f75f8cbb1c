import { describe, expect, it } from 'vitest';
import {
  folderStamps,
  isRecordedVault,
  writeReadme,
} from '../../../src/storage/data-folder/readme.js';
import { createMemoryFiles } from '../../fakes/memory-files.js';
import { watchFiles } from '../../fakes/watched-files.js';
import { ROOT } from '../helpers.js';

describe('folderStamps', () => {
  it('returns no stamp of a folder that does not exist', async () => {
    expect(await folderStamps(createMemoryFiles(), ROOT)).toEqual({});
  });

  it('returns time and identity of README.md, and the identity of the folder', async () => {
    const files = createMemoryFiles(() => 5);
    await writeReadme(files, ROOT);
    expect(await folderStamps(files, ROOT)).toEqual({ readme: '5.5 1' });
    const stat = () => Promise.resolve({ kind: 'folder', size: 0, mtime: 7, fileId: 'f' } as const);
    expect(await folderStamps({ ...files, stat }, ROOT)).toEqual({ readme: '7 f', folder: 'f' });
  });

  it('returns the time of README.md alone if files have no identity', async () => {
    const stat = () => Promise.resolve({ kind: 'file', size: 0, mtime: 7 } as const);
    expect(await folderStamps({ ...createMemoryFiles(), stat }, ROOT)).toEqual({ readme: '7 ' });
  });
});

describe('isRecordedVault', () => {
  const record = { ids: ['one', 'two'], readme: '5 r', folder: 'f' };
  const full = { ids: ['other'], hasLines: true };

  it.each([
    ['names a recorded id', record, { ...full, ids: ['other', 'two'] }, {}, true],
    ['has the recorded README', record, full, { readme: '5 r', folder: 'g' }, true],
    ['is the recorded folder', record, full, { readme: '6 r', folder: 'f' }, true],
    ['has another id, README and identity', record, full, { readme: '6 r', folder: 'g' }, false],
    ['has no stamps, like the record', { ids: ['one'] }, full, {}, false],
    ['names an id, without a record', undefined, full, { readme: '5 r', folder: 'f' }, false],
    ['names no id and has a README', undefined, { ids: [], hasLines: true }, { readme: '1' }, true],
    ['is empty except for a README', record, { ids: [], hasLines: false }, { readme: '1' }, true],
    [
      'names an id only in other lanes',
      record,
      { ids: ['two'], hasLines: false },
      { readme: '1' },
      true,
    ],
    ['is empty', record, { ids: [], hasLines: false }, { folder: 'f' }, false],
  ])('judges a folder that %s', (_, known, content, stamps, isSame) => {
    expect(isRecordedVault(known, content, stamps)).toBe(isSame);
  });
});

describe('writeReadme', () => {
  it('writes README.md durably, and keeps one that exists', async () => {
    const files = watchFiles(createMemoryFiles());
    await writeReadme(files, ROOT);
    expect(files.appends).toMatchObject([{ path: `${ROOT}/README.md`, isDurable: true }]);
    await writeReadme(files, ROOT);
    expect(new TextDecoder().decode(await files.read(`${ROOT}/README.md`))).toMatch(/^# Savepoint/);
  });
});
