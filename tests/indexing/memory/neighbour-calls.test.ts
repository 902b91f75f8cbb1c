import { describe, expect, it } from 'vitest';
import { around, toBePut, type ToldCall } from '../../../src/indexing/memory/neighbour-calls.js';
import type { Trace } from '../../../src/model/trace.js';

const callAt = (place: number, isNew: boolean): ToldCall => ({
  place,
  isNew,
  trace: { tool: String(place) } as Trace,
});
const putOf = (told: readonly ToldCall[]) =>
  [...toBePut(told)].map(({ place, beside }) => [
    place,
    beside.before.map(({ tool }) => tool),
    beside.after.map(({ tool }) => tool),
  ]);

describe('calls beside others', () => {
  it('are read as far as any may count that is found by a new one, each once', () => {
    expect(around([20], 100)).toEqual(Array.from({ length: 19 }, (_, at) => 11 + at));
    expect(around([20, 22], 100)).toEqual(Array.from({ length: 21 }, (_, at) => 11 + at));
    expect(around([1, 98], 100)).toEqual([
      ...Array.from({ length: 11 }, (_, at) => at),
      ...Array.from({ length: 11 }, (_, at) => 89 + at),
    ]);
  });

  it('are the two before, the nearest first, and the one after', () => {
    expect(putOf([1, 2, 3, 4].map((place) => callAt(place, true)))).toEqual([
      [1, [], ['2']],
      [2, ['1'], ['3']],
      [3, ['2', '1'], ['4']],
      [4, ['3', '2'], []],
    ]);
  });

  it('are put again where a new one is among them, and not where none is', () => {
    const told = [1, 2, 3, 4, 5, 6, 7].map((place) => callAt(place, place === 4));
    expect(putOf(told).map(([place]) => place)).toEqual([3, 4, 5, 6]);
  });

  it('are none where too much stands between', () => {
    expect(putOf([callAt(1, true), callAt(4, true), callAt(8, true), callAt(11, true)])).toEqual([
      [1, [], ['4']],
      [4, ['1'], []],
      [8, [], ['11']],
      [11, ['8'], []],
    ]);
  });

  it('are those that a reading of everything finds, when only what is around was read', () => {
    const places = Array.from({ length: 60 }, (_, at) => at).filter(
      (at) => at % 5 !== 1 && at % 7 !== 2,
    );
    for (let added = 0; added < places.length; added++) {
      const told = places.map((place, at) => callAt(place, at === added));
      const near = new Set(around([places[added]!], 60));
      expect(putOf(told.filter(({ place }) => near.has(place)))).toEqual(putOf(told));
    }
  });
});
