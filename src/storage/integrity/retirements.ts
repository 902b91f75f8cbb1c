import { stampTime, type LogEvent } from '../../model/event.js';
import { isWriterId } from '../../platform/random.js';
import { isRetirable, type LaneName } from '../format/lanes.js';
import { isSequenceNumber } from '../format/line.js';
import { isInRanges, type NumberRange } from '../format/number-ranges.js';
import { addToList } from '../../platform/lists.js';

/** More than a segment has: a line has over 140 bytes. */
const MAX_LINES = 1000;
const DAY_MS = 24 * 60 * 60 * 1000;

/** The content of a `log.retire` event. Only traces and sessions are ever retired. */
export interface Retirement {
  readonly writer: string;
  readonly range: NumberRange;
  /** Path below the folder of its lane; empty if the event names none. */
  readonly file: string;
  /** Milliseconds since 1970, by the clock of the event's writer. */
  readonly time: number;
  /** False if it is for age, which no limit sets below a day. */
  readonly isForSize: boolean;
}

/** Returns what an event retires; undefined if it retires nothing. */
export function retirementOf(event: LogEvent): Retirement | undefined {
  if (event.v !== 1 || event.t !== 'log.retire') return undefined;
  const { w, from, to, lane, file, why } = event.d;
  if (
    typeof w !== 'string' ||
    !isWriterId(w) ||
    !isRetirable(lane) ||
    !isSequenceNumber(from) ||
    !isSequenceNumber(to) ||
    from > to ||
    to - from >= MAX_LINES
  )
    return undefined;
  const range: NumberRange = [from, to];
  return {
    writer: w,
    range,
    time: Date.parse(stampTime(event)),
    file: typeof file === 'string' ? file : '',
    isForSize: why === 'size',
  };
}

/** Returns true if a device can have retired an event that is here, by the times of both. */
export function mayRetire({ time, isForSize }: Retirement, event: LogEvent): boolean {
  const age = time - Date.parse(stampTime(event));
  // a segment that was left open can be sealed after it was retired
  return event.t.startsWith('log.') || age >= (isForSize ? 0 : DAY_MS);
}

/** Returns the retired numbers by writer. Only `log.retire` of the core lane counts. */
export function retiredRanges(
  lines: Iterable<{ readonly event: LogEvent; readonly lane?: LaneName }>,
): Map<string, NumberRange[]> {
  const retired = new Map<string, NumberRange[]>();
  for (const { event, lane = 'core' } of lines) {
    const retirement = lane === 'core' ? retirementOf(event) : undefined;
    if (!retirement) continue;
    const { writer, range } = retirement;
    addToList(retired, writer, range);
  }
  return retired;
}

/** All retirements of the log. They explain why events are not here, and hide none. */
export class Retirements {
  readonly #byWriter = new Map<string, Retirement[]>();
  /** When each file was retired first. */
  readonly #files = new Map<string, number>();

  /** Takes in an event of the core lane. */
  add(event: LogEvent): void {
    const retirement = retirementOf(event);
    if (!retirement) return;
    const { writer, file, time } = retirement;
    addToList(this.#byWriter, writer, retirement);
    this.#files.set(file, Math.min(time, this.#files.get(file) ?? time));
  }

  /** Returns when an event was first retired, in milliseconds since 1970, or undefined. */
  retiredAt(event: LogEvent): number | undefined {
    let first: number | undefined;
    for (const retirement of this.#byWriter.get(event.w) ?? [])
      if (isInRanges([retirement.range], event.n) && mayRetire(retirement, event))
        first = Math.min(retirement.time, first ?? retirement.time);
    return first;
  }

  /** Returns when a file, relative to its lane's folder, was first retired; undefined if never. */
  fileRetiredAt(file: string): number | undefined {
    return this.#files.get(file);
  }
}

/** Returns the retirements of a log. Only those of the core lane count. */
export function retirementsIn(
  lines: Iterable<{ readonly event: LogEvent; readonly lane?: LaneName }>,
): Retirements {
  const retired = new Retirements();
  for (const { event, lane = 'core' } of lines) if (lane === 'core') retired.add(event);
  return retired;
}
