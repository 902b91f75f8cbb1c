import { describe, expect, it } from 'vitest';
import type { LogEvent } from '../../../src/model/event.js';
import { Refusal } from '../../../src/model/refusal.js';
import { findRecentEvents, MAX_RECENT_SEGMENTS } from '../../../src/storage/read/recent-events.js';
import { joinLines, lineOf } from '../../fakes/events.js';
import { createMemoryFiles, type MemoryFiles } from '../../fakes/memory-files.js';
import { createVault, putWorkspace, ROOT } from '../helpers.js';

let traces = 0;

function trace(ws: string, h: string) {
  return { t: 'trace.new', e: `t${++traces}`, h: `${h}.000Z.0000`, d: { ws, tool: 'x' } };
}

/** Writes one trace of a workspace into a segment. Returns the segment's path. */
function put(files: MemoryFiles, name: string, h: string, ws = 'garden'): string {
  const path = `${ROOT}/trace/${name}`;
  files.put(path, joinLines([lineOf(trace(ws, h))]));
  return path;
}

async function timesOf(
  files: MemoryFiles,
  limit: number,
  isIncluded: (event: LogEvent) => boolean = () => true,
): Promise<string[]> {
  const query = { files, root: ROOT, lane: 'trace', owner: 'garden', limit, isIncluded } as const;
  return (await findRecentEvents(query)).map(({ h }) => h.slice(0, 16));
}

/** Records the folders that are listed. */
function recordLists(files: MemoryFiles): string[] {
  const list = files.list.bind(files);
  const folders: string[] = [];
  files.list = (folder) => {
    folders.push(folder.slice(`${ROOT}/`.length));
    return list(folder);
  };
  return folders;
}

/** Records the names of the segments that are read. */
function recordReads(files: MemoryFiles): string[] {
  const read = files.read.bind(files);
  const names: string[] = [];
  files.read = (path, from, length) => {
    names.push(path.slice(path.lastIndexOf('/') + 1));
    return read(path, from, length);
  };
  return names;
}

