import type { Named } from '../../model/lookup.js';
import { isOpenRecord } from '../../model/records/lookup-record.js';
import type { ProjectRecord } from '../../model/records/record.js';
import type { State } from '../../model/state.js';
import { compareText } from '../../model/event.js';

/** A call's time by the log's clock, known before its trace is read. */
export interface Dated {
  readonly h: string;
}

/** Consecutive calls of one day, which are read together. */
export interface CallGroup<T extends Dated> {
  /** Stays the same while the group grows. */
  readonly key: string;
  /** Newest first, at least one. */
  readonly entries: readonly T[];
}

/** All calls of one day in the user's time zone. */
export interface DayOfCalls<T extends Dated> {
  /** ISO date-time at which the day begins. */
  readonly day: string;
  readonly count: number;
  /** Newest first, at least one. */
  readonly groups: readonly CallGroup<T>[];
}

/** A state, a record or several records that were saved on one day. */
type SavedEntry =
  | { readonly kind: 'state'; readonly state: Named<State> }
  | { readonly kind: 'record'; readonly record: ProjectRecord }
  | { readonly kind: 'closed'; readonly day: string; readonly records: readonly ProjectRecord[] };

export type TimelineEntry<T extends Dated> =
  SavedEntry | { readonly kind: 'calls'; readonly calls: DayOfCalls<T> };

/** What a timeline shows; each list newest first. */
export interface TimelineContent<T extends Dated> {
  readonly states: readonly Named<State>[];
  readonly records: readonly ProjectRecord[];
  readonly entries: readonly T[];
}

const MAX_CALLS_PER_GROUP = 50;

const CALLS_PER_STEP = 1024;

interface Day<T> {
  readonly states: Named<State>[];
  readonly records: ProjectRecord[];
  readonly entries: T[];
}

/** Returns a timeline by day, newest first: states and open records, then closed ones, calls. */
export function* timelineSteps<T extends Dated>({
  states,
  records,
  entries,
}: TimelineContent<T>): Generator<undefined, TimelineEntry<T>[]> {
  const days = new Map<string, Day<T>>();
  const startOf = createDayStart();
  const dayOf = (time: string) => {
    const start = startOf(time);
    const day = days.get(start) ?? { states: [], records: [], entries: [] };
    days.set(start, day);
    return day;
  };
  for (const state of states) dayOf(state.item.createdAt).states.push(state);
  for (const record of records) dayOf(record.createdAt).records.push(record);
  for (const [at, entry] of entries.entries()) {
    dayOf(entry.h.slice(0, 24)).entries.push(entry);
    if (at % CALLS_PER_STEP === 0) yield;
  }
  const newestFirst = [...days].sort(([a], [b]) => compareText(b, a));
  return newestFirst.flatMap(([start, day]): TimelineEntry<T>[] => [
    ...savedOn(day),
    ...closedOf(
      start,
      day.records.filter((record) => !isOpenRecord(record)),
    ),
    ...callsOf(start, day.entries),
  ]);
}

/** Returns a day's states and open records, newest first; a state before what it was saved with. */
function savedOn({ states, records }: Pick<Day<never>, 'states' | 'records'>): SavedEntry[] {
  const dated = [
    ...states.map((state) => ({
      at: state.item.createdAt,
      entry: { kind: 'state' as const, state },
    })),
    ...records.filter(isOpenRecord).map((record) => ({
      at: record.createdAt,
      entry: { kind: 'record' as const, record },
    })),
  ];
  return dated.sort((a, b) => compareText(b.at, a.at)).map(({ entry }) => entry);
}

function closedOf(day: string, records: readonly ProjectRecord[]): SavedEntry[] {
  const [first] = records;
  if (!first) return [];
  return records.length === 1
    ? [{ kind: 'record', record: first }]
    : [{ kind: 'closed', day, records }];
}

/** Returns a function that finds the start of a time's local day, without date math per time. */
function createDayStart(): (time: string) => string {
  let start = '';
  let end = '';
  return (time) => {
    if (time < start || time >= end) {
      const date = new Date(time);
      const midnight = (days: number) =>
        new Date(date.getFullYear(), date.getMonth(), date.getDate() + days).toISOString();
      start = midnight(0);
      end = midnight(1);
    }
    return start;
  };
}

function callsOf<T extends Dated>(day: string, entries: readonly T[]): TimelineEntry<T>[] {
  if (entries.length === 0) return [];
  const groups: CallGroup<T>[] = [];
  // Divided from the oldest, so that a new call changes only the newest group.
  const oldest = entries.length % MAX_CALLS_PER_GROUP || MAX_CALLS_PER_GROUP;
  for (let end = oldest; end <= entries.length; end += MAX_CALLS_PER_GROUP) {
    const group = entries.slice(Math.max(0, end - MAX_CALLS_PER_GROUP), end);
    groups.push({ key: `calls ${group.at(-1)!.h}`, entries: group });
  }
  return [{ kind: 'calls', calls: { day, count: entries.length, groups } }];
}
