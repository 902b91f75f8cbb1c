import { compareBytes } from './bytes.js';

/** Code units whose order differs between UTF-16 and UTF-8. */
const NON_UTF8_ORDER = /[\ud800-\uffff]/;

/** Items sorted or merged between two yields. */
const SORT_BATCH_SIZE = 1024;

/** Returns the texts sorted by their UTF-8 bytes; yields while it works. */
export function sortedByBytes(texts: readonly string[]): Generator<undefined, readonly string[]> {
  const isUtf8Order = !texts.some((text) => NON_UTF8_ORDER.test(text));
  return isUtf8Order
    ? sortSteps(texts, compareUnits, (run) => run.sort())
    : sortSteps(texts, compareAsUtf8);
}

/** Sorts stably; yields while it works. `sortRun` sorts a few items, perhaps faster. */
export function* sortSteps<T>(
  items: readonly T[],
  compare: (a: T, b: T) => number,
  sortRun: (run: T[]) => readonly T[] = (run) => run.sort(compare),
): Generator<undefined, readonly T[]> {
  let runs: (readonly T[])[] = [];
  for (let from = 0; from < items.length; from += SORT_BATCH_SIZE) {
    runs.push(sortRun(items.slice(from, from + SORT_BATCH_SIZE)));
    yield;
  }
  while (runs.length > 1) {
    const merged: (readonly T[])[] = [];
    for (let at = 0; at < runs.length; at += 2)
      merged.push(yield* mergeSorted(runs[at]!, runs[at + 1] ?? [], compare));
    runs = merged;
  }
  return runs[0] ?? [];
}

function* mergeSorted<T>(
  a: readonly T[],
  b: readonly T[],
  compare: (a: T, b: T) => number,
): Generator<undefined, readonly T[]> {
  const merged: T[] = [];
  let aAt = 0;
  let bAt = 0;
  while (aAt < a.length || bAt < b.length) {
    const takesA = bAt === b.length || (aAt < a.length && compare(a[aAt]!, b[bAt]!) <= 0);
    merged.push(takesA ? a[aAt++]! : b[bAt++]!);
    if (merged.length % SORT_BATCH_SIZE === 0) yield;
  }
  return merged;
}

function compareUnits(a: string, b: string): number {
  return a < b ? -1 : 1;
}

function compareAsUtf8(a: string, b: string): number {
  const aBytes = encoder.encode(a);
  const bBytes = encoder.encode(b);
  return compareBytes(aBytes, aBytes.length, bBytes, bBytes.length);
}

const encoder = new TextEncoder();
