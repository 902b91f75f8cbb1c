import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareStamps, type LogEvent } from '../../../src/model/event.js';
import { CHAIN_START } from '../../../src/storage/format/line-hash.js';
import { EventIndex } from '../../../src/storage/read/event-index.js';
import { clockText } from '../../fakes/events.js';
import { createEagerScheduler } from '../../fakes/eager-scheduler.js';

const eventAt = (
  time: number,
  writer: string,
  owner: string,
  more: Partial<LogEvent> = {},
): LogEvent => ({
  v: 1,
  w: writer,
  n: time + 1,
  p: CHAIN_START,
  c: '00000000',
  h: clockText(time),
  t: 'trace.new',
  e: `e${time}`,
  d: { ws: owner },
  ...more,
});
const linesOf = (events: readonly LogEvent[]) =>
  events.map((event, at) => ({ event, from: at * 10, to: at * 10 + 9 }));

describe('EventIndex', () => {
  it("returns one owner's events, newest first and each once", async () => {
    const anyEvent = fc.tuple(fc.nat(30), fc.constantFrom('a', 'b'), fc.constantFrom('one', 'two'));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(anyEvent, { maxLength: 6 }), { maxLength: 5 }),
        fc.boolean(),
        async (files, isRising) => {
          const index = new EventIndex('trace');
          const logs = files.map((file) =>
            (isRising ? [...file].sort(([a], [b]) => a - b) : file).map((each) => eventAt(...each)),
          );
          logs.forEach((events, at) => index.update(`file ${at}`, linesOf(events), true));
          const wanted = logs
            .flat()
            .filter(({ d }) => d['ws'] === 'one')
            .sort((a, b) => compareStamps(b, a))
            .map(({ h, w }) => `${h} ${w}`);
          expect((await index.locationsOf('one')).map(({ h, w }) => `${h} ${w}`)).toEqual([
            ...new Set(wanted),
          ]);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('adds events that a file gains, and drops those that it loses', async () => {
    const index = new EventIndex('trace');
    expect(index.update('a', linesOf([eventAt(1, 'a', 'one')]), true)).toBe(true);
    expect(index.update('a', linesOf([eventAt(2, 'a', 'one')]), false)).toBe(true);
    expect((await index.locationsOf('one')).map(({ h }) => h)).toEqual([
      clockText(2),
      clockText(1),
    ]);
    expect(index.update('a', [], true)).toBe(true);
    expect([await index.locationsOf('one'), index.update('a', [], true)]).toEqual([[], false]);
  });

  it('sorts and deduplicates the events of one file', async () => {
    const index = new EventIndex('trace');
    const [one, two, three] = [1, 2, 3].map((time) => eventAt(time, 'a', 'one'));
    index.update('a', linesOf([two!, one!, two!, three!, three!, one!]), true);
    expect((await index.locationsOf('one')).map(({ h }) => h)).toEqual(
      [3, 2, 1].map((time) => clockText(time)),
    );
  });

  it('accepts additions to an unknown file', async () => {
    const index = new EventIndex('trace');
    index.update('a', linesOf([eventAt(1, 'a', 'one')]), false);
    index.update('a', linesOf([eventAt(2, 'a', 'one')]), false);
    expect(await index.locationsOf('one')).toHaveLength(2);
  });

  it('keeps lists that match a fresh index after any change', async () => {
    const step = fc.record({
      what: fc.constantFrom('grow', 'grow', 'replace', 'again', 'remove', 'look', 'retire'),
      file: fc.constantFrom('x', 'y'),
      events: fc.array(
        fc.tuple(fc.nat(30), fc.constantFrom('a', 'b'), fc.constantFrom('one', 'two')),
        { maxLength: 3 },
      ),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const index = new EventIndex('trace');
        const files = new Map<string, LogEvent[]>();
        const retired = new Set<string>();
        const isIncluded = ({ h }: { h: string }) => !retired.has(h);
        for (const { what, file, events } of steps) {
          const own = events.map((each) => eventAt(...each));
          const before = files.get(file) ?? [];
          if (what === 'look') await index.listOf('one', { isIncluded });
          else if (what === 'retire') {
            for (const { h } of own) retired.add(h);
            index.invalidateLists();
          } else {
            const now = {
              grow: [...before, ...own],
              again: [...before, ...own],
              replace: own,
              remove: [],
            }[what];
            files.set(file, now);
            if (what === 'grow') index.update(file, linesOf(now).slice(before.length), false);
            else index.update(file, linesOf(now), true);
          }
          const { entries, count } = await index.listOf('one', { isIncluded });
          const stamps = (all: readonly { h: string; w: string }[]) =>
            all.map(({ h, w }) => `${h} ${w}`);
          const fresh = new EventIndex('trace');
          for (const [path, all] of files) fresh.update(path, linesOf(all), true);
          expect(stamps(entries.slice(0, count)).reverse()).toEqual(
            stamps(await fresh.locationsOf('one', { isIncluded })),
          );
        }
      }),
      { numRuns: 300 },
    );
  });

  it('reuses a list if a reread file starts with the same events', async () => {
    const index = new EventIndex('trace');
    index.update('a', linesOf([eventAt(1, 'a', 'one')]), true);
    const first = await index.listOf('one');
    index.update('a', linesOf([eventAt(1, 'a', 'one'), eventAt(2, 'a', 'one')]), true);
    const second = await index.listOf('one');
    expect([second.entries === first.entries, first.count, second.count]).toEqual([true, 1, 2]);
    index.update('a', linesOf([eventAt(1, 'b', 'one')]), true);
    expect((await index.listOf('one')).entries.map(({ w }) => w)).toEqual(['b']);
  });

  it('drops the events of a reread file that it no longer has', async () => {
    const index = new EventIndex('trace');
    const [one, two, three] = [1, 2, 3].map((time) => eventAt(time, 'a', 'one'));
    index.update('a', linesOf([one!, two!]), true);
    await index.listOf('one');
    index.update('a', linesOf([one!, three!]), true);
    expect((await index.listOf('one')).entries.map(({ h }) => h)).toEqual([
      clockText(1),
      clockText(3),
    ]);
  });

  it.each([{ from: 5 }, { to: 25 }])(
    'takes over moved lines of a reread file: %o',
    async (more) => {
      const index = new EventIndex('trace');
      const lines = linesOf([eventAt(1, 'a', 'one')]);
      index.update('a', lines, true);
      index.update('a', [{ ...lines[0]!, ...more }], true);
      expect(await index.locationsOf('one')).toMatchObject([more]);
    },
  );

  it('takes over another owner of a reread event', async () => {
    const index = new EventIndex('trace');
    index.update('a', linesOf([eventAt(1, 'a', 'one')]), true);
    index.update('a', linesOf([eventAt(1, 'a', 'two')]), true);
    expect(await index.locationsOf('one')).toEqual([]);
    expect(await index.locationsOf('two')).toHaveLength(1);
  });

  it('keeps no list if lists are dropped and events arrive while it is built', async () => {
    const index = new EventIndex('trace');
    index.update('a', linesOf([eventAt(1, 'a', 'one')]), true);
    const { scheduler } = createEagerScheduler(() => {
      index.update('b', linesOf([eventAt(2, 'a', 'one')]), true);
      index.invalidateLists();
    });
    await index.listOf('one', { scheduler });
    expect((await index.listOf('one')).count).toBe(2);
  });

  it('includes events that arrive while a list is built', async () => {
    const index = new EventIndex('trace');
    index.update('a', linesOf([eventAt(1, 'a', 'one')]), true);
    const { scheduler } = createEagerScheduler(() => {
      index.update('b', linesOf([eventAt(2, 'a', 'one')]), true);
    });
    await index.listOf('one', { scheduler });
    expect((await index.listOf('one')).count).toBe(2);
  });

  it('yields before each file and each merge, and during long merges', async () => {
    const turnsFor = async (files: number, events: number) => {
      const index = new EventIndex('trace');
      for (let file = 0; file < files; file++) {
        const own = Array.from({ length: events }, (_, at) =>
          eventAt(at * files + file, 'a', 'one'),
        );
        index.update(`file ${file}`, linesOf(own), true);
      }
      const { scheduler, turns } = createEagerScheduler();
      expect(await index.locationsOf('one', { scheduler })).toHaveLength(files * events);
      return turns();
    };
    expect([await turnsFor(1, 10), await turnsFor(2, 10), await turnsFor(2, 2000)]).toEqual([
      1, 3, 6,
    ]);
  });

  it('skips other types and later versions', async () => {
    const index = new EventIndex('trace');
    expect(
      index.update(
        'a',
        linesOf([eventAt(1, 'a', 'one', { t: 'msg.new' }), eventAt(2, 'a', 'one', { v: 2 })]),
        true,
      ),
    ).toBe(false);
    expect(await index.locationsOf('one')).toEqual([]);
  });
});
