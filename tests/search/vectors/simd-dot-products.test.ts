import * as fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { scalarDotProducts } from '../../../src/search/vectors/dot-products.js';
import { createSimdDotProducts } from '../../../src/search/vectors/simd-dot-products.js';
import { inFull } from '../../tier.js';

const testInFull = it.runIf(inFull('dot products of 20 MB'));

afterEach(() => vi.unstubAllGlobals());

function productsOf(
  compute: typeof scalarDotProducts,
  query: Int8Array,
  vectors: Int8Array,
  from: number,
  to: number,
): number[] {
  const products = new Int32Array(vectors.length / query.length);
  compute(query, vectors, products, from, to);
  return [...products];
}

describe('createSimdDotProducts', () => {
  it('computes the same integers as the scalar loop', () => {
    const simd = createSimdDotProducts() ?? expect.fail('this host has no SIMD');
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
        expect(productsOf(simd, query, vectors, from, to)).toEqual(
          productsOf(scalarDotProducts, query, vectors, from, to),
        );
      }),
    );
  });

  testInFull('computes the same integers over many blocks and for extreme values', () => {
    const simd = createSimdDotProducts() ?? expect.fail('this host has no SIMD');
    for (const dimensions of [8, 256, 4096]) {
      const query = new Int8Array(dimensions).fill(-128);
      const vectors = Int8Array.from({ length: dimensions * 5000 }, (_, at) =>
        at % 7 === 0 ? -128 : (at * 31) % 256,
      );
      expect(productsOf(simd, query, vectors, 3, 4997)).toEqual(
        productsOf(scalarDotProducts, query, vectors, 3, 4997),
      );
    }
  });

  it('returns undefined if the host has no WebAssembly', () => {
    vi.stubGlobal('WebAssembly', undefined);
    expect(createSimdDotProducts()).toBeUndefined();
  });

  it('returns undefined if the host has no SIMD', () => {
    vi.stubGlobal('WebAssembly', { ...WebAssembly, validate: () => false });
    expect(createSimdDotProducts()).toBeUndefined();
  });

  it('returns undefined if a security policy forbids compilation', () => {
    const refuse = () => {
      throw new Error('Refused by the content security policy');
    };
    vi.stubGlobal('WebAssembly', { validate: () => true, Module: refuse });
    expect(createSimdDotProducts()).toBeUndefined();
  });
});
