import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/model/event.js';
import { indexEvent, type WriterIndex } from '../../../src/storage/read/writer-index.js';
import {
  ChecksumBuilder,
  CoreChecksum,
  checksumIn,
} from '../../../src/storage/integrity/core-checksum.js';
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
  const builder = new ChecksumBuilder();
  for (const { w, n, c } of events) builder.add(w, n, c);
  return builder.total();
}

describe('a checksum of events', () => {
  it('matches values computed by another implementation', () => {
    const builder = new ChecksumBuilder();
    const totals = [builder.total()];
    for (const [w, n, c] of [['rqpx3sjttkuf', 2, '53290e39'], ['rqpx3sjttkuf', 3, '1b112c35'], ['k3v9q2m7x4tb', 1, 'ffffffff']] as const) {
      builder.add(w, n, c);
      totals.push(builder.total());
    } // prettier-ignore
    expect(totals).toEqual([
      { count: 0, sum: '0000000000000000' },
      { count: 1, sum: 'fb34f63efb12235d' },
      { count: 2, sum: '3f73b6527bd88b4d' },
      { count: 3, sum: '2a05772cd9d7498f' },
    ]);
  });

  it('is read only from a watermark with a valid checksum', () => {
    const read = (core: Json) => checksumIn(eventOf({ t: 'log.mark', d: { core } }));
    expect(read({ count: 3, sum: '2a05772cd9d7498f', more: 1 })).toEqual({
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
      ].map(read),
    ).toEqual(Array(9).fill(undefined));
    expect(checksumIn(eventOf({ t: 'log.mark' }))).toBeUndefined();
  });

  it('depends on the set of events, not on their order', () => {
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

  it('of an index covers its core events except those of a given writer', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(event, fc.boolean())), (steps) => {
        const writers: WriterIndex = new Map();
        const checksum = new CoreChecksum(writers);
        const known = new Map<string, ReturnType<typeof eventOf>>();
        for (const [each, isQueried] of steps) {
          indexEvent(writers, each.w === 'cccccccccccc' ? 'trace' : 'core', each);
          known.set(keyOf(each), each);
          if (isQueried) checksum.totalWithout(undefined);
        }
        const expected = [...known.values()].filter(({ w }) => w === WRITER_B);
        expect(checksum.totalWithout(WRITER_A)).toEqual(sumOf(expected));
      }),
    );
  });
});
