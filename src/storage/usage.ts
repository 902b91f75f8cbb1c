import { compareText, stampTime } from '../model/event.js';
import type { VaultPath } from '../model/paths.js';
import type { Files } from '../platform/files.js';
import { isSegmentName, LANES, type LaneName } from './format/lanes.js';
import { NOOP_SCHEDULER, type Scheduler } from '../platform/scheduler.js';
import { createReader } from './read/reader.js';

/** What a lane takes of the disk. */
export interface LaneUsage {
  readonly lane: LaneName;
  readonly segments: number;
  readonly bytes: number;
}

/** A device that has written to the log, as it calls itself there. */
export interface DeviceActivity {
  readonly device: string;
  /** Workspaces, states and changes to them. */
  readonly events: number;
  /** When it wrote last, as ISO text. */
  readonly lastAt: string;
}

/** How much lies in each lane; nothing of it is read. */
export async function readUsage(files: Files, root: VaultPath): Promise<LaneUsage[]> {
  const usage: LaneUsage[] = [];
  for (const lane of LANES) {
    const paths: VaultPath[] = [];
    const folders = [`${root}/${lane}`];
    for (const folder of folders) {
      for (const { name, kind } of await files.list(folder)) {
        if (kind === 'folder') folders.push(`${folder}/${name}`);
        else if (isSegmentName(name)) paths.push(`${folder}/${name}`);
      }
    }
    let bytes = 0;
    for (const path of paths) bytes += (await files.stat(path))?.size ?? 0;
    usage.push({ lane, segments: paths.length, bytes });
  }
  return usage;
}

/** Who has written workspaces and states, the last one first. Reads the core lane; of tool calls alone nobody is named. */
export async function readDevices(
  files: Files,
  root: VaultPath,
  scheduler: Scheduler = NOOP_SCHEDULER,
): Promise<DeviceActivity[]> {
  const placed = await createReader(files, root, 'core', new Map(), { scheduler }).scan();
  const names = new Map<string, string>();
  for (const { event } of placed) {
    const { device } = event.t === 'log.seg' ? event.d : {};
    if (typeof device === 'string') names.set(event.w, device);
  }
  const devices = new Map<string, { events: number; lastAt: string }>();
  for (const { event } of placed) {
    const device = names.get(event.w) ?? '';
    const held = devices.get(device) ?? { events: 0, lastAt: '' };
    const at = stampTime(event);
    devices.set(device, {
      events: held.events + (event.t.startsWith('log.') ? 0 : 1),
      lastAt: at > held.lastAt ? at : held.lastAt,
    });
  }
  return [...devices]
    .map(([device, activity]) => ({ device, ...activity }))
    .sort((a, b) => compareText(b.lastAt, a.lastAt));
}
