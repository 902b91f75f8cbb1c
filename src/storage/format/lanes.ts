import { SESSION_TYPE, type LogEvent } from '../../model/event.js';
import type { VaultPath } from '../../model/paths.js';

/** Kinds of segments: `core` is folded in memory; the others are read on demand. */
export type LaneName = 'core' | 'chat' | 'trace' | 'session';

export const LANES: readonly LaneName[] = ['core', 'chat', 'trace', 'session'];

/** Lanes whose old segments are deleted. */
export const RETIRABLE_LANES = ['trace', 'session'] as const;

export type RetirableLane = (typeof RETIRABLE_LANES)[number];

export function isRetirable(lane: unknown): lane is RetirableLane {
  return RETIRABLE_LANES.some((each) => each === lane);
}

/** Events of one type, which are read from their segment when they are needed. */
export interface OnDemandEventType {
  /** The event's `t`. */
  readonly type: string;
  /** The field of `d` that names the event's owner. */
  readonly ownerField: string;
  /** Further fields of `d` that the index uses. */
  readonly otherFields?: readonly string[];
}

export type OnDemandLane = Exclude<LaneName, 'core'>;

/** The events that are not held in memory, by lane. */
export const ON_DEMAND_EVENTS: Record<OnDemandLane, OnDemandEventType> = {
  chat: { type: 'msg.new', ownerField: 'conv' },
  trace: { type: 'trace.new', ownerField: 'ws' },
  session: { type: SESSION_TYPE, ownerField: 'ws', otherFields: ['client', 'session'] },
};

/** Lanes of event types, in any folder. Other types belong to the lane of their folder. */
const LANE_BY_TYPE: Partial<Record<string, LaneName>> = {
  'ws.new': 'core',
  'state.new': 'core',
  'record.new': 'core',
  'pin.new': 'core',
  'path.moved': 'core',
  'conv.new': 'chat',
  'msg.new': 'chat',
  'trace.new': 'trace',
  [SESSION_TYPE]: 'session',
};

/** Returns an event's lane. A `set` among traces or sessions belongs to core: they never change. */
export function laneOf({ v, t }: Pick<LogEvent, 'v' | 't'>, folder: LaneName): LaneName {
  if (v !== 1) return folder;
  return LANE_BY_TYPE[t] ?? (t === 'set' && isRetirable(folder) ? 'core' : folder);
}

/** Bytes at which a segment is full and gets sealed. */
export const MAX_SEGMENT_BYTES: Record<LaneName, number> = {
  core: 64 * 1024,
  chat: 64 * 1024,
  trace: 128 * 1024,
  session: 128 * 1024,
};

/** The same for a segment with imported conversations, of which many come at once. */
export const MAX_IMPORTED_BYTES = 2 * 1024 * 1024;

/**
 * Path of a segment, such as `core/2026-11/20261120-k3v9q2m7x4tb-0001.jsonl` under `root`. The name
 * is for people and for retention; readers go by content.
 */
export function segmentPath(
  root: VaultPath,
  lane: LaneName,
  day: string,
  writer: string,
  number: number,
): VaultPath {
  const name = `${day.replaceAll('-', '')}-${writer}-${String(number).padStart(4, '0')}.jsonl`;
  return `${root}/${lane}/${day.slice(0, 7)}/${name}`;
}

/** Path of a segment with restored lines. */
export function healedPath(root: VaultPath, lane: LaneName, day: string, id: string): VaultPath {
  return `${root}/${lane}/${day.slice(0, 7)}/${day.replaceAll('-', '')}-${id}-healed.jsonl`;
}

/** The UTC day of a time, `2026-11-20`. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** Returns the day with which a file's name begins, as `dayOf` does; undefined if there is none. */
export function dayInName(path: VaultPath): string | undefined {
  const [, year, month, day] = /(?:^|\/)(\d{4})(\d\d)(\d\d)-[^/]*$/.exec(path) ?? [];
  return year === undefined ? undefined : `${year}-${month}-${day}`;
}

/** The segment that a file must be one of by its name, wherever it was copied or moved to. */
export interface NamedSegment {
  readonly writer: string;
  /** Its number among the writer's segments; infinite for restored and imported lines. */
  readonly number: number;
}

/** Returns the segment that a file's name states, or that of a copy or placeholder of it. */
export function namedSegment(path: VaultPath): NamedSegment | undefined {
  const [, writer, number = Infinity] = /-([a-km-np-z2-9]{12})-(\d+)?[^/]*$/.exec(path) ?? [];
  return writer === undefined ? undefined : { writer, number: Number(number) };
}

/** Syncthing's partial downloads, editors' temporary files, macOS metadata on foreign disks. */
const TEMPORARY_FILE = /^(?:\.syncthing\.|~|\._)/;

/** Returns true if a file in a lane's folder may have events: `.jsonl`, but not temporary. */
export function isSegmentName(name: string): boolean {
  return name.endsWith('.jsonl') && !TEMPORARY_FILE.test(name);
}

/** Returns true for iCloud's placeholder of a segment that is not downloaded yet. */
export function isPlaceholderName(name: string): boolean {
  return name.endsWith('.jsonl.icloud');
}
