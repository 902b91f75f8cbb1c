import * as fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { plainDots } from '../../../src/search/vectors/dots.js';
import { createSimdDots } from '../../../src/search/vectors/simd-dots.js';

afterEach(() => vi.unstubAllGlobals());

function dotsOf(
  dots: typeof plainDots,
  query: Int8Array,
  vectors: Int8Array,
  from: number,
  to: number,
): number[] {
  const products = new Int32Array(vectors.length / query.length);
  dots(query, vectors, products, from, to);
  return [...products];
}

describe('createSimdDots', () => {
  it('gives the same integers as the plain loop, for any numbers, lengths and slices', () => {
    const simd = createSimdDots() ?? expect.fail('this host has no SIMD');
    const anyScan = fc
      .record({ lanes: fc.integer({ min: 1, max: 40 }), count: fc.integer({ min: 0, max: 60 }) })
      .chain(({ lanes, count }) =>
        fc.record({
          query: fc.int8Array({ minLength: lanes * 8, maxLength: lanes * 8 }),
          vectors: fc.int8Array({ minLength: lanes * 8 * count, maxLength: lanes * 8 * count }),
          from: fc.integer({ min: 0, max: count }),
          to: fc.integer({ min: 0, max: count }),
        }),
      );
    fc.assert(
      fc.property(anyScan, ({ query, vectors, from, to }) => {
        expect(dotsOf(simd, query, vectors, from, to)).toEqual(
          dotsOf(plainDots, query, vectors, from, to),
        );
      }),
    );
  });

  it('gives the same integers over many blocks, and at the extremes', () => {
    const simd = createSimdDots() ?? expect.fail('this host has no SIMD');
    for (const dimensions of [8, 256, 4096]) {
      const query = new Int8Array(dimensions).fill(-128);
      const vectors = Int8Array.from({ length: dimensions * 5000 }, (_, at) =>
        at % 7 === 0 ? -128 : (at * 31) % 256,
      );
      expect(dotsOf(simd, query, vectors, 3, 4997)).toEqual(
        dotsOf(plainDots, query, vectors, 3, 4997),
      );
    }
  });

  it('is nothing where the host has no WebAssembly', () => {
    vi.stubGlobal('WebAssembly', undefined);
    expect(createSimdDots()).toBeUndefined();
  });

  it('is nothing where the host knows no SIMD', () => {
    vi.stubGlobal('WebAssembly', { ...WebAssembly, validate: () => false });
    expect(createSimdDots()).toBeUndefined();
  });

  it('is nothing where a policy refuses to compile', () => {
    const refuse = () => {
      throw new Error('Refused by the content security policy');
    };
    vi.stubGlobal('WebAssembly', { validate: () => true, Module: refuse });
    expect(createSimdDots()).toBeUndefined();
  });
});
