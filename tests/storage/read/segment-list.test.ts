import { describe, expect, it } from 'vitest';
import type { FolderEntry } from '../../../src/platform/files.js';
import { SegmentList } from '../../../src/storage/read/segment-list.js';
import { createTestClock } from '../../fakes/deterministic.js';
import { createMemoryFiles } from '../../fakes/memory-files.js';
import { watchFiles } from '../../fakes/watched-files.js';
import { perTier } from '../../tier.js';

const OLD = 'S/core/2026-10';
const NEW = 'S/core/2026-11';
const SECOND = 1000;

/**
 * Sets up a list over two folders. `granularity`: milliseconds between two ticks of the disk's
 * clock; `skew`: how far it is ahead.
 */
function setUp({ granularity = 1, skew = 0 } = {}) {
  const clock = createTestClock();
  const tick = () => Math.floor((clock.now() + skew) / granularity) * granularity;
  const files = createMemoryFiles(tick);
  const watched = watchFiles(files);
  const listed: string[] = [];
  watched.beforeRead = (path) => void listed.push(path);
  const list = new SegmentList({ files: watched, root: 'S', folder: 'S/core', clock });
  for (const folder of [OLD, NEW]) files.put(`${folder}/a.jsonl`, 'x');
  const update = async () => {
    await list.update();
    return list.takeChanges();
  };
  const changes = async () => (await update()).changed.sort();
  /** Returns the folders with segments that one update lists. */
  const listedFolders = async () => {
    listed.length = 0;
    await list.update();
    return listed.filter((path) => path !== 'S/core').sort();
  };
  /** Updates until the list trusts the times of the folders, which it has seen to change. */
  const settle = async () => {
    await list.update();
    clock.advance(3 * SECOND);
    files.put(`${NEW}/z.jsonl`, 'x');
    for (let at = 0; at < 5; at++) {
      await update();
      clock.advance(31 * SECOND);
    }
    await update();
  };
  return { clock, files, watched, list, update, changes, listedFolders, settle };
}

