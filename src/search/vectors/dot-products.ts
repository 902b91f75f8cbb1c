/** Every number of dimensions is divisible by this. */
export const LANES = 8;

/**
 * Computes the dot products of `query` and each of the vectors numbered from `from` up to (not
 * including) `to`, and writes them to the same indices of `products`. `vectors` contains one vector
 * after another, each as long as the query. That length must be divisible by eight and at most
 * 4,096. To keep a page responsive, call this for slices of the vectors: 20,000 take a few
 * milliseconds.
 */
export type DotProducts = (
  query: Int8Array,
  vectors: Int8Array,
  products: Int32Array,
  from: number,
  to: number,
) => void;

/**
 * Computes dot products without SIMD, for hosts without WebAssembly or its SIMD. The loop is
 * unrolled, which halves its time.
 */
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
