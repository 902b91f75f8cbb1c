import { compareStamps, sessionKey, type Json } from '../../model/event.js';
import type { VaultPath } from '../../model/paths.js';
import { NOOP_SCHEDULER, type Scheduler } from '../../platform/scheduler.js';
import { ON_DEMAND_EVENTS, type OnDemandLane } from '../format/lanes.js';
import type { SegmentLine } from '../format/segment.js';
import { GrowingEventList, mergeSteps, sortedUnique } from './event-list.js';
import type { EventList, EventLocation } from './event-list.js';

export interface EventQuery {
  /** Filters the owner's events; all by default. */
  readonly isIncluded?: (entry: EventLocation) => boolean;
  readonly scheduler?: Scheduler | undefined;
}

interface OwnerList {
  readonly list: GrowingEventList;
  readonly isIncluded: (entry: EventLocation) => boolean;
}

/** Byte ranges of the on-demand events of some lanes, indexed by file and owner. */
export class EventIndex {
  readonly lanes: readonly OnDemandLane[];
  readonly #files = new Map<VaultPath, EventLocation[]>();
  /** By owner; without the lists that are still being made. */
  #lists = new Map<Json | undefined, OwnerList>();
  /** Counts changes: a list is not kept if the index has changed while it was made. */
  #version = 0;

  constructor(...lanes: readonly OnDemandLane[]) {
    this.lanes = lanes;
  }

  /** Indexes all (`isWhole`) or the added lines of a file. True if it has or had such events. */
  update(path: VaultPath, lines: readonly SegmentLine[], isWhole: boolean): boolean {
    const before = this.#files.get(path) ?? [];
    const found = this.#locate(path, lines);
    if (before.length === 0) {
      if (found.length > 0) this.#files.set(path, found);
      this.#add(found);
    } else if (!isWhole || before.every((entry, at) => isSame(entry, found[at]))) {
      const more = isWhole ? found.slice(before.length) : found;
      for (const entry of more) before.push(entry);
      this.#add(more);
    } else {
      if (found.length > 0) this.#files.set(path, found);
      else this.#files.delete(path);
      this.invalidateLists();
    }
    return found.length > 0 || before.length > 0;
  }

  /** Returns one owner's locations, newest first; once for an event that several files have. */
  async locationsOf(owner: string, query: EventQuery = {}): Promise<EventLocation[]> {
    const { isIncluded = includeAll, scheduler = NOOP_SCHEDULER } = query;
    let runs: EventLocation[][] = [];
    for (const entries of [...this.#files.values()]) {
      await scheduler.yieldIfDue();
      const run = entries.filter((entry) => entry.owner === owner && isIncluded(entry)).reverse();
      if (run.length > 0)
        runs.push(isSortedUnique(run) ? run : sortedUnique(run, compareNewestFirst));
    }
    runs.sort(([a], [b]) => compareNewestFirst(a!, b!));
    while (runs.length > 1) {
      const merged: EventLocation[][] = [];
      for (let at = 0; at < runs.length; at += 2)
        merged.push(await merge(runs[at]!, runs[at + 1] ?? [], scheduler));
      runs = merged;
    }
    return newestVersions(runs[0] ?? [], ({ session }) => session);
  }

  /** Returns the same locations, earliest first, as a list that later lists continue. */
  async listOf(owner: string, query: EventQuery = {}): Promise<EventList> {
    const known = this.#lists.get(owner);
    if (known) return known.list.snapshot();
    const version = this.#version;
    const list = new GrowingEventList((await this.locationsOf(owner, query)).reverse());
    if (this.#version === version)
      this.#lists.set(owner, { list, isIncluded: query.isIncluded ?? includeAll });
    return list.snapshot();
  }

  /** Drops all lists, because the result of `isIncluded` has changed for some event. */
  invalidateLists(): void {
    this.#lists = new Map();
    this.#version++;
  }

  #locate(path: VaultPath, lines: readonly SegmentLine[]): EventLocation[] {
    const types = this.lanes.map((lane) => ON_DEMAND_EVENTS[lane]);
    const found: EventLocation[] = [];
    for (const { event, from, to } of lines) {
      const known = event.v === 1 ? types.find(({ type }) => type === event.t) : undefined;
      if (!known) continue;
      const { w, n, c, h, d } = event;
      const session = sessionKey(event);
      const owner = d[known.ownerField];
      found.push({ owner, path, from, to, w, n, c, h, ...(session !== undefined && { session }) });
    }
    return found;
  }

  #add(more: readonly EventLocation[]): void {
    this.#version += more.length;
    for (const entry of more) {
      // it may hide an earlier version, so the owner's list is made again
      if (entry.session !== undefined) this.#lists.delete(entry.owner);
      const known = this.#lists.get(entry.owner);
      if (known?.isIncluded(entry)) known.list.add([entry]);
    }
  }
}

function includeAll(): boolean {
  return true;
}

/** Keeps the newest version of each session; `entries` are newest first. */
export function newestVersions<T>(
  entries: readonly T[],
  sessionOf: (entry: T) => string | undefined,
): T[] {
  const seen = new Set<string>();
  return entries.filter((entry) => {
    const session = sessionOf(entry);
    const isHidden = session !== undefined && seen.has(session);
    if (session !== undefined) seen.add(session);
    return !isHidden;
  });
}

/** Returns true if both locate the same event at the same place of one file. */
function isSame(one: EventLocation, other: EventLocation | undefined): boolean {
  return (
    other !== undefined &&
    one.from === other.from &&
    one.to === other.to &&
    one.owner === other.owner &&
    compareStamps(one, other) === 0
  );
}

function compareNewestFirst(a: EventLocation, b: EventLocation): number {
  return compareStamps(b, a);
}

/** Returns true if entries are sorted newest first without repetitions, as one device writes. */
function isSortedUnique(run: readonly EventLocation[]): boolean {
  return run.every((entry, at) => at === 0 || compareNewestFirst(run[at - 1]!, entry) < 0);
}

/** Merges two lists that are sorted newest first, without repetitions. */
async function merge(
  a: EventLocation[],
  b: EventLocation[],
  scheduler: Scheduler,
): Promise<EventLocation[]> {
  await scheduler.yieldIfDue();
  // usual: no two devices wrote at the same time
  if (b.length === 0 || compareNewestFirst(a.at(-1)!, b[0]!) < 0) return a.concat(b);
  const steps = mergeSteps(a, b, compareNewestFirst);
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value;
    await scheduler.yieldIfDue();
  }
}
