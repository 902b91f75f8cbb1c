import { describe, expect, it } from 'vitest';
import {
  callsToIndex,
  withNeighbours,
  type ReadCall,
} from '../../../src/indexing/memory/neighbour-calls.js';
import type { Trace } from '../../../src/model/trace.js';

const callAt = (position: number, isNew: boolean): ReadCall => ({
  position,
  isNew,
  trace: { tool: String(position) } as Trace,
});
const indexedOf = (calls: readonly ReadCall[]) =>
  [...callsToIndex(calls)].map(({ position, neighbours }) => [
    position,
    neighbours.before.map(({ tool }) => tool),
    neighbours.after.map(({ tool }) => tool),
  ]);

describe('neighbor calls', () => {
  it('are read once each, as far as a new call can affect them', () => {
    expect(withNeighbours([20], 100)).toEqual(Array.from({ length: 19 }, (_, at) => 11 + at));
    expect(withNeighbours([20, 22], 100)).toEqual(Array.from({ length: 21 }, (_, at) => 11 + at));
    expect(withNeighbours([1, 98], 100)).toEqual([
      ...Array.from({ length: 11 }, (_, at) => at),
      ...Array.from({ length: 11 }, (_, at) => 89 + at),
    ]);
  });

  it('are the two calls before, nearest first, and the next one', () => {
    expect(indexedOf([1, 2, 3, 4].map((position) => callAt(position, true)))).toEqual([
      [1, [], ['2']],
      [2, ['1'], ['3']],
      [3, ['2', '1'], ['4']],
      [4, ['3', '2'], []],
    ]);
  });

  it('are indexed again only if one of their neighbors is new', () => {
    const calls = [1, 2, 3, 4, 5, 6, 7].map((position) => callAt(position, position === 4));
    expect(indexedOf(calls).map(([position]) => position)).toEqual([3, 4, 5, 6]);
  });

  it('do not extend across a wide gap', () => {
    expect(
      indexedOf([callAt(1, true), callAt(4, true), callAt(8, true), callAt(11, true)]),
    ).toEqual([
      [1, [], ['4']],
      [4, ['1'], []],
      [8, [], ['11']],
      [11, ['8'], []],
    ]);
  });

  it('are the same if only nearby calls are read', () => {
    const positions = Array.from({ length: 60 }, (_, at) => at).filter(
      (at) => at % 5 !== 1 && at % 7 !== 2,
    );
    for (let added = 0; added < positions.length; added++) {
      const calls = positions.map((position, at) => callAt(position, at === added));
      const near = new Set(withNeighbours([positions[added]!], 60));
      expect(indexedOf(calls.filter(({ position }) => near.has(position)))).toEqual(
        indexedOf(calls),
      );
    }
  });
});
