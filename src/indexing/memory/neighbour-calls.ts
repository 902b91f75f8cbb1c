import type { Trace } from '../../model/trace.js';
import { BESIDE, type Beside } from '../../search/documents/memory-documents.js';

/** A call that was read, with its place among all calls; `isNew`: it is to be taken in. */
export interface ToldCall {
  readonly place: number;
  readonly trace: Trace;
  readonly isNew: boolean;
}

/** Two calls farther apart are not beside each other: what stands between them are searches. */
export const APART = 3;
/** So far from a call that comes is whatever must be read to take in again those that are found by it. */
const READ_BESIDE = APART * (BESIDE.before + BESIDE.after);

/** Places, ascending, and those near them that must be read with them. */
export function around(places: readonly number[], count: number): number[] {
  const near: number[] = [];
  let next = 0;
  for (const place of places) {
    for (
      next = Math.max(next, place - READ_BESIDE);
      next < count && next <= place + READ_BESIDE;
      next++
    )
      near.push(next);
  }
  return near;
}

/** Of calls in order those that are new, and those that have a new one beside them; each with what is beside it. */
export function* toBePut(
  told: readonly ToldCall[],
): Generator<ToldCall & { readonly beside: Beside<Trace> }> {
  for (const [at, call] of told.entries()) {
    const before = beside(told, at, -1, BESIDE.before);
    const after = beside(told, at, 1, BESIDE.after);
    if (!call.isNew && !before.some(({ isNew }) => isNew) && !after.some(({ isNew }) => isNew))
      continue;
    yield {
      ...call,
      beside: { before: before.map(({ trace }) => trace), after: after.map(({ trace }) => trace) },
    };
  }
}

/** The nearest first. */
function beside(told: readonly ToldCall[], at: number, step: 1 | -1, most: number): ToldCall[] {
  const found: ToldCall[] = [];
  let from = told[at]!.place;
  for (let next = at + step; found.length < most; next += step) {
    const other = told[next];
    if (!other || Math.abs(other.place - from) > APART) break;
    found.push(other);
    from = other.place;
  }
  return found;
}
