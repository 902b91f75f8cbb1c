import { compareStamps, compareText, stampTime, type LogEvent } from '../../model/event.js';
import { ChecksumBuilder, checksumIn, type EventChecksum } from './core-checksum.js';

/** Compares the core-lane events that a device had at its last watermark with those from before then that are here. */
export interface DeviceAgreement {
  /** The device's name. */
  readonly device: string;
  /** Time of the watermark, as an ISO date-time in UTC, by the device's clock. */
  readonly at: string;
  /** `lags`: it had fewer events than are here. `ahead`: more. `differs`: as many, but not the same. */
  readonly state: 'agrees' | 'lags' | 'ahead' | 'differs';
  /** Number of events here. */
  readonly here: number;
  /** Number of events that the device had. */
  readonly there: number;
}

/**
 * Evaluates the last watermark of each device. A watermark covers all events that its writer had seen except its own, and each of
 * these has an earlier `h`. `devices` are names by writer id; `events` are those of the core lane.
 */
export function agreementsIn(
  events: readonly LogEvent[],
  devices: ReadonlyMap<string, string>,
): DeviceAgreement[] {
  const watermarks = new Map<string, LogEvent>();
  for (const event of events) {
    const device = devices.get(event.w);
    if (event.v !== 1 || event.t !== 'log.mark' || device === undefined || !checksumIn(event))
      continue;
    const last = watermarks.get(device);
    if (!last || compareStamps(last, event) < 0) watermarks.set(device, event);
  }
  const found = [...watermarks].map(([device, event]) => compare(device, event, events));
  return found.sort((a, b) => compareText(a.device, b.device));
}

function compare(
  device: string,
  watermark: LogEvent,
  events: readonly LogEvent[],
): DeviceAgreement {
  const checksum = new ChecksumBuilder();
  for (const { h, w, n, c } of events)
    if (h < watermark.h && w !== watermark.w) checksum.add(w, n, c);
  const here = checksum.total();
  const there = checksumIn(watermark)!;
  return {
    device,
    at: stampTime(watermark),
    state: stateOf(here, there),
    here: here.count,
    there: there.count,
  };
}

function stateOf(here: EventChecksum, there: EventChecksum): DeviceAgreement['state'] {
  if (here.count > there.count) return 'lags';
  if (here.count < there.count) return 'ahead';
  return here.sum === there.sum ? 'agrees' : 'differs';
}
