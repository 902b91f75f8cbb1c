/** Length of every vector, before its numbers are rounded. */
export const UNIT_LENGTH = 127;

/** Returns the vector of length 127 in the same direction; all zeros for a zero vector. */
export function toUnitVector(sum: Float64Array): Int8Array {
  let square = 0;
  for (const value of sum) square += value * value;
  const vector = new Int8Array(sum.length);
  if (square === 0) return vector;
  const factor = UNIT_LENGTH / Math.sqrt(square);
  for (let column = 0; column < sum.length; column++)
    vector[column] = Math.round(sum[column]! * factor);
  return vector;
}
