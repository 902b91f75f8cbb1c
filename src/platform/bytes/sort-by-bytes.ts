import { compareBytes } from './bytes.js';

/** Code units whose order differs between UTF-16 and UTF-8. */
const NON_UTF8_ORDER = /[\ud800-\uffff]/;

/** Texts sorted or merged between two yields. */
const SORT_BATCH_SIZE = 1024;

/** Returns the texts sorted by their UTF-8 bytes; yields while it works. */
export function* sortedByBytes(texts: readonly string[]): Generator<undefined, readonly string[]> {
  let runs: (readonly string[])[] = [];
  const compare = texts.some((text) => NON_UTF8_ORDER.test(text)) ? compareAsUtf8 : undefined;
  for (let from = 0; from < texts.length; from += SORT_BATCH_SIZE) {
    runs.push(texts.slice(from, from + SORT_BATCH_SIZE).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const merged: (readonly string[])[] = [];
    for (let at = 0; at < runs.length; at += 2)
      merged.push(yield* mergeSorted(runs[at]!, runs[at + 1] ?? [], compare ?? compareUnits));
    runs = merged;
  }
  return runs[0] ?? [];
}

function* mergeSorted(
  a: readonly string[],
  b: readonly string[],
  compare: (a: string, b: string) => number,
): Generator<undefined, readonly string[]> {
  const merged: string[] = [];
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
