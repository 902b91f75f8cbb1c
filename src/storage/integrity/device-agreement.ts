import { compareStamps, compareText, stampTime, type LogEvent } from '../../model/event.js';
import { countNumbers, isInRanges, type NumberRange } from '../format/number-ranges.js';
import { watermarkOf, type SeenWriter, type Watermark } from '../format/watermark.js';

/** Core events of others that a device had at its last watermark, compared with those here. */
export interface DeviceAgreement {
  readonly device: string;
  /** Time of the watermark, as an ISO date-time in UTC, by the device's clock. */
  readonly at: string;
  /** `lags`: it lacked events. `ahead`: it had more. `differs`: other events with equal numbers. */
  readonly state: 'agrees' | 'lags' | 'ahead' | 'differs';
  /** Number of events here, up to the last one of each writer that is not a `log.*` event. */
  readonly here: number;
  /** Number of events that the device had. */
  readonly there: number;
}

/** The core events of one writer that are here. */
export interface HeldWriter {
  readonly writer: string;
  /** The number of its last event that is not a `log.*` event. */
  readonly last: number;
  /** The numbers up to `last` that are missing. */
  readonly missing: readonly NumberRange[];
  /** Returns the hashes of the events with a number; several after a fork. */
  hashesOf(n: number): readonly string[];
}

/** Combined content of all watermarks of a device. */
interface Knowledge {
  /** The latest watermark, which `gaps` are from. */
  readonly at: LogEvent;
  readonly gaps: Watermark['gaps'];
  readonly seen: Map<string, SeenWriter>;
}

/** Evaluates each device's watermarks. `devices`: names by writer; `held`: core writers. */
export function agreementsIn(
  events: readonly LogEvent[],
  devices: ReadonlyMap<string, string>,
  held: readonly HeldWriter[],
): DeviceAgreement[] {
  const known = new Map<string, Knowledge>();
  const marks = events.flatMap((event) => {
    const device = devices.get(event.w);
    const watermark = watermarkOf(event);
    return device === undefined || !watermark ? [] : [{ event, device, watermark }];
  });
  marks.sort((a, b) => compareStamps(a.event, b.event));
  for (const { event, device, watermark } of marks) {
    const seen = known.get(device)?.seen ?? new Map<string, SeenWriter>();
    known.set(device, { at: event, gaps: watermark.gaps, seen });
    for (const each of watermark.seen)
      if (
        each.lane === 'core' &&
        devices.get(each.writer) !== device &&
        each.n >= (seen.get(each.writer)?.n ?? 0)
      )
        seen.set(each.writer, each);
  }
  return [...known]
    .map(([device, knowledge]) =>
      compare(
        device,
        knowledge,
        held.filter(({ writer }) => devices.get(writer) !== device),
      ),
    )
    .sort((a, b) => compareText(a.device, b.device));
}

function compare(
  device: string,
  { at, gaps, seen }: Knowledge,
  held: readonly HeldWriter[],
): DeviceAgreement {
  const heldBy = new Map(held.map((each) => [each.writer, each]));
  let [here, there] = [0, 0];
  let [lags, isAhead, differs] = [false, false, false];
  for (const { writer, last, missing } of held) {
    here += last - countNumbers(missing);
    const numbers = gaps.get(writer) ?? [];
    if ((seen.get(writer)?.n ?? 0) < last) lags = true;
    if (numbers.some(([from, to]) => !isCovered(missing, from, to))) lags = true;
  }
  for (const { writer, n, hash } of seen.values()) {
    const own = heldBy.get(writer);
    const numbers = (gaps.get(writer) ?? []).filter(([from]) => from <= n);
    there += n - countNumbers(numbers.map(([from, to]) => [from, Math.min(to, n)]));
    if (!own || own.last < n) isAhead = true;
    else if (
      own.missing.some(([from, to]) => from <= n && !isCovered(numbers, from, Math.min(to, n)))
    )
      isAhead = true;
    else if (hash !== undefined && !isInRanges(own.missing, n) && !own.hashesOf(n).includes(hash))
      differs = true;
  }
  const state = differs ? 'differs' : isAhead ? 'ahead' : lags ? 'lags' : 'agrees';
  return { device, at: stampTime(at), state, here, there };
}

function isCovered(ranges: readonly NumberRange[], from: number, to: number): boolean {
  return ranges.some((range) => range[0] <= from && to <= range[1]);
}
