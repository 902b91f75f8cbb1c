/** Length of every vector, before its numbers are rounded. */
export const UNIT_LENGTH = 127;

/** Returns 0 for vectors that point away from each other. */
export function cosine(a: Int8Array, b: Int8Array): number {
  const product = a.reduce((sum, value, at) => sum + value * b[at]!, 0);
  return Math.max(0, product / UNIT_LENGTH ** 2);
}

/** Every number of dimensions is divisible by this. */
export const LANES = 8;

/** Returns the vector of length 127 in the same direction, padded with zeros to whole lanes. */
export function toUnitVector(sum: Float64Array | readonly number[]): Int8Array {
  let square = 0;
  for (const value of sum) square += value * value;
  const vector = new Int8Array(Math.ceil(sum.length / LANES) * LANES);
  if (square === 0) return vector;
  const factor = UNIT_LENGTH / Math.sqrt(square);
  for (let column = 0; column < sum.length; column++)
    vector[column] = Math.round(sum[column]! * factor);
  return vector;
}
