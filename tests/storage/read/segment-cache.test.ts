import { describe, expect, it } from 'vitest';
import { allWorkspaces } from '../../../src/model/lookup.js';
import type { Draft } from '../../../src/model/event.js';
import type { Cache } from '../../../src/storage/read/cache.js';
import { SegmentCache, type SegmentCacheOptions } from '../../../src/storage/read/segment-cache.js';
import type { Log } from '../../../src/storage/vault-log.js';
import { createMemoryCache } from '../../fakes/memory-cache.js';
import { createVault, putWorkspace, ROOT } from '../helpers.js';
import { createEagerScheduler } from '../../fakes/eager-scheduler.js';
import { NOOP_SCHEDULER } from '../../../src/platform/scheduler.js';

const TRACE: Draft = { t: 'trace.new', e: 'one', d: { ws: 'default', tool: 'x' } };

async function turn(): Promise<void> {
  for (let ticks = 0; ticks < 50; ticks++) await Promise.resolve();
}

async function readAll(log: Log): Promise<void> {
  await log.memory();
  await log.conversations();
  await log.traceEntries('default');
}

/** Creates a vault with a segment in each lane, and a cache that records its saves. */
async function setUp() {
  const vault = createVault();
  const writer = vault.open();
  await putWorkspace(writer, 'Plan');
  await writer.writeTrace(TRACE);
  await writer.writeChat({ t: 'msg.new', e: 'm', d: { conv: 'c' } });
  await writer.close();
  const memory = createMemoryCache();
  const saves: string[][] = [];
  const cache: Cache = {
    ...memory,
    save(lane, records, gone) {
      saves.push(records.map(({ path }) => path));
      return memory.save(lane, records, gone);
    },
  };
  const { reads, tails } = vault.watched;
  reads.length = tails.length = 0;
  const paths = vault.files.paths().filter((path) => path.endsWith('.jsonl'));
  return { ...vault, cache, memory, saves, reads, tails, paths };
}

const failing: Cache = {
  load: () => Promise.reject(new Error('It is refused.')),
  save: () => Promise.reject(new Error('It is refused.')),
  clear: () => Promise.reject(new Error('It is refused.')),
};

