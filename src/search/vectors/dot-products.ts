import { LANES } from './unit-vector.js';

/**
 * Writes the dot products of `query` and the vectors from `from` up to (not including) `to` to the
 * same indices of `products`. Each vector is as long as the query: a multiple of eight, at most
 * 4,096. Slices of 20,000 vectors take a few milliseconds, which keeps a page responsive.
 */
export type DotProducts = (
  query: Int8Array,
  vectors: Int8Array,
  products: Int32Array,
  from: number,
  to: number,
) => void;

/** For hosts without WebAssembly or its SIMD. Unrolling the loop halves its time. */
export const scalarDotProducts: DotProducts = (query, vectors, products, from, to) => {
  const dimensions = query.length;
  for (let number = from, at = from * dimensions; number < to; number++) {
    let sum = 0;
    for (let column = 0; column < dimensions; column += LANES, at += LANES) {
      const first =
        query[column]! * vectors[at]! +
        query[column + 1]! * vectors[at + 1]! +
        query[column + 2]! * vectors[at + 2]! +
        query[column + 3]! * vectors[at + 3]!;
      const second =
        query[column + 4]! * vectors[at + 4]! +
        query[column + 5]! * vectors[at + 5]! +
        query[column + 6]! * vectors[at + 6]! +
        query[column + 7]! * vectors[at + 7]!;
      sum = (sum + first + second) | 0;
    }
    products[number] = sum;
  }
};
