import { isWriterId } from './ids.js';
import { isCount } from './line.js';
import type { PlacedEvent } from './reader.js';

/** First and last of a run of sequence numbers. */
export type Range = readonly [number, number];

/** What `log.retire` events say was taken out, by writer. */
export function retiredRanges(events: readonly Pick<PlacedEvent, 'event'>[]): Map<string, Range[]> {
  const retired = new Map<string, Range[]>();
  for (const { event } of events) {
    if (event.v !== 1 || event.t !== 'log.retire') continue;
    const { w, from, to } = event.d;
    if (typeof w !== 'string' || !isWriterId(w) || !isCount(from) || !isCount(to) || from > to) continue;
    retired.set(w, [...(retired.get(w) ?? []), [from, to]]);
  }
  return retired;
}

export function isIn(ranges: readonly Range[], n: number): boolean {
  return ranges.some(([from, to]) => from <= n && n <= to);
}