describe('a log with a cache', () => {
  it('saves everything it has read in one batch per lane after a delay', async () => {
    const { open, cache, clock, saves, memory } = await setUp();
    const log = open({ cache });
    await readAll(log);
    clock.advance(1999);
    await turn();
    expect(saves).toEqual([]);
    clock.advance(1);
    await turn();
    expect(saves.map((paths) => paths.length)).toEqual([1, 1, 1]);
    expect([...memory.records.keys()].sort()).toEqual(['chat', 'core', 'trace']);
  });

  it('reads only the end of cached segments, and saves nothing new', async () => {
    const { open, cache, reads, tails, paths, saves } = await setUp();
    const first = open({ cache });
    await readAll(first);
    await first.close();
    saves.length = reads.length = tails.length = 0;
    const second = open({ cache });
    await readAll(second);
    expect(reads).toEqual(tails);
    expect([...tails].sort()).toEqual([...paths].sort());
    expect(await second.readTraces(await second.traceEntries('default'))).toHaveLength(1);
    await second.close();
    expect(saves).toEqual([]);
  });

  it('detects a power cut that zeroed the end of a segment', async () => {
    const { open, cache, files, paths } = await setUp();
    const first = open({ cache });
    await readAll(first);
    await first.close();
    for (const path of paths) {
      const bytes = (await files.read(path))!;
      files.put(
        path,
        bytes.map((byte, at) => (at < bytes.length - 8 ? byte : 0)),
      );
    }
    const second = open({ cache });
    expect(await second.traceEntries('default')).toEqual([]);
    expect(allWorkspaces(await second.memory()).map(({ item }) => item.name)).toEqual(['Default']);
    await second.close();
  });

  it('caches only the given lanes', async () => {
    const { open, cache, memory } = await setUp();
    const log = open({ cache, cachedLanes: ['trace'] });
    await readAll(log);
    await log.close();
    expect([...memory.records.keys()]).toEqual(['trace']);
  });

  it('removes deleted segments while it runs', async () => {
    const { open, cache, memory, files, paths } = await setUp();
    const [log, watching] = [open({ cache }), open({ cache })];
    await readAll(log);
    await log.close();
    await readAll(watching);
    for (const path of paths) await files.remove(path);
    const [core, ...others] = [...memory.records.values()];
    expect([core?.size, ...others.map((held) => held.size)]).toEqual([1, 1, 1]);
    await readAll(watching);
    await watching.close();
    expect([...memory.records.values()].map((held) => held.size)).toEqual([0, 0, 0]);
  });

  it('removes missing segments and those of another folder at its start', async () => {
    const { open, cache, memory, files, paths } = await setUp();
    const log = open({ cache });
    await readAll(log);
    await log.close();
    await files.remove(paths[0]!);
    await memory.save('core', [{ path: 'Elsewhere/core/a.jsonl', bytes: Uint8Array.of(1) }]);
    const next = open({ cache });
    await readAll(next);
    await next.close();
    expect([...memory.records.values()].flatMap((held) => [...held.keys()]).sort()).toEqual(
      paths.slice(1).sort(),
    );
  });

  it('saves a growing segment again after 16 KB or its seal', async () => {
    const { open, cache, clock, saves } = await setUp();
    const log = open({ cache });
    await readAll(log);
    clock.advance(2000);
    await turn();
    saves.length = 0;
    for (let n = 0; n < 3; n++) {
      await putWorkspace(log, `Small ${n}`, 4000);
      clock.advance(2000);
      await turn();
    }
    expect(saves).toEqual([]);
    await putWorkspace(log, 'Large', 8000);
    clock.advance(2000);
    await turn();
    expect(saves).toHaveLength(1);
    clock.advance(86_400_000);
    await putWorkspace(log, 'Tomorrow');
    clock.advance(2000);
    await turn();
    expect(saves.slice(1)).toEqual([saves[0]]);
  });

  it('works if the cache fails, and warns once', async () => {
    const { open, warnings, clock } = await setUp();
    const log = open({ cache: failing });
    await readAll(log);
    await putWorkspace(log, 'Other', 20_000);
    expect(await log.traceEntries('default')).toHaveLength(1);
    clock.advance(60_000);
    await turn();
    await log.close();
    expect(warnings).toEqual([
      'The startup cache is off: It is refused. No data is lost; starts take longer.',
    ]);
  });

  it('reads the files if the cache is full, and warns once', async () => {
    const { open, warnings, clock } = await setUp();
    const log = open({
      cache: { ...createMemoryCache(), save: () => Promise.reject(new Error('It is full.')) },
    });
    await readAll(log);
    clock.advance(2000);
    await turn();
    await putWorkspace(log, 'Other', 20_000);
    clock.advance(2000);
    await log.close();
    expect(warnings).toHaveLength(1);
  });

  it('closes even if the cache never responds', async () => {
    const { open, clock } = await setUp();
    const log = open({
      cache: { ...createMemoryCache(), save: () => new Promise(() => undefined) },
    });
    await readAll(log);
    let isClosed = false;
    const closing = log.close().then(() => (isClosed = true));
    await turn();
    expect(isClosed).toBe(false);
    clock.advance(3000);
    await closing;
  });

  it('rereads changed segments after the first listing fails', async () => {
    const { open, cache, watched, files, reads, tails, paths } = await setUp();
    const first = open({ cache });
    await readAll(first);
    await first.close();
    reads.length = tails.length = 0;
    const next = open({ cache });
    watched.beforeRead = (path) => {
      if (path === `${ROOT}/core`) throw new Error('It is away.');
    };
    await expect(next.memory()).rejects.toThrow('It is away.');
    watched.beforeRead = () => undefined;
    files.put(
      paths.find((path) => path.includes('/trace/'))!,
      '',
    );
    await readAll(next);
    expect(reads.filter((path) => path.endsWith('.jsonl') && !tails.includes(path))).toEqual(
      paths.filter((path) => path.includes('/trace/')),
    );
    expect(await next.traceEntries('default')).toEqual([]);
  });
});

