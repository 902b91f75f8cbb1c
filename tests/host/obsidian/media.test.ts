// Tier full: tests the simulated Obsidian, not the plugin
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { folderMedium } from './folder-medium.js';
import type { Medium } from './medium.js';
import { MemoryMedium } from './memory-medium.js';

const folders: string[] = [];
afterAll(() => folders.forEach((folder) => fs.rmSync(folder, { recursive: true, force: true })));

function onDisk(): Medium {
  const folder = fs.mkdtempSync(path.join(tmpdir(), 'medium-'));
  folders.push(folder);
  return folderMedium(folder, { fs, path });
}

const bytes = (text: string) => new TextEncoder().encode(text);
const read = async (medium: Medium, file: string) =>
  new TextDecoder().decode(await medium.read(file));

describe.each([
  ['memory', () => new MemoryMedium()],
  ['a folder', onDisk],
])('a vault in %s', (_name, create: () => Medium) => {
  test('stores written and appended content', async () => {
    const medium = create();
    await medium.mkdir('a/b');
    await medium.write('a/b/c.txt', bytes('one'));
    await medium.append('a/b/c.txt', bytes(' two'));
    await medium.append('a/new.txt', bytes('three'));
    expect(await read(medium, 'a/b/c.txt')).toBe('one two');
    expect((await medium.list('a')).sort()).toEqual(['b', 'new.txt']);
    expect(await medium.stat('a/b/c.txt')).toMatchObject({ type: 'file', size: 7 });
    expect(await medium.stat('a/b')).toMatchObject({ type: 'folder' });
  });

  test('uses the given modification time', async () => {
    const medium = create();
    await medium.write('a.txt', bytes('x'), { mtime: 1_700_000_000_000 });
    expect((await medium.stat('a.txt'))?.mtime).toBe(1_700_000_000_000);
  });

  test('has a new version after a write', async () => {
    const medium = create();
    await medium.write('a.txt', bytes('x'));
    const before = (await medium.stat('a.txt'))?.version;
    await new Promise((resolve) => setTimeout(resolve, 10));
    await medium.write('a.txt', bytes('y'));
    expect((await medium.stat('a.txt'))?.version).not.toBe(before);
  });

  test('moves a folder with its contents', async () => {
    const medium = create();
    await medium.mkdir('a/b');
    await medium.write('a/b/c.txt', bytes('x'));
    await medium.rename('a', 'z');
    expect(await read(medium, 'z/b/c.txt')).toBe('x');
    expect(await medium.stat('a')).toBeNull();
  });

  test('fails with the error codes of Node', async () => {
    const medium = create();
    await medium.mkdir('full/inner');
    await expect(medium.read('none.txt')).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(medium.write('none/a.txt', bytes(''))).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(medium.list('none')).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(medium.rmdir('full', false)).rejects.toMatchObject({ code: 'ENOTEMPTY' });
    await expect(medium.read('full')).rejects.toMatchObject({ code: 'EISDIR' });
    await medium.rmdir('full', true);
    expect(await medium.stat('full')).toBeNull();
  });

  test('reports changed paths, including those in new folders', async () => {
    const medium = create();
    const seen = new Set<string>();
    const stop = medium.watch((changed) => seen.add(changed));
    await medium.mkdir('later');
    await vi.waitFor(() => expect(seen).toContain('later'), { timeout: 60_000 });
    await medium.write('later/a.txt', bytes('x'));
    await vi.waitFor(() => expect(seen).toContain('later/a.txt'), { timeout: 60_000 });
    stop();
  });
});

describe('a vault in memory', () => {
  test('is restored from its snapshot', async () => {
    const medium = new MemoryMedium({
      'a/b.md': 'x',
      'empty/': '',
      'old.md': { text: 'y', mtime: 5 },
    });
    await medium.write('bin', Uint8Array.from([255, 0]));
    const again = new MemoryMedium(medium.snapshot());
    expect(await again.read('bin')).toEqual(Uint8Array.from([255, 0]));
    expect((await again.stat('old.md'))?.mtime).toBe(5);
    expect(again.snapshot()).toEqual({ ...medium.snapshot(), 'a/': '', 'empty/': '' });
  });

  test('fails on request like a read-only, full or broken disk', async () => {
    const medium = new MemoryMedium({ 'a.md': 'x' });
    medium.faults.isReadOnly = true;
    await expect(medium.write('a.md', bytes('y'))).rejects.toMatchObject({ code: 'EROFS' });
    await expect(medium.remove('a.md')).rejects.toMatchObject({ code: 'EROFS' });
    medium.faults.isReadOnly = false;
    medium.faults.isFull = true;
    await expect(medium.append('a.md', bytes('y'))).rejects.toMatchObject({ code: 'ENOSPC' });
    medium.faults.isFull = false;
    medium.faults.broken.add('a.md');
    await expect(medium.read('a.md')).rejects.toMatchObject({ code: 'EIO' });
    medium.faults.broken.clear();
    expect(await read(medium, 'a.md')).toBe('x');
  });

  test('ignores the case of names if the disk does', async () => {
    const medium = new MemoryMedium({ 'Note.md': 'x' }, { ignoresCase: true });
    expect(await medium.stat('note.md')).not.toBeNull();
    expect(await medium.hasExactCase('note.md')).toBe(false);
    expect(await medium.hasExactCase('Note.md')).toBe(true);
  });
});

test('a vault in a folder cannot read outside of it', async () => {
  await expect(onDisk().read('../outside.txt')).rejects.toMatchObject({ code: 'EACCES' });
});
