import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Cache } from '../../src/storage/read/cache.js';
import type { Files } from '../../src/platform/files.js';
import type { WriterIndex } from '../../src/storage/read/writer-index.js';
import { SegmentCache } from '../../src/storage/read/segment-cache.js';
import { LANES, type LaneName } from '../../src/storage/format/lanes.js';
import { createLog } from '../../src/storage/vault-log.js';
import { EventIndex } from '../../src/storage/read/event-index.js';
import { parseSegment } from '../../src/storage/format/segment.js';
import { LaneReader } from '../../src/storage/read/reader.js';
import { canonicalMemory } from '../fakes/canonical.js';
import {
  createMemoryIdentities,
  createTestClock,
  createTestRandom,
} from '../fakes/deterministic.js';
import { joinLines, lineOf } from '../fakes/events.js';
import { createMemoryCache, type MemoryCache } from '../fakes/memory-cache.js';
import { createMemoryFiles, type MemoryFiles } from '../fakes/memory-files.js';
import { randomLogs } from '../storage/random-logs.js';
import { keyOf, mutation, segment } from './segments.js';
import { runs } from './runs.js';
import { NOOP_SCHEDULER } from '../../src/platform/scheduler.js';

const PATH = 'S/trace/2026-11/a.jsonl';

/** Returns everything that a newly started reader finds. */
async function readAll(files: Files, lane: LaneName, cache?: Cache): Promise<unknown> {
  const writers: WriterIndex = new Map();
  const places = new EventIndex(lane === 'chat' ? 'chat' : 'trace');
  const warn = (message: string) => {
    throw new Error(message);
  };
  const segmentCache =
    cache &&
    new SegmentCache({
      cache,
      lane,
      files,
      clock: createTestClock(),
      warn,
      scheduler: NOOP_SCHEDULER,
    });
  const placed = (...args: Parameters<typeof places.update>) => void places.update(...args);
  const reader = new LaneReader(files, 'S', lane, writers, {
    cache: segmentCache,
    onLines: placed,
  });
  const found = await reader.scan();
  const events = found
    .map(({ event: { v, w, n, c, h, t }, path, from, to }) =>
      JSON.stringify([w, n, c, h, v, t, path, from, to]),
    )
    .sort();
  await segmentCache?.close();
  const entries = await Promise.all(['default', 'one'].map((owner) => places.locationsOf(owner)));
  return { events, writers, problems: reader.problems(), entries };
}

function traces(count: number): Uint8Array {
  const drafts = Array.from({ length: count }, (_, at) => ({
    t: 'trace.new',
    e: `t${at}`,
    d: { ws: at % 2 ? 'default' : 'one', input: 'é' },
  }));
  const lines = [
    { t: 'log.seg', e: '', d: { fmt: 1 } },
    ...drafts,
    { t: 'log.seal', e: '', d: { count } },
  ];
  return joinLines(lines.map((draft, at) => lineOf({ ...draft, n: at + 1 })));
}

describe('invariant 3: a reader with a cache finds the same as one without', () => {
  it.each(LANES)('at every length of a growing segment, in the lane %s', async (lane) => {
    const whole = traces(4);
    let time = 0;
    const files = createMemoryFiles(() => ++time);
    const cache = createMemoryCache();
    for (let to = 0; to <= whole.length; to++) {
      files.put(`S/${lane}/a.jsonl`, whole.subarray(0, to));
      const expected = await readAll(files, lane);
      expect(await readAll(files, lane, cache)).toEqual(expected);
      expect(await readAll(files, lane, cache)).toEqual(expected);
      const hasEvents = parseSegment(whole.subarray(0, to)).lines.length > 0;
      expect(cache.records.get(lane)?.size ?? 0).toBe(hasEvents ? 1 : 0);
    }
  });

  it.each(LANES)('at any length of a damaged segment, in the lane %s', async (lane) => {
    await fc.assert(
      fc.asyncProperty(
        segment,
        segment,
        fc.array(mutation, { maxLength: 3 }),
        fc.array(fc.nat(2000), { maxLength: 4 }),
        async (one, other, mutations, cuts) => {
          const raw = mutations.reduce((bytes, mutate) => mutate(bytes, other.bytes), one.bytes);
          let time = 0;
          const files = createMemoryFiles(() => ++time);
          const cache = createMemoryCache();
          for (const to of [...cuts.sort((a, b) => a - b), raw.length]) {
            files.put(`S/${lane}/a.jsonl`, raw.slice(0, to));
            const expected = await readAll(files, lane);
            for (let again = 0; again < 2; again++)
              expect(await readAll(files, lane, cache)).toEqual(expected);
          }
        },
      ),
      runs(0.2),
    );
  });

  it('as a cached segment keeps growing', async () => {
    await fc.assert(
      fc.asyncProperty(
        segment,
        fc.array(fc.nat(2000), { minLength: 1, maxLength: 5 }),
        fc.nat(2000),
        async ({ bytes }, cuts, first) => {
          let time = 0;
          const files = createMemoryFiles(() => ++time);
          const cache = createMemoryCache();
          files.put(PATH, bytes.slice(0, first));
          await readAll(files, 'trace', cache);
          const warn = () => undefined;
          const segmentCache = new SegmentCache({
            cache,
            lane: 'trace',
            files,
            clock: createTestClock(),
            warn,
            scheduler: NOOP_SCHEDULER,
          });
          const reader = new LaneReader(files, 'S', 'trace', new Map(), { cache: segmentCache });
          const held = new Set<string>();
          for (const to of [
            first,
            ...cuts.map((cut) => first + cut).sort((a, b) => a - b),
            bytes.length,
          ]) {
            files.put(PATH, bytes.slice(0, to));
            for (const { event } of await reader.scan()) held.add(keyOf(event));
          }
          const fresh = new LaneReader(files, 'S', 'trace', new Map());
          expect([...held].sort()).toEqual(
            (await fresh.scan()).map(({ event }) => keyOf(event)).sort(),
          );
          expect(reader.problems()).toEqual(fresh.problems());
        },
      ),
      runs(0.3),
    );
  });
});

