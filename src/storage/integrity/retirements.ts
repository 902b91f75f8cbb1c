import { stampTime, type LogEvent } from '../../model/event.js';
import { isWriterId } from '../../platform/random.js';
import { isRetirable, type LaneName } from '../format/lanes.js';
import { isSequenceNumber } from '../format/line.js';
import { isInRanges, type NumberRange } from '../format/number-ranges.js';

/** The content of a `log.retire` event. Only traces and sessions are ever retired. */
export interface Retirement {
  readonly writer: string;
  readonly range: NumberRange;
  /** Path below the folder of its lane; empty if the event names none. */
  readonly file: string;
  /** Milliseconds since 1970, by the clock of the event's writer. */
  readonly time: number;
}

/** Returns what an event retires; undefined if it retires nothing. */
export function retirementOf(event: LogEvent): Retirement | undefined {
  if (event.v !== 1 || event.t !== 'log.retire') return undefined;
  const { w, from, to, lane, file } = event.d;
  if (
    typeof w !== 'string' ||
    !isWriterId(w) ||
    !isRetirable(lane) ||
    !isSequenceNumber(from) ||
    !isSequenceNumber(to) ||
    from > to
  )
    return undefined;
  const range: NumberRange = [from, to];
  return {
    writer: w,
    range,
    time: Date.parse(stampTime(event)),
    file: typeof file === 'string' ? file : '',
  };
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
    const same = retired.get(writer);
    if (same) same.push(range);
    else retired.set(writer, [range]);
  }
  return retired;
}

/** All retirements of the log. */
export class Retirements {
  readonly #byWriter = new Map<string, Retirement[]>();
  /** When each file was retired first. */
  readonly #files = new Map<string, number>();

  /** Takes in an event of the core lane. Returns true if it retires something. */
  add(event: LogEvent): boolean {
    const retirement = retirementOf(event);
    if (!retirement) return false;
    const { writer, file, time } = retirement;
    const same = this.#byWriter.get(writer);
    if (same) same.push(retirement);
    else this.#byWriter.set(writer, [retirement]);
    this.#files.set(file, Math.min(time, this.#files.get(file) ?? time));
    return true;
  }

  /** Returns when an event was first retired, in milliseconds since 1970, or undefined. */
  retiredAt(writer: string, n: number): number | undefined {
    let first: number | undefined;
    for (const { range, time } of this.#byWriter.get(writer) ?? [])
      if (isInRanges([range], n)) first = Math.min(time, first ?? time);
    return first;
  }

  /** Returns when a file, relative to its lane's folder, was first retired; undefined if never. */
  fileRetiredAt(file: string): number | undefined {
    return this.#files.get(file);
  }
}
