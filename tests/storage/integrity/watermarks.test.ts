import { describe, expect, it } from 'vitest';
import {
  compareStamps,
  isJsonObject,
  type Draft,
  type JsonObject,
} from '../../../src/model/event.js';
import type { WriterIndex } from '../../../src/storage/read/writer-index.js';
import type { LaneName } from '../../../src/storage/format/lanes.js';
import { Watermarks, type WatermarksOptions } from '../../../src/storage/integrity/watermarks.js';
import { verify } from '../../../src/storage/integrity/verify.js';
import { createTestClock } from '../../fakes/deterministic.js';
import { clockText, lineOf } from '../../fakes/events.js';
import { createVault, eventsIn, putWorkspace, ROOT, segmentsIn } from '../helpers.js';

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
    announced: watermarks.flatMap(({ d }) => Object.keys(d['seen'] as JsonObject)),
  };
}

describe('watermarks at the start of segments', () => {
  it('grow linearly with the number of writers', async () => {
    const [few, many] = [await killedRepeatedly(40), await killedRepeatedly(160)];
    expect(many.announced.length).toBeLessThan(5 * few.announced.length);
    expect(many.announced.length).toBeLessThan(4 * 160);
    expect(many.watermarks).toHaveLength(159);
  });

  it('cover every writer, so that the loss of any file is detected', async () => {
    const { files } = await killedRepeatedly(20);
    const segments = (await segmentsIn(files)).sort((a, b) =>
      compareStamps(a.events[0]!, b.events[0]!),
    );
    for (const { path, bytes, events } of segments.slice(0, -1)) {
      await files.remove(path);
      const { isWhole, writers } = await verify(files, ROOT);
      expect(isWhole).toBe(false);
      expect(writers.find(({ writer }) => writer === events[0]!.w)?.missing).not.toEqual([]);
      files.put(path, bytes);
    }
  });

  it('list all writers periodically', async () => {
    const { watermarks } = await killedRepeatedly(40);
    const whole = watermarks.filter(({ d }) => d['all'] === true);
    expect(whole.length).toBeGreaterThan(3);
    for (const { w, d } of whole)
      expect(Object.keys(d['seen'] as JsonObject)).toHaveLength(
        watermarks.findIndex((each) => each.w === w) + 1,
      );
  });
});

describe('Watermarks', () => {
  function setUp(writers: number, more: Partial<WatermarksOptions> = {}, lane: LaneName = 'core') {
    const index: WriterIndex = new Map(
      Array.from({ length: writers }, (_, at) => [
        `w${at}`,
        {
          lane,
          crcs: [],
          outOfOrder: new Map<number, string>(),
          forks: new Set<string>(),
          lastNumber: 2,
          lastDataNumber: 2,
        },
      ]),
    );
    return new Watermarks({
      writers: index,
      clock: createTestClock(),
      warn: () => undefined,
      write: () => Promise.resolve(),
      ownWriters: () => ({ core: 'w0', others: [] }),
      ...more,
    });
  }

  const seenIn = (drafts: readonly Draft[]) =>
    drafts.flatMap(({ d }) => Object.entries(d['seen'] as JsonObject));

  it('ignores other events, later versions and values that are not numbers', () => {
    const watermarks = setUp(2);
    const seen = { w1: 2 };
    for (const fields of [
      { t: 'thing.new', d: { seen } },
      { t: 'log.mark', v: 2, d: { seen } },
      { t: 'log.mark', d: { seen: { w1: '2' } } },
    ])
      watermarks.observe(lineOf(fields).event);
    expect(seenIn(watermarks.draft())).toEqual([['w1', 2]]);
    watermarks.observe(lineOf({ t: 'log.mark', d: { seen } }).event);
    expect(watermarks.draft()).toEqual([]);
  });

  it('announces core writers only if this process has written', async () => {
    const written: Draft[][] = [];
    const write = (draft: () => Draft[]) => Promise.resolve(void written.push(draft()));
    await setUp(3, { write }, 'trace').announce();
    await setUp(3, { write, ownWriters: () => ({ core: undefined, others: [] }) }).announce();
    expect(written).toEqual([]);
    await setUp(3, { write }).announce();
    expect(written.map(seenIn)).toEqual([
      [
        ['w1', 2],
        ['w2', 2],
      ],
    ]);
  });

  it('is due after 200 events other than `log.*`, until the next draft', () => {
    const watermarks = setUp(2);
    const observe = (times: number, t: string) => {
      for (let at = 0; at < times; at++) watermarks.observe(lineOf({ t }).event);
    };
    observe(199, 'set');
    observe(50, 'log.seg');
    expect(watermarks.isDue()).toBe(false);
    observe(1, 'set');
    expect(watermarks.isDue()).toBe(true);
    watermarks.draft();
    expect(watermarks.isDue()).toBe(false);
  });

  it('announces once, ten minutes after the first schedule() call', () => {
    const clock = createTestClock();
    let writes = 0;
    const watermarks = setUp(2, { clock, write: () => Promise.resolve(void writes++) });
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
  });

  it('includes abandoned writers, sorted by id', () => {
    const watermarks = setUp(2);
    watermarks.setFloor('v9', 7);
    watermarks.setFloor('w1', 9);
    watermarks.setFloor('none', 0);
    expect(seenIn(watermarks.draft())).toEqual([
      ['v9', 7],
      ['w1', 9],
    ]);
  });

  it('splits many writers into several lines', () => {
    const drafts = setUp(50_000).draftForNewSegment();
    expect(drafts.flatMap(({ d }) => Object.keys(d['seen'] as JsonObject))).toHaveLength(49_999);
    expect(Math.max(...drafts.map((draft) => lineOf(draft).bytes.length))).toBeLessThan(100_000);
  });

  it('counts as complete only with the last of several lines', () => {
    const watermarks = setUp(5000);
    const announce = (n: number, from: number, to: number, more: JsonObject = {}) =>
      watermarks.observe(
        lineOf({
          t: 'log.mark',
          n,
          h: clockText(n),
          d: {
            seen: Object.fromEntries(
              Array.from({ length: to - from }, (_, at) => [`w${from + at}`, 2]),
            ),
            ...more,
          },
        }).event,
      );
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
    announce(2, 0, 5000);
    expect(isComplete()).toBe(false);
    const seen = watermarks.draftForNewSegment().map(({ d }) => d['seen']);
    expect(seen.every((each) => isJsonObject(each!) && Object.keys(each).length === 0)).toBe(true);
  });
});
