import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hold, type Holdings } from '../../src/storage/holdings.js';
import { createAdder, createCoreSum } from '../../src/storage/sums.js';
import { eventOf, WRITER_A, WRITER_B } from '../fakes/events.js';

const event = fc
  .record({ w: fc.constantFrom(WRITER_A, WRITER_B, 'cccccccccccc'), n: fc.integer({ min: 1, max: 6 }), e: fc.constantFrom('x', 'y') })
  .map((fields) => eventOf({ t: 'set', ...fields }));

const keyOf = ({ w, n, c }: { w: string; n: number; c: string }) => `${w} ${n} ${c}`;

function sumOf(events: readonly { w: string; n: number; c: string }[]) {
  const adder = createAdder();
  for (const { w, n, c } of events) adder.add(w, n, c);
  return adder.total();
}

describe('a sum of events', () => {
  it('is the same for the same events in any order, and another for any others', () => {
    fc.assert(
      fc.property(fc.uniqueArray(event, { selector: keyOf }), fc.uniqueArray(event, { selector: keyOf }), (some, others) => {
        const isSame = some.map(keyOf).sort().join() === others.map(keyOf).sort().join();
        expect(sumOf(some).sum === sumOf(others).sum).toBe(isSame);
        expect(sumOf([...some].reverse())).toEqual(sumOf(some));
        expect(sumOf(some).count).toBe(some.length);
      }),
    );
  });

  it('of what is held is that of the core events, holes and forks too, without one writer, however it grew', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(event, fc.boolean())), (steps) => {
        const holdings: Holdings = new Map();
        const coreSum = createCoreSum(holdings);
        const held = new Map<string, ReturnType<typeof eventOf>>();
        for (const [each, isLooking] of steps) {
          hold(holdings, each.w === 'cccccccccccc' ? 'trace' : 'core', each);
          held.set(keyOf(each), each);
          if (isLooking) coreSum(undefined);
        }
        const expected = [...held.values()].filter(({ w }) => w === WRITER_B);
        expect(coreSum(WRITER_A)).toEqual(sumOf(expected));
      }),
    );
  });
});
