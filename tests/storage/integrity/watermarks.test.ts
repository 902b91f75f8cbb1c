import { describe, expect, it } from 'vitest';
import {
  compareStamps,
  type Draft,
  type Json,
  type JsonObject,
  type LogEvent,
} from '../../../src/model/event.js';
import type { WriterIndex } from '../../../src/storage/read/writer-index.js';
import type { LaneName } from '../../../src/storage/format/lanes.js';
import { watermarkOf } from '../../../src/storage/format/watermark.js';
import { Watermarks, type WatermarksOptions } from '../../../src/storage/integrity/watermarks.js';
import { verify } from '../../../src/storage/integrity/verify.js';
import { createTestClock } from '../../fakes/deterministic.js';
import { clockText, lineOf, WRITER_A, WRITER_B } from '../../fakes/events.js';
import { createVault, eventsIn, putWorkspace, ROOT, segmentsIn } from '../helpers.js';
import { inFull } from '../../tier.js';

const itInFull = it.runIf(inFull('thousands of writers'));

const writersIn = (event: LogEvent) => watermarkOf(event)!.seen.map(({ writer }) => writer);

/** Kills the program after each write, so that it uses a new writer each time. */
async function killedRepeatedly(times: number) {
  const vault = createVault();
  for (let run = 0; run < times; run++) {
    const log = vault.open();
    await log.memory();
    await putWorkspace(log, `Plan ${run}`);
  }
  const watermarks = (await eventsIn(vault.files))
    .filter(({ t }) => t === 'log.mark')
    .sort(compareStamps);
  return {
    ...vault,
    watermarks,
    announced: watermarks.flatMap(writersIn),
  };
}

describe('watermarks at the start of segments', () => {
  itInFull('grow linearly with the number of writers', async () => {
    const [few, many] = [await killedRepeatedly(40), await killedRepeatedly(160)];
    expect(many.announced.length).toBeLessThan(5 * few.announced.length);
    expect(many.announced.length).toBeLessThan(4 * 160);
    expect(many.watermarks).toHaveLength(159);
  });

  it('cover every writer, so that the loss of any file is detected', async () => {
    const { files, clock } = await killedRepeatedly(20);
    const segments = (await segmentsIn(files)).sort((a, b) =>
      compareStamps(a.events[0]!, b.events[0]!),
    );
    for (const { path, bytes, events } of segments.slice(0, -1)) {
      await files.remove(path);
      const { isWhole, writers } = await verify(files, ROOT, { now: clock.now() });
      expect(isWhole).toBe(false);
      expect(writers.find(({ writer }) => writer === events[0]!.w)?.missing).not.toEqual([]);
      files.put(path, bytes);
    }
  });

  it('list all writers periodically', async () => {
    const { watermarks } = await killedRepeatedly(40);
    const whole = watermarks.filter(({ d }) => d['all'] === true);
    expect(whole.length).toBeGreaterThan(3);
    for (const mark of whole)
      expect(writersIn(mark)).toHaveLength(watermarks.findIndex(({ w }) => w === mark.w) + 1);
  });
});

/** Returns the id of a writer: `w` and a number in letters. */
function idOf(at: number): string {
  const digits = String(at).padStart(11, '0');
  return `w${digits.replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)]!)}`;
}

const HASH = 'f'.repeat(32);

