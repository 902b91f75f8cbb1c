import type { LogEvent } from '../../model/event.js';
import type { VaultPath } from '../../model/paths.js';
import type { Files } from '../../platform/files.js';
import { eachInParallel } from '../../platform/parallel.js';
import { NOOP_SCHEDULER, type Scheduler } from '../../platform/scheduler.js';
import { decodeLine } from '../format/line.js';
import { toUtf8 } from '../format/segment.js';
import { MAX_PARALLEL_READS, type LocatedEvent } from './reader.js';

/** The location of a line. */
export type LineRange = Pick<LocatedEvent, 'path' | 'from' | 'to'>;

/** Reads the event at each location; undefined if it is not there any more. */
export async function readEventsAt(
  files: Files,
  locations: readonly LineRange[],
  scheduler: Scheduler = NOOP_SCHEDULER,
): Promise<(LogEvent | undefined)[]> {
  const paths = [...new Set(locations.map(({ path }) => path))];
  const contents = new Map<VaultPath, Uint8Array>();
  await eachInParallel(paths, MAX_PARALLEL_READS, async (path) => {
    const raw = await files.read(path);
    if (raw) contents.set(path, toUtf8(raw));
  });
  const events: (LogEvent | undefined)[] = [];
  for (const { path, from, to } of locations) {
    if (scheduler.isDue) await scheduler.yieldIfDue();
    const bytes = contents.get(path);
    const line = bytes && to <= bytes.length ? decodeLine(bytes, from, to) : undefined;
    events.push(line && 'event' in line ? line.event : undefined);
  }
  return events;
}