describe('SegmentList', () => {
  it('lists an unchanged folder only until its time is settled', async () => {
    const { list, clock, listedFolders } = setUp();
    await list.update();
    expect(await listedFolders()).toEqual([OLD, NEW]);
    clock.advance(2 * SECOND);
    expect(await listedFolders()).toEqual([OLD, NEW]);
    expect(await listedFolders()).toEqual([]);
  });

  it('trusts a time with a fraction of a second after a tenth of one', async () => {
    const { list, clock, listedFolders } = setUp({ granularity: 10, skew: 250 });
    await list.update();
    clock.advance(99);
    expect(await listedFolders()).toEqual([OLD, NEW]);
    clock.advance(1);
    expect(await listedFolders()).toEqual([OLD, NEW]);
    expect(await listedFolders()).toEqual([]);
  });

  it('sees a file that was added to an old folder', async () => {
    const { files, settle, changes, list } = setUp();
    await settle();
    files.put(`${OLD}/b.jsonl`, 'x');
    expect(await changes()).toEqual([`${OLD}/b.jsonl`]);
    expect(list.has(`${OLD}/b.jsonl`)).toBe(true);
  });

  it('sees a file that was removed from an old folder', async () => {
    const { files, settle, changes, list } = setUp();
    await settle();
    await files.remove(`${OLD}/a.jsonl`);
    expect(await changes()).toEqual([`${OLD}/a.jsonl`]);
    expect(list.has(`${OLD}/a.jsonl`)).toBe(false);
  });

  it('sees a new folder at once', async () => {
    const { files, settle, changes } = setUp();
    await settle();
    files.put('S/core/2026-12/a.jsonl', 'x');
    expect(await changes()).toEqual(['S/core/2026-12/a.jsonl']);
  });

  it('names a folder in which a file was replaced', async () => {
    const { files, settle, update } = setUp();
    await settle();
    await files.remove(`${OLD}/a.jsonl`);
    files.put(`${OLD}/a.jsonl`, 'y');
    const { changed, relisted } = await update();
    expect([changed, relisted.has(OLD), relisted.has(NEW)]).toEqual([[], true, false]);
  });

  it.each([
    { granularity: 1000, skew: 0 },
    { granularity: 2000, skew: 0 },
    { granularity: 2000, skew: -3_600_000 },
    { granularity: 2000, skew: 3_600_000 },
  ])('misses no file on a disk with coarse times: %o', async (disk) => {
    const { files, clock, changes } = setUp(disk);
    await changes();
    for (let at = 0; at < 200; at++) {
      clock.advance(100 + ((at * 37) % 700));
      const path = `${OLD}/${at}.jsonl`;
      await changes();
      files.put(path, 'x');
      expect(await changes()).toEqual([path]);
    }
  });

  it.each([0, 3_600_003])(
    'misses no file on a disk whose clock has steps of 10 ms: %o',
    async (skew) => {
      const { files, clock, changes } = setUp({ granularity: 10, skew });
      await changes();
      for (let at = 0; at < perTier(500, 2000, 2000); at++) {
        clock.advance((at * 37) % 130);
        const path = `${OLD}/${at}.jsonl`;
        await changes();
        files.put(path, 'x');
        expect(await changes()).toEqual([path]);
      }
    },
  );

  it('misses no file while the clock is set back', async () => {
    const { files, clock, changes } = setUp({ granularity: 2000 });
    await changes();
    for (let at = 0; at < 50; at++) {
      clock.advance(2500);
      await changes();
      clock.set(clock.now() - 1000);
      files.put(`${OLD}/${at}.jsonl`, 'x');
      expect(await changes()).toEqual([`${OLD}/${at}.jsonl`]);
    }
  });

  it('always lists folders without times', async () => {
    const { watched, files, clock, list, listedFolders } = setUp();
    watched.stat = async (path) => {
      const info = await files.stat(path);
      return info && { ...info, mtime: 0 };
    };
    await list.update();
    clock.advance(3 * SECOND);
    await list.update();
    expect(await listedFolders()).toEqual([OLD, NEW]);
  });

  it('soon notices that the times of folders do not change, and then always lists', async () => {
    const { watched, files, clock, list, changes, listedFolders } = setUp();
    watched.stat = async (path) => {
      const info = await files.stat(path);
      return info && { ...info, mtime: path === NEW ? 2 : 1 };
    };
    await list.update();
    clock.advance(3 * SECOND);
    await list.update();
    list.takeChanges();
    files.put(`${NEW}/b.jsonl`, 'x');
    clock.advance(SECOND);
    expect(await changes()).toEqual([`${NEW}/b.jsonl`]);
    expect(await listedFolders()).toEqual([OLD, NEW]);
  });

  it('notices this too after this process has created a file', async () => {
    const { watched, files, clock, list, listedFolders } = setUp();
    watched.stat = async (path) => {
      const info = await files.stat(path);
      return info && { ...info, mtime: path === NEW ? 2 : 1 };
    };
    await list.update();
    clock.advance(3 * SECOND);
    await list.update();
    files.put(`${NEW}/own.jsonl`, 'x');
    list.add(`${NEW}/own.jsonl`);
    clock.advance(SECOND);
    await list.update();
    expect(await listedFolders()).toEqual([OLD, NEW]);
  });

  it('lists the folder that changed last every second until times are known to work', async () => {
    const { files, clock, list, listedFolders } = setUp();
    clock.advance(SECOND);
    files.put(`${NEW}/b.jsonl`, 'x');
    await list.update();
    clock.advance(3 * SECOND);
    await list.update();
    expect(await listedFolders()).toEqual([]);
    clock.advance(SECOND);
    expect(await listedFolders()).toEqual([NEW]);
    expect(await listedFolders()).toEqual([]);
  });

  it('still trusts times after a file was added within a step of the clock', async () => {
    const { files, clock, changes, listedFolders } = setUp({ granularity: 2000 });
    await changes();
    files.put(`${OLD}/b.jsonl`, 'x');
    expect(await changes()).toEqual([`${OLD}/b.jsonl`]);
    clock.advance(3 * SECOND);
    await changes();
    expect(await listedFolders()).toEqual([]);
  });

  it('still trusts times after this process has appended to a segment', async () => {
    const { settle, list, listedFolders } = setUp();
    await settle();
    list.add(`${NEW}/a.jsonl`);
    list.invalidate(`${NEW}/a.jsonl`);
    expect(await listedFolders()).toEqual([NEW]);
    expect(await listedFolders()).toEqual([]);
  });

  it('lists a folder that was replaced by another with the same time', async () => {
    const { settle, watched, files, listedFolders } = setUp();
    await settle();
    watched.stat = async (path) => {
      const info = await files.stat(path);
      return info && path === OLD ? { ...info, fileId: 'other' } : info;
    };
    expect(await listedFolders()).toEqual([OLD]);
  });

  it('lists one settled folder every 30 seconds, in turn', async () => {
    const { clock, settle, listedFolders } = setUp();
    await settle();
    const rounds: string[][] = [];
    for (let at = 0; at < 6; at++) {
      clock.advance(30 * SECOND);
      rounds.push(await listedFolders());
      expect(await listedFolders()).toEqual([]);
    }
    const turns = rounds.map((folders) => folders.join()).sort();
    const ofLane = ''; // the lane's own folder has a turn, too
    expect(turns).toEqual([ofLane, ofLane, OLD, OLD, NEW, NEW]);
  });

  it('lists the folder of an invalidated path', async () => {
    const { settle, list, listedFolders } = setUp();
    await settle();
    list.invalidate(`${OLD}/a.jsonl`);
    list.invalidate('S/trace/2026-10/a.jsonl');
    expect(await listedFolders()).toEqual([OLD]);
    expect(await listedFolders()).toEqual([]);
  });

  it('lists a folder again after a failure', async () => {
    const { settle, list, files, watched, changes } = setUp();
    await settle();
    files.put(`${OLD}/b.jsonl`, 'x');
    const fail = (path: string) => {
      if (path === OLD) throw new Error('busy');
    };
    const { beforeRead } = watched;
    watched.beforeRead = fail;
    await expect(list.update()).rejects.toThrow('busy');
    watched.beforeRead = beforeRead;
    expect(await changes()).toEqual([`${OLD}/b.jsonl`]);
  });

  it('always lists a folder with links', async () => {
    const { settle, watched, files, listedFolders, list } = setUp();
    const link: FolderEntry = { name: 'l.jsonl', kind: 'other', isLink: true };
    watched.list = async (folder) => {
      await watched.beforeRead(folder);
      const entries = await files.list(folder);
      return folder === OLD ? [...entries, link] : entries;
    };
    files.put(`${OLD}/b.jsonl`, 'x');
    await settle();
    expect(await listedFolders()).toEqual([OLD]);
    expect(list.unreadable()).toEqual([`${OLD}/l.jsonl`]);
  });

  it('follows only links to files in the data folder', async () => {
    const { list, watched, files } = setUp();
    const links: FolderEntry[] = [
      { name: 'inside.jsonl', kind: 'file', isLink: true },
      { name: 'outside.jsonl', kind: 'file', isLink: true },
      { name: 'outside.txt', kind: 'file', isLink: true },
      { name: 'broken.txt', kind: 'other', isLink: true },
      { name: '2026-10', kind: 'folder', isLink: true },
    ];
    watched.list = async (folder) => (folder === OLD ? links : files.list(folder));
    watched.isInside = (path, root) =>
      Promise.resolve(root === 'S' && !path.startsWith(`${OLD}/outside`));
    await list.update();
    expect(['inside', 'outside'].map((name) => list.has(`${OLD}/${name}.jsonl`))).toEqual([
      true,
      false,
    ]);
    expect(list.unreadable()).toEqual([`${OLD}/outside.jsonl`, `${OLD}/2026-10`]);
  });

  it('names no unreadable file in a folder that was never listed', () => {
    const { list } = setUp();
    list.add('S/core/2027-01/own.jsonl');
    expect(list.unreadable()).toEqual([]);
  });

  it('reports a segment of its own as removed even if it was never listed', async () => {
    const { list, changes } = setUp();
    list.add('S/core/2027-01/own.jsonl');
    expect(await changes()).toContain('S/core/2027-01/own.jsonl');
  });
});
