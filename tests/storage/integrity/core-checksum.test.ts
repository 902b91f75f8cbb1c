import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/model/event.js';
import { hold, type Holdings } from '../../../src/storage/read/writer-index.js';
import { createAdder, createCoreSum, sumIn } from '../../../src/storage/integrity/core-checksum.js';
import { eventOf, WRITER_A, WRITER_B } from '../../fakes/events.js';

const event = fc
  .record({
    w: fc.constantFrom(WRITER_A, WRITER_B, 'cccccccccccc'),
    n: fc.constantFrom(1, 2, 3, 4, 5, 12),
    e: fc.constantFrom('x', 'y'),
  })
  .map((fields) => eventOf({ t: 'set', ...fields }));

const keyOf = ({ w, n, c }: { w: string; n: number; c: string }) => `${w} ${n} ${c}`;

function sumOf(events: readonly { w: string; n: number; c: string }[]) {
  const adder = createAdder();
  for (const { w, n, c } of events) adder.add(w, n, c);
  return adder.total();
}

describe('a sum of events', () => {
  it('is told alike by every device: worked out by other means, it is this', () => {
    const adder = createAdder();
    const totals = [adder.total()];
    for (const [w, n, c] of [['rqpx3sjttkuf', 2, '53290e39'], ['rqpx3sjttkuf', 3, '1b112c35'], ['k3v9q2m7x4tb', 1, 'ffffffff']] as const) {
      adder.add(w, n, c);
      totals.push(adder.total());
    } // prettier-ignore
    expect(totals).toEqual([
      { count: 0, sum: '0000000000000000' },
      { count: 1, sum: 'fb34f63efb12235d' },
      { count: 2, sum: '3f73b6527bd88b4d' },
      { count: 3, sum: '2a05772cd9d7498f' },
    ]);
  });

  it('is read out of a mark, and out of nothing else', () => {
    const told = (core: Json) => sumIn(eventOf({ t: 'log.mark', d: { core } }));
    expect(told({ count: 3, sum: '2a05772cd9d7498f', more: 1 })).toEqual({
      count: 3,
      sum: '2a05772cd9d7498f',
    });
    expect(
      [
        'text',
        7,
        null,
        [],
        {},
        { count: 3 },
        { sum: 'x' },
        { count: '3', sum: 'x' },
        { count: 3, sum: 4 },
      ].map(told),
    ).toEqual(Array(9).fill(undefined));
    expect(sumIn(eventOf({ t: 'log.mark' }))).toBeUndefined();
  });

  it('is the same for the same events in any order, and another for any others', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(event, { selector: keyOf }),
        fc.uniqueArray(event, { selector: keyOf }),
        (some, others) => {
          const isSame = some.map(keyOf).sort().join() === others.map(keyOf).sort().join();
          expect(sumOf(some).sum === sumOf(others).sum).toBe(isSame);
          expect(sumOf([...some].reverse())).toEqual(sumOf(some));
          expect(sumOf(some).count).toBe(some.length);
        },
      ),
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
