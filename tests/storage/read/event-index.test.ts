import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareStamps, type LogEvent } from '../../../src/model/event.js';
import { createPlaces } from '../../../src/storage/read/event-index.js';
import { clockText } from '../../fakes/events.js';
import { createEagerScheduler } from '../../fakes/eager-scheduler.js';

const kind = { t: 'trace.new', field: 'ws' };
const eventAt = (
  time: number,
  writer: string,
  owner: string,
  more: Partial<LogEvent> = {},
): LogEvent => ({
  v: 1,
  w: writer,
  n: time + 1,
  p: '00000000',
  c: '00000000',
  h: clockText(time),
  t: 'trace.new',
  e: `e${time}`,
  d: { ws: owner },
  ...more,
});
const held = (events: readonly LogEvent[]) =>
  events.map((event, at) => ({ event, from: at * 10, to: at * 10 + 9 }));

describe('places', () => {
  it('answer the events of one owner, latest first and each once, however the files overlap', async () => {
    const anyEvent = fc.tuple(fc.nat(30), fc.constantFrom('a', 'b'), fc.constantFrom('one', 'two'));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(anyEvent, { maxLength: 6 }), { maxLength: 5 }),
        fc.boolean(),
        async (files, isRising) => {
          const places = createPlaces(kind);
          const logs = files.map((file) =>
            (isRising ? [...file].sort(([a], [b]) => a - b) : file).map((each) => eventAt(...each)),
          );
          logs.forEach((events, at) => places.update(`file ${at}`, held(events), true));
          const wanted = logs
            .flat()
            .filter(({ d }) => d['ws'] === 'one')
            .sort((a, b) => compareStamps(b, a))
            .map(({ h, w }) => `${h} ${w}`);
          expect((await places.locationsOf('one')).map(({ h, w }) => `${h} ${w}`)).toEqual([
            ...new Set(wanted),
          ]);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('go on from where a file was, and forget what a file no longer holds', async () => {
    const places = createPlaces(kind);
    expect(places.update('a', held([eventAt(1, 'a', 'one')]), true)).toBe(true);
    expect(places.update('a', held([eventAt(2, 'a', 'one')]), false)).toBe(true);
    expect((await places.locationsOf('one')).map(({ h }) => h)).toEqual([
      clockText(2),
      clockText(1),
    ]);
    expect(places.update('a', [], true)).toBe(true);
    expect([await places.locationsOf('one'), places.update('a', [], true)]).toEqual([[], false]);
  });

  it('answer each once, latest first, though one file holds them twice and in any order', async () => {
    const places = createPlaces(kind);
    const [one, two, three] = [1, 2, 3].map((time) => eventAt(time, 'a', 'one'));
    places.update('a', held([two!, one!, two!, three!, three!, one!]), true);
    expect((await places.locationsOf('one')).map(({ h }) => h)).toEqual(
      [3, 2, 1].map((time) => clockText(time)),
    );
  });

  it('take in what comes to a file of which nothing was known', async () => {
    const places = createPlaces(kind);
    places.update('a', held([eventAt(1, 'a', 'one')]), false);
    places.update('a', held([eventAt(2, 'a', 'one')]), false);
    expect(await places.locationsOf('one')).toHaveLength(2);
  });

  it('keep a list that says the same, whatever comes to the files, is changed in them or is retired', async () => {
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
        const places = createPlaces(kind);
        const files = new Map<string, LogEvent[]>();
        const retired = new Set<string>();
        const isHeld = ({ h }: { h: string }) => !retired.has(h);
        for (const { what, file, events } of steps) {
          const own = events.map((each) => eventAt(...each));
          const before = files.get(file) ?? [];
          if (what === 'look') await places.listOf('one', { isIncluded: isHeld });
          else if (what === 'retire') {
            for (const { h } of own) retired.add(h);
            places.invalidateLists();
          } else {
            const now = {
              grow: [...before, ...own],
              again: [...before, ...own],
              replace: own,
              remove: [],
            }[what];
            files.set(file, now);
            if (what === 'grow') places.update(file, held(now).slice(before.length), false);
            else places.update(file, held(now), true);
          }
          const { entries, count } = await places.listOf('one', { isIncluded: isHeld });
          const stamps = (all: readonly { h: string; w: string }[]) =>
            all.map(({ h, w }) => `${h} ${w}`);
          const anew = createPlaces(kind);
          for (const [path, all] of files) anew.update(path, held(all), true);
          expect(stamps(entries.slice(0, count)).reverse()).toEqual(
            stamps(await anew.locationsOf('one', { isIncluded: isHeld })),
          );
        }
      }),
      { numRuns: 300 },
    );
  });

  it('keep what is said again of a file that is read as a whole', async () => {
    const places = createPlaces(kind);
    places.update('a', held([eventAt(1, 'a', 'one')]), true);
    const first = await places.listOf('one');
    places.update('a', held([eventAt(1, 'a', 'one'), eventAt(2, 'a', 'one')]), true);
    const second = await places.listOf('one');
    expect([second.entries === first.entries, first.count, second.count]).toEqual([true, 1, 2]);
    places.update('a', held([eventAt(1, 'b', 'one')]), true);
    expect((await places.listOf('one')).entries.map(({ w }) => w)).toEqual(['b']);
  });

  it('take in what comes while a list is made', async () => {
    const places = createPlaces(kind);
    places.update('a', held([eventAt(1, 'a', 'one')]), true);
    const { scheduler } = createEagerScheduler(() => {
      places.place('b', held([eventAt(2, 'a', 'one')]), true);
    });
    await places.listOf('one', { scheduler });
    expect((await places.listOf('one')).count).toBe(2);
  });

  it('let the host have its turn before each file, each merging, and now and then within one', async () => {
    const turnsFor = async (files: number, events: number) => {
      const places = createPlaces(kind);
      for (let file = 0; file < files; file++) {
        const own = Array.from({ length: events }, (_, at) =>
          eventAt(at * files + file, 'a', 'one'),
        );
        places.update(`file ${file}`, held(own), true);
      }
      const { scheduler, turns } = createEagerScheduler();
      expect(await places.locationsOf('one', { pause })).toHaveLength(files * events);
      return turns();
    };
    expect([await turnsFor(1, 10), await turnsFor(2, 10), await turnsFor(2, 2000)]).toEqual([
      1, 3, 6,
    ]);
  });

  it('pass over other kinds, and what a newer version has written', async () => {
    const places = createPlaces(kind);
    expect(
      places.update(
        'a',
        held([eventAt(1, 'a', 'one', { t: 'msg.new' }), eventAt(2, 'a', 'one', { v: 2 })]),
        true,
      ),
    ).toBe(false);
    expect(await places.locationsOf('one')).toEqual([]);
  });
});
