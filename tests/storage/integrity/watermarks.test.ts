import { describe, expect, it } from 'vitest';
import {
  compareStamps,
  isJsonObject,
  type Draft,
  type JsonObject,
} from '../../../src/model/event.js';
import type { Holdings } from '../../../src/storage/read/writer-index.js';
import type { Lane } from '../../../src/storage/format/lanes.js';
import { createMarks, type MarksOptions } from '../../../src/storage/integrity/watermarks.js';
import { verify } from '../../../src/storage/integrity/verify.js';
import { createTestClock } from '../../fakes/deterministic.js';
import { clockText, lineOf } from '../../fakes/events.js';
import { createVault, eventsIn, putWorkspace, ROOT, segmentsIn } from '../helpers.js';

/** A device whose program is killed after each entry that it makes, so that it never uses a writer again. */
async function killedSoOften(times: number) {
  const vault = createVault();
  for (let run = 0; run < times; run++) {
    const log = vault.open();
    await log.memory();
    await putWorkspace(log, `Plan ${run}`);
  }
  const marks = (await eventsIn(vault.files))
    .filter(({ t }) => t === 'log.mark')
    .sort(compareStamps);
  return { ...vault, marks, told: marks.flatMap(({ d }) => Object.keys(d['seen'] as JsonObject)) };
}

describe('marks at the start of segments', () => {
  it('grow with the number of writers, not with its square', async () => {
    const [few, many] = [await killedSoOften(40), await killedSoOften(160)];
    expect(many.told.length).toBeLessThan(5 * few.told.length);
    expect(many.told.length).toBeLessThan(4 * 160);
    expect(many.marks).toHaveLength(159);
  });

  it('tell of every writer all the same: whichever file vanishes, that is seen', async () => {
    const { files } = await killedSoOften(20);
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

  it('tell of all once in a while, told or not', async () => {
    const { marks } = await killedSoOften(40);
    const whole = marks.filter(({ d }) => d['all'] === true);
    expect(whole.length).toBeGreaterThan(3);
    for (const { w, d } of whole)
      expect(Object.keys(d['seen'] as JsonObject)).toHaveLength(
        marks.findIndex((mark) => mark.w === w) + 1,
      );
  });
});

describe('the account of marks', () => {
  function setUp(writers: number, more: Partial<MarksOptions> = {}, lane: Lane = 'core') {
    const holding = {
      lane,
      crcs: [],
      beyond: new Map(),
      forks: new Set<string>(),
      last: 2,
      lastOfSubstance: 2,
    } as const;
    const holdings: Holdings = new Map(
      Array.from({ length: writers }, (_, at) => [
        `w${at}`,
        { ...holding, crcs: [], beyond: new Map<number, string>() },
      ]),
    );
    return createMarks({
      holdings,
      clock: createTestClock(),
      warn: () => undefined,
      write: () => Promise.resolve(),
      ownWriters: () => ({ core: 'w0', others: [] }),
      ...more,
    });
  }

  const seenIn = (drafts: readonly Draft[]) =>
    drafts.flatMap(({ d }) => Object.entries(d['seen'] as JsonObject));

  it('takes no other event for a mark, none of a later version, and nothing in one that is no number', () => {
    const marks = setUp(2);
    const seen = { w1: 2 };
    for (const fields of [
      { t: 'thing.new', d: { seen } },
      { t: 'log.mark', v: 2, d: { seen } },
      { t: 'log.mark', d: { seen: { w1: '2' } } },
    ])
      marks.note(lineOf(fields).event);
    expect(seenIn(marks.draft())).toEqual([['w1', 2]]);
    marks.note(lineOf({ t: 'log.mark', d: { seen } }).event);
    expect(marks.draft()).toEqual([]);
  });

  it('is told before the end of the core lane alone, and by nobody who does not write', async () => {
    const written: Draft[][] = [];
    const write = (draft: () => Draft[]) => Promise.resolve(void written.push(draft()));
    await setUp(3, { write }, 'trace').tell();
    await setUp(3, { write, ownWriters: () => ({ core: undefined, others: [] }) }).tell();
    expect(written).toEqual([]);
    await setUp(3, { write }).tell();
    expect(written.map(seenIn)).toEqual([
      [
        ['w1', 2],
        ['w2', 2],
      ],
    ]);
  });

  it('is due with the next write after 200 events of substance, and anew after each mark', () => {
    const marks = setUp(2);
    const note = (times: number, t: string) => {
      for (let at = 0; at < times; at++) marks.note(lineOf({ t }).event);
    };
    note(199, 'set');
    note(50, 'log.seg');
    expect(marks.isDue()).toBe(false);
    note(1, 'set');
    expect(marks.isDue()).toBe(true);
    marks.draft();
    expect(marks.isDue()).toBe(false);
  });

  it('is told ten minutes after something has come, once, unless that has been done or stopped before', () => {
    const clock = createTestClock();
    let writes = 0;
    const marks = setUp(2, { clock, write: () => Promise.resolve(void writes++) });
    marks.plan();
    clock.advance(5 * 60_000);
    marks.plan();
    clock.advance(5 * 60_000 - 1);
    expect(writes).toBe(0);
    clock.advance(1);
    expect(writes).toBe(1);
    for (const end of [() => marks.stop(), () => marks.draft()]) {
      marks.plan();
      end();
      clock.advance(20 * 60_000);
    }
    expect(writes).toBe(1);
  });

  it('tells of writers that were given up, by themselves and in their order', () => {
    const marks = setUp(2);
    marks.claim('v9', 7);
    marks.claim('w1', 9);
    marks.claim('none', 0);
    expect(seenIn(marks.draft())).toEqual([
      ['v9', 7],
      ['w1', 9],
    ]);
  });

  it('makes several marks of many writers: one line would be too long', () => {
    const drafts = setUp(50_000).draftAtStart();
    expect(drafts.flatMap(({ d }) => Object.keys(d['seen'] as JsonObject))).toHaveLength(49_999);
    expect(Math.max(...drafts.map((draft) => lineOf(draft).bytes.length))).toBeLessThan(100_000);
  });

  it('takes several marks that tell of all for told with the last of them alone', () => {
    const marks = setUp(5000);
    const told = (n: number, from: number, to: number, more: JsonObject = {}) =>
      marks.note(
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
    const isOfAll = () => marks.draftAtStart().at(-1)!.d['all'] === true;
    told(1, 0, 2400);
    expect(isOfAll()).toBe(false);
    told(2, 2400, 5000);
    expect(marks.draftAtStart().map(({ d }) => d['all'])).toEqual([undefined, undefined, true]);
    expect(isOfAll()).toBe(true);
    told(3, 0, 5000, { all: true });
    expect(isOfAll()).toBe(false);
    told(2, 0, 5000);
    expect(isOfAll()).toBe(false);
    const seen = marks.draftAtStart().map(({ d }) => d['seen']);
    expect(seen.every((each) => isJsonObject(each!) && Object.keys(each).length === 0)).toBe(true);
  });
});