type Step = (
  files: MemoryFiles,
  cache: MemoryCache,
  old: Map<LaneName, Map<string, Uint8Array>>[],
) => void | Promise<void>;

const copyOf = ({ records }: MemoryCache) =>
  new Map([...records].map(([lane, held]) => [lane, new Map(held)]));

/** A change to the files or the cache between two starts. */
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(fc.nat(), mutation).map(([which, mutate]): Step => async (files) => {
    const path = files.paths()[which % Math.max(1, files.paths().length)];
    if (path) files.put(path, mutate((await files.read(path))!, new Uint8Array()));
  }),
  fc.tuple(fc.nat(), fc.boolean()).map(([which, isCopy]): Step => async (files) => {
    const path = files.paths()[which % Math.max(1, files.paths().length)];
    if (!path) return;
    files.put(path.replace('.jsonl', ` ${which % 3}.jsonl`), (await files.read(path))!);
    if (!isCopy) await files.remove(path);
  }),
  fc.nat().map((which): Step => async (files) => {
    const path = files.paths()[which % Math.max(1, files.paths().length)];
    if (path) await files.remove(path);
  }),
  fc.constant<Step>((_, cache) => cache.clear()),
  fc.constant<Step>((_, cache, old) => void old.push(copyOf(cache))),
  fc.nat().map((which): Step => (_, cache, old) => {
    for (const [lane, held] of old[which % Math.max(1, old.length)] ?? [])
      cache.records.set(lane, new Map(held));
  }),
  fc.tuple(fc.nat(), fc.nat(), fc.nat(255)).map(([which, at, byte]): Step => (_, { records }) => {
    const all = [...records.values()].flatMap((held) => [...held]);
    const bytes = all[which % Math.max(1, all.length)]?.[1];
    if (bytes && bytes.length > 0) bytes[at % bytes.length] = byte;
  }),
);

async function summaryOf(files: Files, cache?: Cache): Promise<unknown> {
  const log = createLog({
    files,
    root: 'S',
    identities: createMemoryIdentities(),
    clock: createTestClock(),
    random: createTestRandom(),
    app: 'test',
    device: 'test',
    warn: (message: string) => expect.fail(message),
    ...(cache && { cache }),
  });
  const [memory, conversations] = [
    canonicalMemory(await log.memory()),
    canonicalMemory(await log.conversations()),
  ];
  const entries = await Promise.all(
    ['default', 'one', 'two'].map((owner) => log.traceEntries(owner)),
  );
  const messages = await Promise.all(['default', 'one'].map((owner) => log.messages(owner)));
  const traces = await Promise.all(entries.map((each) => log.readTraces(each)));
  await log.close();
  // An event in two files may be located in either.
  const events = entries.map((each) => each.map(({ w, n, c, h, owner }) => [w, n, c, h, owner]));
  return { memory, conversations, events, messages, traces };
}

it('a log reads the same with a valid, missing, damaged or old cache', async () => {
  const placed = fc.array(fc.tuple(fc.constantFrom('default', 'one'), fc.boolean()), {
    maxLength: 8,
  });
  await fc.assert(
    fc.asyncProperty(
      randomLogs,
      placed,
      fc.array(step, { maxLength: 8 }),
      async (lines, owners, steps) => {
        let time = 0;
        const files = createMemoryFiles(() => ++time);
        const cache = createMemoryCache();
        const old: Map<LaneName, Map<string, Uint8Array>>[] = [];
        const put = (lane: LaneName, bytes: Uint8Array) =>
          bytes.length > 0 && files.put(`S/${lane}/2026-11/a.jsonl`, bytes);
        for (const lane of LANES) put(lane, joinLines(lines.filter((line) => line.lane === lane)));
        for (const [at, [owner, isTrace]] of owners.entries()) {
          const { bytes } = lineOf(
            isTrace
              ? {
                  t: 'trace.new',
                  w: 'eeeeeeeeeeee',
                  n: at + 1,
                  e: `t${at}`,
                  d: { ws: owner, tool: 'x' },
                }
              : { t: 'msg.new', w: 'ffffffffffff', n: at + 1, e: `m${at}`, d: { conv: owner } },
          );
          files.put(`S/${isTrace ? 'trace' : 'chat'}/b${at % 3}.jsonl`, bytes);
        }
        for (const each of [() => undefined, ...steps]) {
          await each(files, cache, old);
          const expected = await summaryOf(files);
          expect(await summaryOf(files, cache)).toEqual(expected);
        }
      },
    ),
    runs(0.15),
  );
});
