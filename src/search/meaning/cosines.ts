import { plainDots, type Dots } from './dots.js';
import { createSimdDots } from './simd-dots.js';

/** The square of the length of every vector. */
const SQUARE = 127 * 127;

let fastest: Dots | undefined;

/**
 * Writes the cosine of `query` with each of the vectors numbered from `from` up to `to` to the same places of `into`: about
 * -1 to 1, 0 where a vector is all zeros. Vectors lie one after the other, each as long as the query. A slice of 20,000 takes
 * a few milliseconds at most, wherever it runs.
 */
export function cosines(query: Int8Array, vectors: Int8Array, into: Float32Array, from = 0, to = into.length): void {
  fastest ??= createSimdDots() ?? plainDots;
  const products = new Int32Array(into.buffer, into.byteOffset, into.length);
  fastest(query, vectors, products, from, to);
  for (let at = from; at < to; at++) into[at] = products[at]! / SQUARE;
}
