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

  it('fails if reading a segment fails for an unknown reason', async () => {
    const files = createMemoryFiles();
    put(files, '2026-11/20261120-a-0001.jsonl', '2026-11-20T09:00:00');
    files.read = () => Promise.reject(new TypeError('A bug'));
    await expect(timesOf(files, 5)).rejects.toThrow('A bug');
  });

  it('omits events of other types and of later versions', async () => {
    const files = createMemoryFiles();
    const event = trace('garden', '2026-11-20T09:00:00');
    files.put(
      `${ROOT}/trace/2026-11/20261120-a-0001.jsonl`,
      joinLines([lineOf(event), lineOf({ ...event, n: 2, v: 2 }), lineOf({ ...event, n: 3, t: 'set' })]), // prettier-ignore
    );
    expect(await timesOf(files, 5)).toHaveLength(1);
  });

  it('reads neither links nor files that are no segments', async () => {
    const files = createMemoryFiles();
    const inner = put(files, '2026-11/20261120-a-0001.jsonl', '2026-11-20T09:00:00');
    const [folder, name] = [inner.slice(0, inner.lastIndexOf('/')), inner.split('/').at(-1)!];
    for (const path of ['2026-11/notes.txt', 'notes.txt', '2026-11/20261121-a-0001.jsonl'])
      put(files, path, '2026-11-21T09:00:00');
    put(files, 'linked.jsonl', '2026-11-22T09:00:00');
    put(files, '2026-12/20261201-a-0001.jsonl', '2026-12-01T09:00:00');
    await files.createFolder(`${ROOT}/trace/2026-11/20261123-a-0001.jsonl`);
    await files.createFolder(`${ROOT}/trace/folder.jsonl`);
    const list = files.list.bind(files);
    const links = new Set(['20261121-a-0001.jsonl', 'linked.jsonl', '2026-12']);
    files.list = async (path) =>
      (await list(path)).map((entry) =>
        links.has(entry.name) ? { ...entry, isLink: true } : entry,
      );
    const names = recordReads(files);
    expect(await timesOf(files, 5)).toEqual(['2026-11-20T09:00']);
    expect([folder, ...names]).toEqual([`${ROOT}/trace/2026-11`, name]);
  });

  it('reads the days of each month latest first, whatever the order of the folder', async () => {
    const files = createMemoryFiles();
    for (const day of [12, 14, 11, 13])
      put(files, `2026-11/202611${day}-a-0001.jsonl`, `2026-11-${day}T10:00:00`);
    put(files, '2025-12/20251231-a-0001.jsonl', '2025-12-31T10:00:00');
    put(files, 'x 2026-13/20261110-a-0001.jsonl', '2026-11-10T10:00:00');
    put(files, '2026-11/x 20261001-a-0001.jsonl', '2026-10-01T10:00:00');
    const names = recordReads(files);
    expect(await timesOf(files, 1)).toEqual(['2026-11-14T10:00']);
    expect(names).toEqual([
      '20261110-a-0001.jsonl', // in a folder whose name gives no month
      'x 20261001-a-0001.jsonl',
      '20261114-a-0001.jsonl',
      '20261113-a-0001.jsonl',
    ]);
  });

  it(`reads at most ${MAX_RECENT_SEGMENTS} segments`, async () => {
    const files = createMemoryFiles();
    for (let at = 0; at < MAX_RECENT_SEGMENTS + 10; at++)
      put(files, `2026-11/20261120-${at}-0001.jsonl`, '2026-11-20T09:00:00', 'other');
    put(files, '2026-10/20261001-a-0001.jsonl', '2026-10-01T09:00:00');
    const names = recordReads(files);
    expect(await timesOf(files, 5)).toEqual([]);
    expect(names).toHaveLength(MAX_RECENT_SEGMENTS);
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
          agent: 'a',
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
