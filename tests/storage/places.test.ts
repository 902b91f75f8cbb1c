import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareStamps, type LogEvent } from '../../src/model/event.js';
import { createPlaces } from '../../src/storage/places.js';
import { clockText } from '../fakes/events.js';

const kind = { t: 'trace.new', field: 'ws' };
const eventAt = (time: number, writer: string, owner: string, more: Partial<LogEvent> = {}): LogEvent => ({
  ...{ v: 1, w: writer, n: time + 1, p: '00000000', c: '00000000', h: clockText(time), t: 'trace.new', e: `e${time}`, d: { ws: owner } },
  ...more,
});
const held = (events: readonly LogEvent[]) => events.map((event, at) => ({ event, from: at * 10, to: at * 10 + 9 }));

describe('places', () => {
  it('answer the events of one owner, latest first and each once, however the files overlap', async () => {
    const anyEvent = fc.tuple(fc.nat(30), fc.constantFrom('a', 'b'), fc.constantFrom('one', 'two'));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(anyEvent, { maxLength: 6 }), { maxLength: 5 }), fc.boolean(), async (files, isRising) => {
        const places = createPlaces(kind);
        const logs = files.map((file) => (isRising ? [...file].sort(([a], [b]) => a - b) : file).map((each) => eventAt(...each)));
        logs.forEach((events, at) => places.place(`file ${at}`, held(events), true));
        const wanted = logs
          .flat()
          .filter(({ d }) => d['ws'] === 'one')
          .sort((a, b) => compareStamps(b, a))
          .map(({ h, w }) => `${h} ${w}`);
        expect((await places.of('one')).map(({ h, w }) => `${h} ${w}`)).toEqual([...new Set(wanted)]);
      }),
      { numRuns: 300 },
    );
  });

  it('go on from where a file was, and forget what a file no longer holds', async () => {
    const places = createPlaces(kind);
    expect(places.place('a', held([eventAt(1, 'a', 'one')]), true)).toBe(true);
    expect(places.place('a', held([eventAt(2, 'a', 'one')]), false)).toBe(true);
    expect((await places.of('one')).map(({ h }) => h)).toEqual([clockText(2), clockText(1)]);
    expect(places.place('a', [], true)).toBe(true);
    expect([await places.of('one'), places.place('a', [], true)]).toEqual([[], false]);
  });

  it('answer each once, latest first, though one file holds them twice and in any order', async () => {
    const places = createPlaces(kind);
    const [one, two, three] = [1, 2, 3].map((time) => eventAt(time, 'a', 'one'));
    places.place('a', held([two!, one!, two!, three!, three!, one!]), true);
    expect((await places.of('one')).map(({ h }) => h)).toEqual([3, 2, 1].map((time) => clockText(time)));
  });

  it('take in what comes to a file of which nothing was known', async () => {
    const places = createPlaces(kind);
    places.place('a', held([eventAt(1, 'a', 'one')]), false);
    places.place('a', held([eventAt(2, 'a', 'one')]), false);
    expect(await places.of('one')).toHaveLength(2);
  });

  it('let the host have its turn before each file, each merging, and now and then within one', async () => {
    const turnsFor = async (files: number, events: number) => {
      const places = createPlaces(kind);
      for (let file = 0; file < files; file++) {
        const own = Array.from({ length: events }, (_, at) => eventAt(at * files + file, 'a', 'one'));
        places.place(`file ${file}`, held(own), true);
      }
      let turns = 0;
      let isDue = false;
      const pause = { isDue: () => (isDue = !isDue), take: () => Promise.resolve(void turns++) };
      expect(await places.of('one', { pause })).toHaveLength(files * events);
      return turns;
    };
    expect([await turnsFor(1, 10), await turnsFor(2, 10), await turnsFor(2, 2000)]).toEqual([1, 3, 6]);
  });

  it('pass over other kinds, and what a newer version has written', async () => {
    const places = createPlaces(kind);
    expect(places.place('a', held([eventAt(1, 'a', 'one', { t: 'msg.new' }), eventAt(2, 'a', 'one', { v: 2 })]), true)).toBe(false);
    expect(await places.of('one')).toEqual([]);
  });
});