describe('findRecentEvents', () => {
  it('returns the newest events of the owner, newest first, across days and months', async () => {
    const files = createMemoryFiles();
    put(files, '2026-10/20261031-a-0001.jsonl', '2026-10-31T10:00:00');
    put(files, '2026-11/20261120-a-0001.jsonl', '2026-11-20T10:00:00');
    put(files, '2026-11/20261120-b-0001.jsonl', '2026-11-20T11:00:00');
    put(files, '2026-11/20261121-b-0002.jsonl', '2026-11-21T11:00:00', 'other');
    expect(await timesOf(files, 3)).toEqual([
      '2026-11-20T11:00',
      '2026-11-20T10:00',
      '2026-10-31T10:00',
    ]);
    expect(await timesOf(files, 1)).toEqual(['2026-11-20T11:00']);
  });

  it('reads no segment of a day that is older than those found in later ones', async () => {
    const files = createMemoryFiles();
    const writers = ['aaaaaaaaaaaa', 'bbbbbbbbbbbb'];
    for (const w of writers)
      for (let at = 1; at <= 9; at++) {
        const hour = w === 'aaaaaaaaaaaa' ? at : at + 9;
        const h = `2026-11-20T${String(hour).padStart(2, '0')}:00:00`;
        const path = `${ROOT}/trace/2026-11/20261120-${w}-000${at}.jsonl`;
        files.put(path, joinLines([lineOf({ ...trace('garden', h), w, n: at })]));
      }
    const names = recordReads(files);
    expect(await timesOf(files, 3)).toEqual([
      '2026-11-20T18:00',
      '2026-11-20T17:00',
      '2026-11-20T16:00',
    ]);
    expect(names.filter((name) => name.includes(writers[0]!))).toHaveLength(2);
    expect(names.filter((name) => name.includes(writers[1]!))).toHaveLength(4);
    expect(await timesOf(files, 99)).toHaveLength(18);
  });

  it('reads on in a day behind a segment that holds lines of another writer', async () => {
    const files = createMemoryFiles();
    const path = (at: number) => `${ROOT}/trace/2026-11/20261120-aaaaaaaaaaaa-000${at}.jsonl`;
    const put = (at: number, w: string, h: string) =>
      files.put(path(at), joinLines([lineOf({ ...trace('garden', h), w, n: at })]));
    put(1, 'aaaaaaaaaaaa', '2026-11-20T12:00:00');
    put(2, 'bbbbbbbbbbbb', '2026-11-20T08:00:00');
    put(3, 'bbbbbbbbbbbb', '2026-11-20T09:00:00');
    expect(await timesOf(files, 1)).toEqual(['2026-11-20T12:00']);
  });

  it('reads no segment that is too old to matter', async () => {
    const files = createMemoryFiles();
    for (let day = 10; day < 25; day++)
      put(files, `2026-11/202611${day}-a-0001.jsonl`, `2026-11-${day}T10:00:00`);
    const names = recordReads(files);
    expect(await timesOf(files, 2)).toHaveLength(2);
    expect(names.map((name) => name.slice(0, 8)).sort()).toEqual([
      '20261122',
      '20261123',
      '20261124',
    ]);
  });

  it('lists no month that is too old to matter', async () => {
    const files = createMemoryFiles();
    for (const month of ['09', '11', '10', '12'])
      put(files, `2026-${month}/2026${month}15-a-0001.jsonl`, `2026-${month}-15T10:00:00`);
    files.put(`${ROOT}/trace/notes.txt`, 'x');
    const folders = recordLists(files);
    expect(await timesOf(files, 1)).toEqual(['2026-12-15T10:00']);
    expect(folders).toEqual(['trace', 'trace/2026-12', 'trace/2026-11']);
  });

  it('reads the days of a month from latest to earliest, even if its files are listed in another order', async () => {
    const files = createMemoryFiles();
    for (const day of [21, 10, 24, 22])
      put(files, `2026-11/202611${day}-a-0001.jsonl`, `2026-11-${day}T10:00:00`);
    const names = recordReads(files);
    expect(await timesOf(files, 1)).toEqual(['2026-11-24T10:00']);
    expect(names).toEqual(['20261124-a-0001.jsonl']);
  });

  it.each(['copy of 2026-09/notes.jsonl', '2026-11/copy of 20260901-a-0001.jsonl'])(
    'takes no day from the middle of a name: %s',
    async (name) => {
      const files = createMemoryFiles();
      put(files, name, '2026-11-25T10:00:00');
      put(files, '2026-11/20261120-a-0001.jsonl', '2026-11-20T10:00:00');
      put(files, '2026-10/20261001-a-0001.jsonl', '2026-10-01T10:00:00');
      expect(await timesOf(files, 1)).toEqual(['2026-11-25T10:00']);
    },
  );

  it('reads only segments: no links, folders, devices or other files', async () => {
    const files = createMemoryFiles();
    put(files, '2026-11/20261120-a-0001.jsonl', '2026-11-20T10:00:00');
    for (const name of ['notes.txt', '2026-11/notes.txt', 'a.jsonl/b', '2026-11/c.jsonl/d'])
      put(files, name, '2026-11-20T11:00:00');
    const list = files.list.bind(files);
    files.list = async (folder) => [
      ...(await list(folder)),
      { name: 'link.jsonl', kind: 'file', isLink: true },
      { name: 'device.jsonl', kind: 'other' },
      { name: 'linked', kind: 'folder', isLink: true },
    ];
    const folders = recordLists(files);
    const names = recordReads(files);
    expect(await timesOf(files, 5)).toEqual(['2026-11-20T10:00']);
    expect(names).toEqual(['20261120-a-0001.jsonl']);
    expect(folders).toEqual(['trace', 'trace/a.jsonl', 'trace/2026-11']);
  });

  it('omits events of another type and of later versions', async () => {
    const files = createMemoryFiles();
    const known = trace('garden', '2026-11-20T10:00:00');
    const lines = [known, { ...known, t: 'trace.old', n: 2 }, { ...known, v: 2, n: 3 }].map(lineOf);
    files.put(`${ROOT}/trace/a.jsonl`, joinLines(lines));
    for (const owner of ['garden', undefined]) {
      const query = { files, root: ROOT, lane: 'trace', owner, limit: 5 } as const;
      const found = await findRecentEvents({ ...query, isIncluded: () => true });
      expect(found.map(({ n }) => n)).toEqual([1]);
    }
  });

  it('fails if reading fails for another reason than the file', async () => {
    const files = createMemoryFiles();
    put(files, '2026-11/20261120-a-0001.jsonl', '2026-11-20T09:00:00');
    files.read = () => Promise.reject(new Error('It is broken.'));
    await expect(timesOf(files, 5)).rejects.toThrow('It is broken.');
  });

  it('finds an event that is dated a day ahead of its segment', async () => {
    const files = createMemoryFiles();
    put(files, '2026-11/20261120-a-0001.jsonl', '2026-11-21T09:00:00');
    put(files, '2026-11/20261121-b-0001.jsonl', '2026-11-21T08:00:00');
    expect(await timesOf(files, 1)).toEqual(['2026-11-21T09:00']);
  });

  it('reads segments without a day in their names first', async () => {
    const files = createMemoryFiles();
    put(files, 'copy.jsonl', '2026-11-24T09:00:00');
    put(files, '2026-11 (1)/20261123-a-0001 (1).jsonl', '2026-11-23T09:00:00');
    put(files, 'old/notes.jsonl', '2026-11-22T09:00:00');
    put(files, '2026-11/20261120-a-0001.jsonl', '2026-11-20T09:00:00');
    expect(await timesOf(files, 3)).toEqual([
      '2026-11-24T09:00',
      '2026-11-23T09:00',
      '2026-11-22T09:00',
    ]);
  });

  it('returns an event of two segments once, and omits excluded events', async () => {
    const files = createMemoryFiles();
    const path = put(files, '2026-11/20261120-a-0001.jsonl', '2026-11-20T09:00:00');
    files.put(path.replace('0001', '0001 (1)'), files.text(path));
    expect(await timesOf(files, 5)).toHaveLength(1);
    expect(await timesOf(files, 5, () => false)).toEqual([]);
  });

  it('skips a segment that cannot be read', async () => {
    const files = createMemoryFiles();
    put(files, '2026-11/20261120-a-0001.jsonl', '2026-11-20T09:00:00');
    const bad = put(files, '2026-11/20261120-b-0001.jsonl', '2026-11-20T10:00:00');
    const read = files.read.bind(files);
    files.read = (path, from, length) =>
      path === bad ? Promise.reject(new Refusal('Not downloaded.')) : read(path, from, length);
    expect(await timesOf(files, 5)).toEqual(['2026-11-20T09:00']);
  });

  it(`reads at most ${MAX_RECENT_SEGMENTS} segments`, async () => {
    const files = createMemoryFiles();
    for (let at = 0; at < MAX_RECENT_SEGMENTS + 10; at++)
      put(files, `2026-11/20261120-${at}-0001.jsonl`, '2026-11-20T09:00:00', 'other');
    put(files, '2026-10/20261001-a-0001.jsonl', '2026-10-01T09:00:00');
    const names = recordReads(files);
    const folders = recordLists(files);
    expect(await timesOf(files, 5)).toEqual([]);
    expect(names).toHaveLength(MAX_RECENT_SEGMENTS);
    expect(folders).toEqual(['trace', 'trace/2026-11']);
  });
});

