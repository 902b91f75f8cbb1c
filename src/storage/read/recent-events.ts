import { compareStamps, stampTime, type LogEvent } from '../../model/event.js';
import type { VaultPath } from '../../model/paths.js';
import { readIfPossible, type Files } from '../../platform/files.js';
import { eachInParallel } from '../../platform/parallel.js';
import { NOOP_SCHEDULER, type Scheduler } from '../../platform/scheduler.js';
import { dayInName, isSegmentName, ON_DEMAND_EVENTS, type OnDemandLane } from '../format/lanes.js';
import { lineKey } from '../format/line.js';
import { parseSegment, toUtf8 } from '../format/segment.js';
import { MAX_PARALLEL_READS } from './reader.js';

export interface RecentQuery {
  readonly files: Files;
  readonly root: VaultPath;
  readonly lane: OnDemandLane;
  /** Undefined for the events of all owners. */
  readonly owner: string | undefined;
  readonly limit: number;
  readonly isIncluded: (event: LogEvent) => boolean;
  readonly scheduler?: Scheduler;
  readonly maxSegments?: number;
}

/** Segments of one UTC day, or whose names give no day. */
interface Day {
  /** `2026-11-20`; sorts after every day if the names give none. */
  readonly day: string;
  readonly paths: VaultPath[];
}

/** Default of `maxSegments`. A year of one person's work on two devices has fewer. */
export const MAX_RECENT_SEGMENTS = 512;

/** Number of the newest segments in which sessions are looked for, of about a month. */
export const MAX_SESSION_SEGMENTS = 64;

const DAY_MS = 24 * 60 * 60 * 1000;
const UNDATED = '~';

/**
 * Returns an owner's newest on-demand events, newest first. Reads days, and in them each writer's
 * segments, backwards until earlier ones cannot be newer or `maxSegments` have been read.
 */
export async function findRecentEvents(query: RecentQuery): Promise<LogEvent[]> {
  const { limit, maxSegments = MAX_RECENT_SEGMENTS } = query;
  const found = new Map<string, LogEvent>();
  let left = maxSegments;
  for await (const { day, paths } of daysBackwards(query)) {
    const last = newestOf(found)[limit - 1];
    if (last && day < dayBefore(last)) break;
    left -= await readDay(query, paths, found, left);
    if (left === 0) break;
  }
  return newestOf(found).slice(0, limit);
}

function newestOf(found: ReadonlyMap<string, LogEvent>): LogEvent[] {
  return [...found.values()].sort((a, b) => compareStamps(b, a));
}

/** Reads at most `left` segments of a day. Returns their number. */
async function readDay(
  query: RecentQuery,
  paths: readonly VaultPath[],
  found: Map<string, LogEvent>,
  left: number,
): Promise<number> {
  let count = 0;
  let runs = runsOf(paths);
  while (runs.length > 0 && count < left) {
    const due = runs.slice(0, left - count);
    count += due.length;
    const firsts = new Map<Run, LogEvent>();
    await eachInParallel(due, MAX_PARALLEL_READS, async (run) => {
      const first = await readInto(query, run.paths.pop()!, found);
      if (first && first.w === run.writer) firsts.set(run, first);
    });
    const last = newestOf(found)[query.limit - 1];
    runs = runs.filter((run) => {
      const first = firsts.get(run);
      const isOlder = last && first && compareStamps(first, last) < 0;
      return run.paths.length > 0 && !isOlder;
    });
  }
  return count;
}

/** Segments of one writer, the earliest first; or a file whose name says nothing. */
interface Run {
  readonly writer: string | undefined;
  readonly paths: VaultPath[];
}

function runsOf(paths: readonly VaultPath[]): Run[] {
  const runs = new Map<string, Run>();
  for (const path of [...paths].sort()) {
    const writer = /\d{8}-([a-z0-9]{12})-\d{4}\.jsonl$/.exec(path)?.[1];
    const run = runs.get(writer ?? path) ?? { writer, paths: [] };
    run.paths.push(path);
    runs.set(writer ?? path, run);
  }
  return [...runs.values()];
}

/** Adds the wanted events of a segment. Returns the segment's first event. */
async function readInto(
  { files, lane, owner, isIncluded, scheduler = NOOP_SCHEDULER }: RecentQuery,
  path: VaultPath,
  found: Map<string, LogEvent>,
): Promise<LogEvent | undefined> {
  const { type, ownerField } = ON_DEMAND_EVENTS[lane];
  const raw = await readIfPossible(files, path);
  if (!raw) return undefined;
  await scheduler.yieldIfDue();
  const { lines } = parseSegment(toUtf8(raw));
  for (const { event } of lines) {
    const isOwned =
      event.v === 1 && event.t === type && (owner === undefined || event.d[ownerField] === owner);
    if (isOwned && isIncluded(event)) found.set(lineKey(event), event);
  }
  return lines[0]?.event;
}

/** Yields the days of a lane, latest first. Lists the folder of a month only when it is needed. */
async function* daysBackwards({ files, root, lane }: RecentQuery): AsyncGenerator<Day> {
  const folder = `${root}/${lane}`;
  const entries = (await files.list(folder)).filter(({ isLink }) => !isLink);
  const months = new Map<string, VaultPath[]>();
  const loose: VaultPath[] = [];
  for (const { name, kind } of entries) {
    if (kind === 'file' && isSegmentName(name)) loose.push(`${folder}/${name}`);
    if (kind !== 'folder') continue;
    const month = /^\d{4}-\d\d/.exec(name)?.[0] ?? UNDATED;
    months.set(month, [...(months.get(month) ?? []), `${folder}/${name}`]);
  }
  yield { day: UNDATED, paths: loose };
  for (const month of [...months.keys()].sort().reverse()) {
    const days = new Map<string, VaultPath[]>();
    for (const path of months.get(month)!)
      for (const { name, kind, isLink } of await files.list(path)) {
        if (kind !== 'file' || isLink || !isSegmentName(name)) continue;
        const day = dayInName(name) ?? UNDATED;
        days.set(day, [...(days.get(day) ?? []), `${path}/${name}`]);
      }
    for (const day of [...days.keys()].sort().reverse()) yield { day, paths: days.get(day)! };
  }
}

/** Earliest day that may have newer events: timestamps can be 24 hours ahead of the file's name. */
function dayBefore(event: LogEvent): string {
  const time = Date.parse(stampTime(event));
  return new Date(time - DAY_MS).toISOString().slice(0, 10);
}
