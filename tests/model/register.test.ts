import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { REPLACES_KEY, versionKey, type LogEvent } from '../../src/model/event.js';
import { emptyMemory, entityOf, fold } from '../../src/model/memory.js';
import { mapGet } from '../../src/model/persistent-map.js';
import {
  replaceableKeys,
  withVersion,
  type Register,
  type Version,
} from '../../src/model/register.js';
import { clockText, eventOf } from '../fakes/events.js';

const WRITERS = ['aaaaaaaaaaaa', 'bbbbbbbbbbbb', 'cccccccccccc'];

/**
 * `set` events at one path. Each may name any of the others as replaced, also in a circle, as
 * forged lines could.
 */
const versions = fc
  .array(
    fc.record({
      writer: fc.nat({ max: WRITERS.length - 1 }),
      minute: fc.nat({ max: 5 }),
      replaces: fc.array(fc.nat({ max: 7 }), { maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map((seeds) => {
    const keys = seeds.map(({ writer }, at) => `${WRITERS[writer]}:${at + 1}`);
    return seeds.map(({ writer, minute, replaces }, at) =>
      eventOf({
        t: 'set',
        e: 'one',
        w: WRITERS[writer]!,
        n: at + 1,
        c: '',
        h: clockText(minute),
        d: { '/purpose': at, [REPLACES_KEY]: replaces.flatMap((to) => keys[to] ?? []) },
      }),
    );
  });

function purposeAfter(events: readonly LogEvent[]): unknown {
  const memory = fold(emptyMemory, events);
  return mapGet(entityOf(memory, 'one').registers, '/purpose')?.value;
}

describe('a register', () => {
  it('has the latest unreplaced version, for any order and repetition', () => {
    fc.assert(
      fc.property(
        versions.chain((events) =>
          fc.tuple(
            fc.constant(events),
            fc.array(fc.constantFrom(...events), { maxLength: 8 }),
            fc.shuffledSubarray(events, { minLength: events.length }),
          ),
        ),
        ([events, repeated, shuffled]) => {
          const replaced = new Set(events.flatMap(({ d }) => d[REPLACES_KEY] as string[]));
          const current = events.filter(({ w, n }) => !replaced.has(`${w}:${n}`));
          const latest = (current.length > 0 ? current : [...events]).sort((a, b) =>
            `${a.h} ${a.w} ${a.n}` < `${b.h} ${b.w} ${b.n}` ? 1 : -1,
          )[0]!;
          const expected = latest.d['/purpose'];
          expect(purposeAfter([...repeated, ...shuffled])).toBe(expected);
          expect(purposeAfter([...shuffled, ...repeated])).toBe(expected);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('adds a version that replaces nothing without reading all others', () => {
    let reads = 0;
    const count = 2000;
    const versionOf = (at: number): Version => ({
      value: at,
      at: {
        w: WRITERS[0]!,
        n: at + 1,
        c: '',
        get h() {
          reads++;
          return clockText((at * 7919) % count);
        },
      },
    });
    let register: Register | undefined;
    for (let at = 0; at < count; at++) register = withVersion(register, versionOf(at), []);
    expect(register?.rivals).toHaveLength(count - 1);
    expect(reads).toBeLessThan(count * 100); // 11 comparisons each; at least 2,000,000 if all are read
    const values = [register!, ...register!.rivals].map(
      ({ value }) => (Number(value) * 7919) % count,
    );
    expect(values).toEqual([...values].sort((a, b) => b - a));
    // an edit names the latest ones, so that its line stays short
    expect(replaceableKeys(register!)).toHaveLength(1000);
    expect(replaceableKeys(register!)[0]).toBe(versionKey(register!.at));
  });
});