it('events of all owners are found in a given number of segments', async () => {
  const files = createMemoryFiles();
  put(files, '2026-11/20261120-a-0001.jsonl', '2026-11-20T10:00:00');
  put(files, '2026-11/20261121-a-0001.jsonl', '2026-11-21T10:00:00', 'other');
  put(files, '2026-11/20261122-a-0001.jsonl', '2026-11-22T10:00:00');
  const found = await findRecentEvents({
    files,
    root: ROOT,
    lane: 'trace',
    owner: undefined,
    limit: 5,
    isIncluded: () => true,
    maxSegments: 2,
  });
  expect(found.map(({ d }) => d['ws'])).toEqual(['garden', 'other']);
});

describe('recent traces of a log', () => {
  it('are the same whether or not all traces have been read', async () => {
    const { open } = createVault();
    const log = open();
    await putWorkspace(log, 'One');
    for (let at = 0; at < 5; at++)
      await log.writeTrace({
        t: 'trace.new',
        e: `trace-${at}`,
        d: {
          ws: 'default',
          session: 's',
          toolset: 'a',
          tool: `tool-${at}`,
          input: '{}',
          outcome: 'ok',
          ok: true,
        },
      });
    const before = await log.recentTraces('default', 3);
    await log.traceEntries('default');
    expect(await log.recentTraces('default', 3)).toEqual(before);
    expect(before).toHaveLength(3);
  });
});
