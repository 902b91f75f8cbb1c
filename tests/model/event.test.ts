import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compareStamps,
  compareText,
  MAX_JSON_DEPTH,
  isJsonObject,
  isWithinDepth,
  stampTime,
  type Json,
  type Stamp,
} from '../../src/model/event.js';

const stamp: fc.Arbitrary<Stamp> = fc.record({
  h: fc.constantFrom(
    '2026-11-20T04:52:58.271Z.0001',
    '2026-11-20T04:52:58.271Z.000a',
    '2026-11-21T00:00:00.000Z.0000',
  ),
  w: fc.constantFrom('aaaaaaaaaaaa', 'aaaaaaaaaaab'),
  n: fc.constantFrom(1, 2, 10),
  c: fc.constantFrom('00000000', '0000000a'),
});

describe('event helpers', () => {
  it('order stamps by clock, then writer, then number, then CRC', () => {
    const first = { h: '2026-11-20T04:52:58.271Z.0001', w: 'bbbbbbbbbbbb', n: 9, c: 'ffffffff' };
    expect(
      compareStamps(first, {
        ...first,
        h: '2026-11-20T04:52:58.271Z.0002',
        w: 'aaaaaaaaaaaa',
        n: 1,
      }),
    ).toBeLessThan(0);
    expect(compareStamps(first, { ...first, w: 'cccccccccccc', n: 1 })).toBeLessThan(0);
    expect(compareStamps(first, { ...first, n: 10, c: '00000000' })).toBeLessThan(0);
    expect(compareStamps(first, { ...first, c: '00000000' })).toBeGreaterThan(0);
  });

  it('order all stamps totally', () => {
    fc.assert(
      fc.property(stamp, stamp, stamp, (a, b, c) => {
        expect(Math.sign(compareStamps(a, b))).toBe(-Math.sign(compareStamps(b, a)) + 0);
        expect(compareStamps(a, b) === 0).toBe(JSON.stringify(a) === JSON.stringify(b));
        if (compareStamps(a, b) <= 0 && compareStamps(b, c) <= 0)
          expect(compareStamps(a, c)).toBeLessThanOrEqual(0);
      }),
    );
  });

  it('compare text by code units in every locale', () => {
    expect(['ä', 'z', 'Z', 'a'].sort(compareText)).toEqual(['Z', 'a', 'z', 'ä']);
  });

  it('return the wall-clock time of a stamp', () => {
    expect(stampTime({ h: '2026-11-20T04:52:58.271Z.0001', w: '', n: 1, c: '' })).toBe(
      '2026-11-20T04:52:58.271Z',
    );
  });

  it('recognize JSON objects', () => {
    expect([{}, [], null, 'x', 1, undefined].map(isJsonObject)).toEqual([
      true,
      false,
      false,
      false,
      false,
      false,
    ]);
  });

  it('limit the depth of nesting', () => {
    let deep: Json = 'x';
    for (let i = 0; i < MAX_JSON_DEPTH; i++) deep = i % 2 === 0 ? [deep] : { a: deep };
    expect([
      isWithinDepth(deep),
      isWithinDepth([deep]),
      isWithinDepth([1, [2]], 1),
      isWithinDepth('x', 0),
    ]).toEqual([true, false, false, true]);
  });
});
