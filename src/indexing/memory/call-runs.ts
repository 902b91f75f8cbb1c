import { compareStamps, type Json } from '../../model/event.js';
import { firstIndex } from '../../model/sorted/first-index.js';
import type { TraceEntry, TraceList } from '../../storage/index.js';

/** Consecutive calls that are all processed, in the form that is persisted. */
export interface CallRun {
  /** Stamp of the first call. */
  readonly first: Pick<TraceEntry, 'h' | 'w' | 'n' | 'c'>;
  readonly count: number;
  /** Offsets of the calls that are left out of the index. */
  readonly skipped: readonly number[];
  /** 32-bit hash of all calls and their positions in the files. */
  readonly hash: number;
}

/** Returns the position of a call, or where it would be inserted. Tries `guess` first. */
export function positionOf(
  { entries, count }: TraceList,
  first: CallRun['first'],
  guess: number,
): number {
  if (guess < count && compareStamps(entries[guess]!, first) === 0) return guess;
  return firstIndex(count, (at) => compareStamps(entries[at]!, first) >= 0);
}

/** Returns a 32-bit hash of the calls' numbers, checksums, files and offsets. */
export function hashCalls(entries: readonly TraceEntry[], from: number, to: number): number {
  let hash = 0;
  let path = '';
  for (let at = from; at < to; at++) {
    const entry = entries[at]!;
    hash = Math.imul(hash ^ entry.n, 0x9e3779b1) ^ entry.from;
    hash = hashText(hash ^ (hash >>> 15), entry.c);
    if (entry.path !== path) hash = hashText(hash, entry.path);
    path = entry.path;
  }
  return hash >>> 0;
}

function hashText(seed: number, text: string): number {
  let hash = seed;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x85ebca77);
  return hash ^ (hash >>> 13);
}

export function runToJson({ first: { h, w, n, c }, count, skipped, hash }: CallRun): Json {
  return [h, w, n, c, count, hash, skipped.length > 0 ? [...skipped] : 0];
}

export function runFromJson(value: Json): CallRun | undefined {
  if (!Array.isArray(value)) return undefined;
  const [h, w, n, c, count, hash, skipped] = value;
  if (typeof h !== 'string' || typeof w !== 'string') return undefined;
  if (typeof n !== 'number' || typeof c !== 'string') return undefined;
  if (typeof count !== 'number' || typeof hash !== 'number') return undefined;
  const offsets = Array.isArray(skipped)
    ? skipped.filter((offset) => typeof offset === 'number')
    : [];
  return { first: { h, w, n, c }, count, hash, skipped: offsets };
}
