import type { VaultPath } from '../../model/paths.js';

/** The three kinds of segments: `core` is kept in memory, `chat` and `trace` are indexed and read on demand. */
export type Lane = 'core' | 'chat' | 'trace';

export const LANES: readonly Lane[] = ['core', 'chat', 'trace'];

/** Events of type `t`, whose owner is named at `field`. */
export interface PlacedKind {
  readonly t: string;
  readonly field: string;
}

/** What is not kept in memory, but read where it stands. */
export const PLACED: Record<Exclude<Lane, 'core'>, PlacedKind> = {
  chat: { t: 'msg.new', field: 'conv' },
  trace: { t: 'trace.new', field: 'ws' },
};

/** Bytes at which a segment is full. */
export const SEGMENT_LIMIT: Record<Lane, number> = {
  core: 64 * 1024,
  chat: 64 * 1024,
  trace: 128 * 1024,
};

/** `core/2026-11/20261120-k3v9q2m7x4tb-0001.jsonl` under `root`. Names are for people and for retention; readers go by content. */
export function segmentPath(
  root: VaultPath,
  lane: Lane,
  day: string,
  writer: string,
  number: number,
): VaultPath {
  const name = `${day.replaceAll('-', '')}-${writer}-${String(number).padStart(4, '0')}.jsonl`;
  return `${root}/${lane}/${day.slice(0, 7)}/${name}`;
}

/** Where lines that had vanished are written again. */
export function healedPath(root: VaultPath, lane: Lane, day: string, id: string): VaultPath {
  return `${root}/${lane}/${day.slice(0, 7)}/${day.replaceAll('-', '')}-${id}-healed.jsonl`;
}

/** The UTC day of a time, `2026-11-20`. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** What Syncthing has in hand, what an editor keeps aside, and what macOS lays beside a file on a foreign disk. */
const NO_SEGMENT = /^(?:\.syncthing\.|~|\._)/;

/** Whether a file in a lane's folder may hold events, whatever it is called. */
export function isSegmentName(name: string): boolean {
  return name.endsWith('.jsonl') && !NO_SEGMENT.test(name);
}

/** Whether a file stands for a segment that the sync service has not downloaded yet. */
export function isPlaceholderName(name: string): boolean {
  return name.endsWith('.jsonl.icloud');
}
