import { compareText, stampTime } from '../../model/event.js';
import type { VaultPath } from '../../model/paths.js';
import type { Files } from '../../platform/files.js';
import { LANES, type LaneName } from '../format/lanes.js';
import { NOOP_SCHEDULER, type Scheduler } from '../../platform/scheduler.js';
import { LaneReader } from '../read/reader.js';
import { segmentsBelow } from '../read/segment-list.js';

export interface LaneUsage {
  readonly lane: LaneName;
  readonly segments: number;
  readonly bytes: number;
}

/** The activity of a device in the core lane. */
export interface DeviceActivity {
  readonly device: string;
  /** Number of events that create or change workspaces and states. */
  readonly events: number;
  /** Time of its last event, as an ISO date-time in UTC. */
  readonly lastAt: string;
}

/** Measures each lane without reading any segment. */
export async function readUsage(files: Files, root: VaultPath): Promise<LaneUsage[]> {
  const usage: LaneUsage[] = [];
  for (const lane of LANES) {
    let segments = 0;
    let bytes = 0;
    for await (const path of segmentsBelow(files, `${root}/${lane}`)) {
      segments++;
      bytes += (await files.stat(path))?.size ?? 0;
    }
    usage.push({ lane, segments, bytes });
  }
  return usage;
}

/** Returns the devices that wrote to the core lane, latest activity first. Reads the whole lane. */
export async function readDevices(
  files: Files,
  root: VaultPath,
  scheduler: Scheduler = NOOP_SCHEDULER,
): Promise<DeviceActivity[]> {
  const lines = await new LaneReader(files, root, 'core', new Map(), { scheduler }).scan();
  const names = new Map<string, string>();
  for (const { event } of lines) {
    const { device } = event.t === 'log.seg' ? event.d : {};
    if (typeof device === 'string') names.set(event.w, device);
  }
  const devices = new Map<string, { events: number; lastAt: string }>();
  for (const { event } of lines) {
    const device = names.get(event.w) ?? '';
    const known = devices.get(device) ?? { events: 0, lastAt: '' };
    const at = stampTime(event);
    devices.set(device, {
      events: known.events + (event.t.startsWith('log.') ? 0 : 1),
      lastAt: at > known.lastAt ? at : known.lastAt,
    });
  }
  return [...devices]
    .map(([device, activity]) => ({ device, ...activity }))
    .sort((a, b) => compareText(b.lastAt, a.lastAt));
}
