/** The length of every vector, before its numbers are rounded. */
export const LENGTH = 127;

/** The vector of that length in the same direction; all zeros for none. */
export function toUnit(sum: Float64Array): Int8Array {
  let square = 0;
  for (const value of sum) square += value * value;
  const vector = new Int8Array(sum.length);
  if (square === 0) return vector;
  const factor = LENGTH / Math.sqrt(square);
  for (let column = 0; column < sum.length; column++)
    vector[column] = Math.round(sum[column]! * factor);
  return vector;
}