describe('SegmentCache', () => {
  const PATHS = ['a', 'b', 'c'].map((name) => `${ROOT}/core/${name}.jsonl`);

  function setUpCache(more: Partial<SegmentCacheOptions> = {}) {
    const { files, clock } = createVault();
    const memory = createMemoryCache();
    const [saves, warnings]: [{ kept: string[]; gone: readonly string[] }[], string[]] = [[], []];
    const cache: Cache = {
      ...memory,
      save(lane, records, gone = []) {
        saves.push({ kept: records.map(({ path }) => path), gone });
        return memory.save(lane, records, gone);
      },
    };
    const warn = (message: string) => void warnings.push(message);
    const segmentCache = new SegmentCache({
      cache,
      lane: 'core',
      files,
      clock,
      warn,
      scheduler: NOOP_SCHEDULER,
      ...more,
    });
    const persist = (path: string, bytes: Uint8Array, size = bytes.length) =>
      segmentCache.persist(path, { kind: 'file', size, mtime: 0 }, bytes, {
        lines: [],
        problems: [],
        settled: 0,
      });
    const pass = async () => {
      clock.advance(2000);
      await turn();
    };
    return { files, memory, saves, warnings, segmentCache, persist, pass };
  }

  it('saves about a megabyte at a time, in whole records', async () => {
    const { saves, persist, pass } = setUpCache();
    for (const path of PATHS) persist(path, new Uint8Array(600_000));
    await pass();
    expect(saves.map(({ kept }) => kept)).toEqual([PATHS.slice(0, 2), PATHS.slice(2)]);
  });

  it('yields to the host before each save, and after each read', async () => {
    const { scheduler, turns } = createEagerScheduler();
    const { files, segmentCache, saves, persist, pass } = setUpCache({ scheduler });
    for (const path of PATHS) persist(path, new Uint8Array(600_000));
    await pass();
    expect([turns(), saves.length]).toEqual([2, 2]);
    files.put(PATHS[0]!, 'x');
    segmentCache.appended(PATHS[0]!, 1, true);
    await pass();
    expect([turns(), saves.length]).toEqual([4, 3]);
  });

  it('caches no segment whose size differs from its file info', async () => {
    const { saves, persist, pass } = setUpCache();
    persist(PATHS[0]!, new Uint8Array(5), 6);
    await pass();
    expect(saves).toEqual([]);
  });

  it('removes the saved and the unsaved record of a segment', async () => {
    const { saves, segmentCache, persist, pass } = setUpCache();
    persist(PATHS[0]!, new Uint8Array(5));
    segmentCache.remove(PATHS[0]!);
    await pass();
    expect(saves).toEqual([{ kept: [], gone: [PATHS[0]] }]);
  });

  it('prunes only records of missing segments, then serves no records', async () => {
    const { memory, saves, segmentCache, pass } = setUpCache();
    await memory.save(
      'core',
      PATHS.map((path) => ({ path, bytes: new Uint8Array(1) })),
    );
    await segmentCache.load();
    segmentCache.prune((path) => path !== PATHS[0]);
    expect(segmentCache.take(PATHS[1]!, { kind: 'file', size: 1, mtime: 0 })).toBeUndefined();
    await pass();
    expect(saves).toEqual([{ kept: [], gone: [PATHS[0]] }]);
    segmentCache.prune(() => false);
    await pass();
    expect(saves).toHaveLength(1);
  });

  it('warns once if its store fails, and never uses it again', async () => {
    let asked = 0;
    const fail = () => (asked++, Promise.reject(new Error('It is refused.')));
    const { warnings, segmentCache, persist, pass } = setUpCache({
      cache: { load: fail, save: fail, clear: fail },
    });
    persist(PATHS[0]!, new Uint8Array(5));
    await Promise.all([segmentCache.load(), pass()]);
    persist(PATHS[1]!, new Uint8Array(5));
    await pass();
    await segmentCache.close();
    expect([asked, warnings]).toEqual([
      1,
      ['The startup cache is off: It is refused. No data is lost; starts take longer.'],
    ]);
  });

  it('warns once if loading and saving fail at the same time', async () => {
    let respond = () => undefined as void;
    const response = new Promise<void>((resolve) => (respond = resolve));
    const fail = () => response.then(() => Promise.reject(new Error('It is refused.')));
    const { warnings, segmentCache, persist, pass } = setUpCache({
      cache: { load: fail, save: fail, clear: fail },
    });
    const loaded = segmentCache.load();
    persist(PATHS[0]!, new Uint8Array(5));
    await pass();
    respond();
    await loaded;
    await segmentCache.close();
    expect(warnings).toHaveLength(1);
  });
});
