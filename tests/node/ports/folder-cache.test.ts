import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FolderCache } from '../../../src/node/ports/folder-cache.js';
import type { CachedSegment } from '../../../src/storage/read/cache.js';
import { cacheContract } from '../../contracts/cache.js';
import { createFolder, node } from '../folders.js';

function record(path: string, size: number): CachedSegment {
  return { path, bytes: new Uint8Array(size).fill(path.length) };
}

describe('FolderCache', () => {
  cacheContract(() => {
    const folder = join(createFolder(), 'read');
    return Promise.resolve({
      cache: new FolderCache(node, folder),
      again: () => new FolderCache(node, folder),
    });
  });

  it('is private to this user', async () => {
    const folder = join(createFolder(), 'read');
    await new FolderCache(node, folder).save('core', [record('a', 3)]);
    const [name] = readdirSync(folder);
    expect([statSync(folder).mode & 0o777, statSync(join(folder, name!)).mode & 0o777]).toEqual([
      0o700, 0o600,
    ]);
  });

  it('keeps few files, and rarely rewrites large ones', async () => {
    const folder = createFolder();
    const cache = new FolderCache(node, folder);
    let [written, most] = [0, 0];
    let before = new Set<string>();
    for (let round = 0; round < 300; round++) {
      await cache.save('trace', [record(`segment ${round}`, 1000)]);
      const names = readdirSync(folder);
      most = Math.max(most, names.length);
      for (const name of names) if (!before.has(name)) written += statSync(join(folder, name)).size;
      before = new Set(names);
    }
    expect(most).toBeLessThanOrEqual(10);
    expect(written).toBeLessThan(300 * 1100 * 10);
    expect(await cache.load('trace')).toHaveLength(300);
  });

  it('skips damaged packs and other files', async () => {
    const folder = createFolder();
    const cache = new FolderCache(node, folder);
    await cache.save('core', [record('a', 10_000)]);
    await cache.save('core', [record('b', 1)]);
    const [large, small] = readdirSync(folder).sort(
      (a, b) => statSync(join(folder, b)).size - statSync(join(folder, a)).size,
    );
    const bytes = readFileSync(join(folder, large!));
    for (const [at, expected] of [
      [0, ['b']],
      [15, ['b']],
      [9_000, ['a', 'b']],
    ] as const) {
      const damaged = Uint8Array.from(bytes);
      damaged[at]! ^= 1;
      writeFileSync(join(folder, large!), damaged);
      expect((await cache.load('core')).map(({ path }) => path).sort()).toEqual(expected);
    }
    for (const length of [0, 5, 12]) {
      writeFileSync(join(folder, large!), bytes.subarray(0, length));
      expect((await cache.load('core')).map(({ path }) => path)).toEqual(['b']);
    }
    writeFileSync(join(folder, 'notes.txt'), 'x');
    writeFileSync(join(folder, 'core-1.pack'), 'x');
    await cache.clear();
    expect([readdirSync(folder).sort(), small]).toEqual([
      ['core-1.pack', 'notes.txt'],
      expect.any(String),
    ]);
  });

  it('deletes old drafts', async () => {
    const folder = createFolder();
    for (const name of [
      'core-000000000001-001122334455.pack.part',
      'core-000000000002-001122334455.pack.part',
    ])
      writeFileSync(join(folder, name), 'half');
    utimesSync(join(folder, 'core-000000000001-001122334455.pack.part'), 0, 0);
    expect(await new FolderCache(node, folder).load('core')).toEqual([]);
    expect(readdirSync(folder)).toEqual(['core-000000000002-001122334455.pack.part']);
  });

  it('fails if the folder cannot be created, and leaves no draft', async () => {
    const folder = createFolder();
    writeFileSync(join(folder, 'file'), '');
    const cache = new FolderCache(node, join(folder, 'file', 'read'));
    await expect(cache.save('core', [record('a', 1)])).rejects.toThrow('ENOTDIR');
    expect(readdirSync(folder)).toEqual(['file']);
  });
});
