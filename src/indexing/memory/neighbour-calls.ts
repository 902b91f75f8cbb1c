import type { Trace } from '../../model/trace.js';
import { NEIGHBOUR_COUNTS, type NeighbourContext } from './memory-documents.js';

/** A call with its position in the list of calls. */
export interface ReadCall {
  readonly position: number;
  readonly trace: Trace;
  /** True if the call is still to be indexed. */
  readonly isNew: boolean;
}

/** Maximum distance between neighbours; only calls left out of the index may be between them. */
export const NEIGHBOUR_DISTANCE = 3;
/** A new call changes the documents of calls within this distance. */
const READ_DISTANCE = NEIGHBOUR_DISTANCE * (NEIGHBOUR_COUNTS.before + NEIGHBOUR_COUNTS.after);

/** Returns the positions (ascending) and the nearby ones to read in order to index the calls. */
export function withNeighbours(positions: readonly number[], count: number): number[] {
  const near: number[] = [];
  let next = 0;
  for (const position of positions) {
    const end = Math.min(count - 1, position + READ_DISTANCE);
    for (next = Math.max(next, position - READ_DISTANCE); next <= end; next++) near.push(next);
  }
  return near;
}

/** Yields each call that is new or has a new neighbour. `calls` must be in order. */
export function* callsToIndex(
  calls: readonly ReadCall[],
): Generator<ReadCall & { readonly neighbours: NeighbourContext<Trace> }> {
  for (const [at, call] of calls.entries()) {
    const before = neighboursOf(calls, at, -1, NEIGHBOUR_COUNTS.before);
    const after = neighboursOf(calls, at, 1, NEIGHBOUR_COUNTS.after);
    if (![call, ...before, ...after].some(({ isNew }) => isNew)) continue;
    const neighbours = {
      before: before.map(({ trace }) => trace),
      after: after.map(({ trace }) => trace),
    };
    yield { ...call, neighbours };
  }
}

/** Returns the neighbours of a call in one direction, the nearest first. */
function neighboursOf(
  calls: readonly ReadCall[],
  at: number,
  step: 1 | -1,
  limit: number,
): ReadCall[] {
  const found: ReadCall[] = [];
  let from = calls[at]!.position;
  for (let next = at + step; found.length < limit; next += step) {
    const other = calls[next];
    if (!other || Math.abs(other.position - from) > NEIGHBOUR_DISTANCE) break;
    found.push(other);
    from = other.position;
  }
  return found;
}
