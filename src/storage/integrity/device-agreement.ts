import { compareStamps, compareText, stampTime, type LogEvent } from '../../model/event.js';
import { createAdder, sumIn } from './core-checksum.js';

/** How what a device held when it last told of it compares with what is held here of the core lane until then. */
export interface Agreement {
  /** As it calls itself. */
  readonly device: string;
  /** When it told, an ISO date-time in UTC, by its own clock. */
  readonly at: string;
  /** `lags`: it held fewer events than are here. `ahead`: more. `differs`: as many, and not the same. */
  readonly state: 'agrees' | 'lags' | 'ahead' | 'differs';
  /** Events held here. */
  readonly here: number;
  /** Events that it held. */
  readonly there: number;
}

/**
 * What the last mark of each device says: it tells of all events that its writer had seen by then, its own aside, and each of these
 * has an earlier `h`. `devices` are the names by writer, `events` those of the core lane.
 */
export function agreementsIn(
  events: readonly LogEvent[],
  devices: ReadonlyMap<string, string>,
): Agreement[] {
  const marks = new Map<string, LogEvent>();
  for (const event of events) {
    const device = devices.get(event.w);
    if (event.v !== 1 || event.t !== 'log.mark' || device === undefined || !sumIn(event)) continue;
    const last = marks.get(device);
    if (!last || compareStamps(last, event) < 0) marks.set(device, event);
  }
  const found = [...marks].map(([device, mark]) => compare(device, mark, events));
  return found.sort((a, b) => compareText(a.device, b.device));
}

function compare(device: string, mark: LogEvent, events: readonly LogEvent[]): Agreement {
  const adder = createAdder();
  for (const { h, w, n, c } of events) if (h < mark.h && w !== mark.w) adder.add(w, n, c);
  const [here, there] = [adder.total(), sumIn(mark)!];
  const state =
    here.count > there.count
      ? 'lags'
      : here.count < there.count
        ? 'ahead'
        : here.sum === there.sum
          ? 'agrees'
          : 'differs';
  return { device, at: stampTime(mark), state, here: here.count, there: there.count };
}
