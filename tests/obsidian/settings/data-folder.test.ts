import { describe, expect, it } from 'vitest';
import { lookAt, readDataFolder, readFolder } from '../../../src/obsidian/settings/data-folder.js';
import { createMemoryFiles } from '../../fakes/memory-files.js';

describe('a folder that somebody types', () => {
  it.each([
    ['Archive/Savepoint', 'Archive/Savepoint'],
    [' Archive/ ', 'Archive'],
    ['工作', '工作'],
  ])('%j is %j', (typed, path) => {
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
  ])('%j is refused in a sentence', (typed, problem) => {
    expect(readFolder(typed, '.obsidian')).toEqual({
      problem: expect.stringContaining(problem) as string,
    });
  });

  it.each([
    ['savepoint', 'already'],
    ['Savepoint/core', 'inside the current data folder'],
  ])('%j is no new place for the memory in "Savepoint"', (typed, problem) => {
    expect(readDataFolder(typed, 'Savepoint', '.obsidian')).toEqual({
      problem: expect.stringContaining(problem) as string,
    });
    expect(readDataFolder('Savepoint 2', 'Savepoint', '.obsidian')).toEqual({
      path: 'Savepoint 2',
    });
  });
});

describe('a look at a folder', () => {
  it('tells a memory from other files, from nothing, and from what is no folder', async () => {
    const files = createMemoryFiles();
    files.put('Old/core/2026-11/x.jsonl', 'x');
    files.put('Notes/a.md', 'x');
    await files.createFolder('Empty');
    const found = await Promise.all(
      ['Old', 'Notes', 'Empty', 'None/deep', 'Notes/a.md', 'Notes/a.md/b'].map((path) =>
        lookAt(files, path),
      ),
    );
    expect(found).toEqual(['memory', 'files', 'free', 'free', 'file', 'file']);
    expect(await lookAt({ ...files, isInside: () => Promise.resolve(false) }, 'Empty')).toBe(
      'outside',
    );
  });
});
