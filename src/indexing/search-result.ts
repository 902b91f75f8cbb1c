import { NEAREST_DOCS_LIMIT } from '../search/index.js';
import type { IndexProgress } from './index-progress.js';

/** Includes the progress of the index unless it is complete. */
export interface SearchResult<T> {
  readonly found: T;
  readonly progress: IndexProgress | undefined;
}

/** Milliseconds since 1970; `-Infinity` and `Infinity` for no limit. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

export const UNLIMITED: TimeRange = { from: -Infinity, to: Infinity };

/** Nearest documents to score if conditions may exclude some of them. */
const NEAREST_FILTERED_LIMIT = 5000;

export function isUnlimited({ from, to }: TimeRange): boolean {
  return from === -Infinity && to === Infinity;
}

/** `time` is an ISO date-time. */
export function isInRange(time: string, { from, to }: TimeRange): boolean {
  const at = Date.parse(time);
  return at >= from && at <= to;
}

export function nearestLimit(isFiltered: boolean): number {
  return isFiltered ? NEAREST_FILTERED_LIMIT : NEAREST_DOCS_LIMIT;
}
