/** First and last number of a run of sequence numbers. */
export type NumberRange = readonly [number, number];

export function isInRanges(ranges: readonly NumberRange[], n: number): boolean {
  return ranges.some(([from, to]) => from <= n && n <= to);
}

/** Returns the numbers as ranges, in ascending order. */
export function rangesOf(numbers: Iterable<number>): NumberRange[] {
  const found: [number, number][] = [];
  for (const n of [...numbers].sort((a, b) => a - b)) {
    const last = found.at(-1);
    if (last && n <= last[1] + 1) last[1] = n;
    else found.push([n, n]);
  }
  return found;
}

/** Returns how many numbers are in the ranges, which must not overlap. */
export function countNumbers(ranges: readonly NumberRange[]): number {
  return ranges.reduce((sum, [from, to]) => sum + to - from + 1, 0);
}

/** Returns the numbers from 1 to `end` that are in none of the ranges, which may overlap. */
export function gapsBetween(ranges: readonly NumberRange[], end: number): NumberRange[] {
  const found: NumberRange[] = [];
  let next = 1;
  for (const [from, to] of [...ranges].sort((a, b) => a[0] - b[0])) {
    if (from > end) break;
    if (from > next) found.push([next, from - 1]);
    next = Math.max(next, to + 1);
  }
  if (next <= end) found.push([next, end]);
  return found;
}

/** Returns all numbers up to `end` that are in any of the given ranges, which may overlap. */
export function joinRanges(ranges: readonly NumberRange[], end: number): NumberRange[] {
  return gapsBetween(gapsBetween(ranges, end), end);
}
