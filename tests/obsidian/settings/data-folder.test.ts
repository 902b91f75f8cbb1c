import { describe, expect, it } from 'vitest';
import {
  inspectTarget,
  readDataFolder,
  readFolder,
} from '../../../src/obsidian/settings/data-folder.js';
import { createMemoryFiles } from '../../fakes/memory-files.js';

describe('a typed folder', () => {
  it.each([
    ['Archive/Savepoint', 'Archive/Savepoint'],
    [' Archive/ ', 'Archive'],
    ['工作', '工作'],
    ['Old\u00a0notes//My\u202fCafe\u0301', 'Old notes/My Caf\u00e9'],
  ])('%j becomes %j', (typed, path) => {
    expect(readFolder(typed, '.obsidian')).toEqual({ path });
  });

  it.each([
    ['', 'Enter a folder inside the vault'],
    ['/', 'Enter a folder inside the vault'],
    ['/etc', 'starts with "/"'],
    ['../x', 'leads outside the vault'],
    ['a\\b', 'has a backslash'],
    ['C:/x', 'starts with a drive letter'],
    ['.trash', 'is hidden'],
    ['a/.b/c', 'is hidden'],
    ['.Obsidian/plugins', "contains Obsidian's settings"],
  ])('%j is rejected with a reason', (typed, problem) => {
    expect(readFolder(typed, '.obsidian')).toEqual({
      problem: expect.stringContaining(problem) as string,
    });
  });

  it.each([
    ['savepoint', 'already'],
    ['Savepoint/core', 'inside the current data folder'],
  ])('%j is rejected as the new location of the memory in "Savepoint"', (typed, problem) => {
    expect(readDataFolder(typed, 'Savepoint', '.obsidian')).toEqual({
      problem: expect.stringContaining(problem) as string,
    });
    expect(readDataFolder('Savepoint 2', 'Savepoint', '.obsidian')).toEqual({
      path: 'Savepoint 2',
    });
  });
});

describe('inspectTarget', () => {
  it('classifies a path as memory, files, free, file or outside', async () => {
    const files = createMemoryFiles();
    files.put('Old/core/2026-11/x.jsonl', 'x');
    files.put('Notes/a.md', 'x');
    await files.createFolder('Empty');
    const found = await Promise.all(
      ['Old', 'Notes', 'Empty', 'None/deep', 'Notes/a.md', 'Notes/a.md/b'].map((path) =>
        inspectTarget(files, path),
      ),
    );
    expect(found).toEqual(['memory', 'files', 'free', 'free', 'file', 'file']);
    expect(await inspectTarget({ ...files, isInside: () => Promise.resolve(false) }, 'Empty')).toBe(
      'outside',
    );
  });

  it('treats a pipe in the way like a file', async () => {
    const files = createMemoryFiles();
    const stat = () => Promise.resolve({ kind: 'other', size: 0, mtime: 0 } as const);
    expect(await inspectTarget({ ...files, stat }, 'Pipe/deep')).toBe('file');
  });
});
