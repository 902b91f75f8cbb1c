import { compareStamps, compareText, stampTime, type LogEvent } from '../../model/event.js';
import type { VaultPath } from '../../model/paths.js';
import { clip } from '../../model/refusal.js';
import { isText } from '../../model/text/json-fields.js';
import { truncate } from '../../model/text/truncate.js';
import type { Files } from '../../platform/files.js';
import { NOOP_SCHEDULER, type Scheduler } from '../../platform/scheduler.js';
import { LANES, type LaneName } from '../format/lanes.js';
import { LaneReader } from '../read/reader.js';
import { trustOf, type KnownWriters, type WriterTrust } from './known-writers.js';

/** The lines under one name. Those of this device are never counted with those of others. */
export interface DeviceActivity {
  /** The name, in one line and clipped; empty if the lines have none. */
  readonly device: string;
  /** `confirmed` if at least one of its writers is. */
  trust: WriterTrust;
  /** Its writers that are neither own nor confirmed. */
  readonly unknown: Set<string>;
  states: number;
  /** Number of further lines except `log.*` events. */
  others: number;
  /** Times of its first and last line, as ISO date-times in UTC. */
  firstAt: string;
  lastAt: string;
}

/** Returns true if a device has something to confirm, and not the name of this one. */
export function isConfirmable(
  { device, unknown }: DeviceActivity,
  devices: readonly DeviceActivity[],
): boolean {
  const isNamesake = devices.some((each) => each.trust === 'own' && each.device === device);
  return device !== '' && unknown.size > 0 && !isNamesake;
}

/** Returns the latest device name of each writer, in one line and clipped. */
export function devicesIn(lines: readonly { readonly event: LogEvent }[]): Map<string, string> {
  const openings = lines.map(({ event }) => event).filter(({ t }) => t === 'log.seg');
  const named = openings
    .sort(compareStamps)
    .flatMap(({ w, d: { device } }) => (isText(device) ? [[w, nameIn(device)] as const] : []));
  return new Map(named);
}

/** In characters, with markers of hidden ones. */
const MAX_NAME_LENGTH = 80;

/** Others choose the name, so it must not look like several rows or contain hidden characters. */
function nameIn(device: string): string {
  return truncate(clip(device.replace(/\s+/gu, ' ').trim()), MAX_NAME_LENGTH);
}

const NOBODY: KnownWriters = { own: new Set(), confirmed: new Map() };
const ORDER: readonly WriterTrust[] = ['own', 'confirmed', 'unknown'];

interface DevicesOptions {
  readonly lanes?: readonly LaneName[];
  readonly known?: KnownWriters;
  readonly scheduler?: Scheduler;
}

/**
 * Returns the devices that have written here: this one, then confirmed ones, the latest activity
 * first. A confirmed writer keeps the name with which it was confirmed. Reads the lanes completely.
 */
export async function readDevices(
  files: Files,
  root: VaultPath,
  { lanes = LANES, known = NOBODY, scheduler = NOOP_SCHEDULER }: DevicesOptions = {},
): Promise<DeviceActivity[]> {
  const devices = new Map<string, DeviceActivity>();
  for (const lane of lanes) {
    const reader = new LaneReader(files, root, lane, new Map(), { scheduler });
    const lines = [...(await reader.scan()), ...reader.takeMisplaced()];
    const names = devicesIn(lines);
    for (const { event } of lines) {
      const trust = trustOf(known, event.w);
      const device = known.confirmed.get(event.w)?.device ?? names.get(event.w) ?? '';
      const key = `${trust === 'own' ? trust : ''} ${device}`;
      const at = stampTime(event);
      const found = devices.get(key) ?? newActivity(device, trust, at);
      devices.set(key, found);
      if (trust === 'unknown') found.unknown.add(event.w);
      else found.trust = trust;
      if (event.t === 'state.new') found.states++;
      else if (!event.t.startsWith('log.')) found.others++;
      if (at < found.firstAt) found.firstAt = at;
      if (at > found.lastAt) found.lastAt = at;
    }
  }
  return [...devices.values()].sort(
    (a, b) => ORDER.indexOf(a.trust) - ORDER.indexOf(b.trust) || compareText(b.lastAt, a.lastAt),
  );
}

function newActivity(device: string, trust: WriterTrust, at: string): DeviceActivity {
  return { device, trust, unknown: new Set(), states: 0, others: 0, firstAt: at, lastAt: at };
}
