import { stampTime, type LogEvent } from '../../model/event.js';
import { isWriterId } from '../../platform/random.js';
import type { Lane } from '../format/lanes.js';
import { isCount } from '../format/line.js';

/** First and last of a run of sequence numbers. */
export type Range = readonly [number, number];

/** What one `log.retire` event says. */
export interface Retirement {
  readonly writer: string;
  readonly range: Range;
  readonly lane: Lane;
  /** Below the folder of its lane. */
  readonly file: string;
  /** Milliseconds since 1970, by the clock of whoever wrote it. */
  readonly time: number;
}

/** What the event takes out; undefined where it takes out nothing. */
export function retirementOf(event: LogEvent): Retirement | undefined {
  if (event.v !== 1 || event.t !== 'log.retire') return undefined;
  const { w, from, to, lane, file } = event.d;
  if (typeof w !== 'string' || !isWriterId(w) || !isCount(from) || !isCount(to) || from > to)
    return undefined;
  const range: Range = [from, to];
  return {
    writer: w,
    range,
    time: Date.parse(stampTime(event)),
    file: typeof file === 'string' ? file : '',
    lane: lane === 'trace' || lane === 'chat' ? lane : 'core',
  };
}

/** What `log.retire` events say was taken out, by writer. In another lane than core they stand for another vault and say nothing here. */
export function retiredRanges(
  lines: Iterable<{ readonly event: LogEvent; readonly lane?: Lane }>,
): Map<string, Range[]> {
  const retired = new Map<string, Range[]>();
  for (const { event, lane = 'core' } of lines) {
    const found = lane === 'core' ? retirementOf(event) : undefined;
    if (found) retired.set(found.writer, [...(retired.get(found.writer) ?? []), found.range]);
  }
  return retired;
}

export function isIn(ranges: readonly Range[], n: number): boolean {
  return ranges.some(([from, to]) => from <= n && n <= to);
}

/** All that is known to be retired, growing as the log is read. */
export interface Retired {
  /** Hears of an event of the core lane; answers whether it retires something of which nobody had heard. */
  note(event: LogEvent): boolean;
  /** When the event was first said to be retired, in milliseconds since 1970; undefined where it is not. */
  timeOf(writer: string, n: number): number | undefined;
  /** Whether a file of that name (below the folder of its lane) was retired. */
  hasFile(file: string): boolean;
}

export function createRetired(): Retired {
  const byWriter = new Map<string, Retirement[]>();
  const files = new Set<string>();
  return {
    note(event) {
      const found = retirementOf(event);
      if (!found) return false;
      byWriter.set(found.writer, [...(byWriter.get(found.writer) ?? []), found]);
      files.add(found.file);
      return true;
    },
    timeOf(writer, n) {
      const covering = byWriter.get(writer)?.filter(({ range }) => isIn([range], n)) ?? [];
      return covering.length > 0 ? Math.min(...covering.map(({ time }) => time)) : undefined;
    },
    hasFile: (file) => files.has(file),
  };
}