describe('Watermarks', () => {
  /** Has seen two events of each writer, the first of which is this process's own. */
  function setUp(writers: number, more: Partial<WatermarksOptions> = {}, lane: LaneName = 'core') {
    const index: WriterIndex = new Map(
      Array.from({ length: writers }, (_, at) => [
        idOf(at),
        {
          lane,
          crcs: [],
          outOfOrder: new Map<number, string>(),
          hashes: new Map([[2, HASH]]),
          forks: new Set<string>(),
          lastNumber: 2,
          lastDataNumber: 2,
          segments: 1,
        },
      ]),
    );
    const watermarks = new Watermarks({
      writers: index,
      clock: createTestClock(),
      warn: () => undefined,
      device: 'here',
      write: () => Promise.resolve(),
      ownWriters: () => ({ core: idOf(0), others: [] }),
      ...more,
    });
    watermarks.observe(lineOf({ t: 'log.seg', w: WRITER_A, d: { device: 'here' } }).event);
    watermarks.observe(lineOf({ t: 'log.seg', w: WRITER_B, d: { device: 'elsewhere' } }).event);
    return { watermarks, index };
  }

  /** The data of a watermark that mentions the second event of some writers. */
  const seenOf = (...writers: readonly number[]) => ({
    seen: { core: Object.fromEntries(writers.map((at): [string, Json] => [idOf(at), [2, HASH]])) },
  });

  const seenIn = (drafts: readonly Draft[]) =>
    drafts.flatMap(({ d }) =>
      Object.entries((d['seen'] as Record<string, JsonObject>)['core'] ?? {}),
    );

  it('ignores other events, later versions and values that are not numbers', () => {
    const { watermarks } = setUp(2);
    for (const fields of [
      { t: 'thing.new', d: seenOf(1) },
      { t: 'log.mark', v: 2, d: seenOf(1) },
      { t: 'log.mark', d: { seen: { core: { [idOf(1)]: ['2'] } } } },
      { t: 'log.mark', d: { seen: { core: { [idOf(1)]: 2 } } } },
      { t: 'log.mark', d: { seen: { [idOf(1)]: [2] } } },
      { t: 'log.mark', d: { seen: { core: [2], else: { [idOf(1)]: [2] } } } },
      { t: 'log.mark' },
    ])
      watermarks.observe(lineOf(fields).event);
    expect(seenIn(watermarks.draft())).toEqual([[idOf(1), [2, HASH]]]);
    watermarks.observe(lineOf({ t: 'log.mark', d: seenOf(1) }).event);
    expect(watermarks.draft()).toEqual([]);
  });

  it('announces events that only other devices have announced', () => {
    const { watermarks } = setUp(3);
    watermarks.observe(lineOf({ t: 'log.mark', w: WRITER_B, d: seenOf(1, 2) }).event);
    watermarks.observe(lineOf({ t: 'log.mark', w: WRITER_A, d: seenOf(2) }).event);
    expect(seenIn(watermarks.draft())).toEqual([[idOf(1), [2, HASH]]]);
  });

  it('takes the name of a device only from `log.seg` events of this version', () => {
    const { watermarks } = setUp(2);
    for (const fields of [
      { t: 'thing.new', d: { device: 'elsewhere' } },
      { t: 'log.seg', d: { device: 5 } },
      { t: 'log.seg', v: 2, d: { device: 'elsewhere' } },
    ])
      watermarks.observe(lineOf({ w: WRITER_A, ...fields }).event);
    watermarks.observe(lineOf({ t: 'log.mark', w: WRITER_A, d: seenOf(1) }).event);
    expect(watermarks.draft()).toEqual([]);
  });

  it('mentions no writers that have only written `log.*` events', () => {
    const { watermarks, index } = setUp(2);
    index.get(idOf(1))!.lastDataNumber = 0;
    expect(watermarks.draftForNewSegment()).toEqual([]);
  });

  it('takes the later of two mentions of the same number', () => {
    const { watermarks } = setUp(2);
    watermarks.observe(lineOf({ t: 'log.mark', d: { seen: { core: { [idOf(1)]: [2] } } } }).event);
    watermarks.observe(lineOf({ t: 'log.mark', n: 2, d: seenOf(1) }).event);
    expect(watermarks.announced(idOf(1))?.hash).toBe(HASH);
  });

  it('returns the last event of a writer that any watermark mentions', () => {
    const { watermarks } = setUp(2);
    expect(watermarks.announced(idOf(1))).toBeUndefined();
    watermarks.observe(lineOf({ t: 'log.mark', w: WRITER_B, d: seenOf(1) }).event);
    const later = { seen: { trace: { [idOf(1)]: [7] } } };
    watermarks.observe(lineOf({ t: 'log.mark', d: later }).event);
    watermarks.observe(lineOf({ t: 'log.mark', n: 2, d: seenOf(1) }).event);
    expect(watermarks.announced(idOf(1))).toEqual({
      lane: 'trace',
      writer: idOf(1),
      n: 7,
      hash: undefined,
    });
  });

  it('lists the missing core events of each writer, up to a limit', () => {
    const { watermarks, index } = setUp(60);
    for (const state of index.values()) {
      for (let n = 4; n <= 200; n += 2) state.outOfOrder.set(n, '00000000');
      state.lastNumber = 200;
    }
    index.get(idOf(1))!.lane = 'trace';
    const [draft] = watermarks.draft();
    const gaps = Object.entries(draft!.d['gaps'] as Record<string, [number, number][]>);
    expect(gaps.map(([writer]) => writer)).toEqual(
      [0, ...Array.from({ length: 49 }, (_, at) => at + 2)].map(idOf),
    );
    for (const [, ranges] of gaps) {
      expect(ranges.slice(0, 2)).toEqual([
        [1, 3],
        [5, 5],
      ]);
      expect(ranges).toHaveLength(50);
    }
    expect(setUp(2).watermarks.draft()[0]!.d['gaps']).toBeUndefined();
  });

  it('announces core writers only if this process has written', async () => {
    const written: Draft[][] = [];
    const write = (draft: () => Draft[]) => Promise.resolve(void written.push(draft()));
    const none = () => ({ core: undefined, others: [] });
    await setUp(3, { write }, 'trace').watermarks.announce();
    await setUp(3, { write, ownWriters: none }).watermarks.announce();
    expect(written).toEqual([]);
    await setUp(3, { write }).watermarks.announce();
    expect(written.map(seenIn)).toEqual([
      [
        [idOf(1), [2, HASH]],
        [idOf(2), [2, HASH]],
      ],
    ]);
  });

  it('is due after 200 events other than `log.*`, until the next draft', () => {
    const { watermarks } = setUp(2);
    const observe = (times: number, t: string) => {
      for (let at = 0; at < times; at++) watermarks.observe(lineOf({ t }).event);
    };
    observe(199, 'set');
    observe(50, 'log.seg');
    for (let at = 0; at < 50; at++) watermarks.observe(lineOf({ t: 'set', v: 2 }).event);
    expect(watermarks.isDue()).toBe(false);
    observe(1, 'set');
    expect(watermarks.isDue()).toBe(true);
    watermarks.draft();
    expect(watermarks.isDue()).toBe(false);
  });

  it('announces once, ten minutes after the first schedule() call', () => {
    const clock = createTestClock();
    let writes = 0;
    const write = () => Promise.resolve(void writes++);
    const { watermarks } = setUp(2, { clock, write });
    watermarks.schedule();
    clock.advance(5 * 60_000);
    watermarks.schedule();
    clock.advance(5 * 60_000 - 1);
    expect(writes).toBe(0);
    clock.advance(1);
    expect(writes).toBe(1);
    for (const end of [() => watermarks.stop(), () => watermarks.draft()]) {
      watermarks.schedule();
      end();
      clock.advance(20 * 60_000);
    }
    expect(writes).toBe(1);
    watermarks.schedule();
    clock.advance(10 * 60_000);
    expect(writes).toBe(2);
  });

  it('includes abandoned writers up to their last known events, sorted by id', () => {
    const { watermarks } = setUp(4);
    watermarks.setFloor({ lane: 'core', writer: WRITER_B, n: 1, hash: undefined });
    watermarks.setFloor({ lane: 'core', writer: idOf(3), n: 2, hash: undefined });
    watermarks.setFloor({ lane: 'core', writer: idOf(9), n: 7, hash: undefined });
    watermarks.setFloor({ lane: 'core', writer: idOf(1), n: 9, hash: HASH });
    watermarks.setFloor({ lane: 'core', writer: idOf(2), n: 1, hash: undefined });
    expect(seenIn(watermarks.draft())).toEqual([
      [WRITER_B, [1]],
      [idOf(1), [9, HASH]],
      [idOf(2), [2, HASH]],
      [idOf(3), [2]],
      [idOf(9), [7]],
    ]);
  });

  it('splits many writers into several lines', () => {
    const drafts = setUp(50_000).watermarks.draftForNewSegment();
    expect(seenIn(drafts)).toHaveLength(49_999);
    for (const [writers, lines] of [
      [2000, 1],
      [2001, 2],
    ] as const)
      expect(setUp(writers + 1).watermarks.draftForNewSegment()).toHaveLength(lines);
    expect(Math.max(...drafts.map((draft) => lineOf(draft).bytes.length))).toBeLessThan(150_000);
  });

  it('counts as complete only with the last of several lines', () => {
    const { watermarks } = setUp(5000);
    const announce = (n: number, from: number, to: number, more: JsonObject = {}) => {
      const writers = Array.from({ length: to - from }, (_, at) => from + at);
      const d = { ...seenOf(...writers), ...more };
      watermarks.observe(lineOf({ t: 'log.mark', n, h: clockText(n), d }).event);
    };
    const isComplete = () => watermarks.draftForNewSegment().at(-1)!.d['all'] === true;
    announce(1, 0, 2400);
    expect(isComplete()).toBe(false);
    announce(2, 2400, 5000);
    expect(watermarks.draftForNewSegment().map(({ d }) => d['all'])).toEqual([
      undefined,
      undefined,
      true,
    ]);
    expect(isComplete()).toBe(true);
    announce(3, 0, 5000, { all: true });
    expect(isComplete()).toBe(false);
    for (const n of [2, 3]) announce(n, 0, 5000);
    expect(isComplete()).toBe(false);
    expect(watermarks.draftForNewSegment().map(({ d }) => d)).toEqual([{ seen: {} }]);
    announce(5, 0, 5000);
    announce(4, 0, 5000, { all: true });
    expect(isComplete()).toBe(true);
  });
});
