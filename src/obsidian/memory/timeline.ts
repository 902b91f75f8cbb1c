import type { Named } from '../../model/lookup.js';
import type { State } from '../../model/state.js';
import { compareText } from '../../model/event.js';
import { runToEnd, runSliced } from '../../platform/run-sliced.js';
import type { Scheduler } from '../../platform/scheduler.js';

/** A call's time by the log's clock, known before its trace is read. */
export interface Dated {
  readonly h: string;
}

/** A group of consecutive calls without a state or a long pause between them. */
export interface CallGroup<T extends Dated> {
  /** Stays the same while the group grows. */
  readonly key: string;
  /** Newest first, at least one. */
  readonly entries: readonly T[];
}

export type TimelineEntry<T extends Dated> =
  | { readonly kind: 'state'; readonly state: Named<State> }
  | { readonly kind: 'calls'; readonly calls: CallGroup<T> };

/** Pause after which a call starts a new group. */
const LONG_PAUSE_MS = 3 * 3_600_000;

/** Maximum time between a state and the trace of the createState call that saved it. */
const OWN_TRACE_DELAY_MS = 2000;

/** Maximum number of calls in a group. A group is read as a whole. */
const MAX_CALLS_PER_GROUP = 50;

/** Returns states and the calls between them, newest first. `entries` are newest first too. */
export function timelineOf<T extends Dated>(
  states: readonly Named<State>[],
  entries: readonly T[],
): TimelineEntry<T>[] {
  return runToEnd(timelineSteps(states, entries));
}

/** Like `timelineOf`, but yields to the host between slices. */
export function timelineInSlices<T extends Dated>(
  states: readonly Named<State>[],
  entries: readonly T[],
  scheduler: Scheduler,
): Promise<TimelineEntry<T>[]> {
  return runSliced(timelineSteps(states, entries), { scheduler });
}

/** Number of calls per step. */
const CALLS_PER_STEP = 1024;

function* timelineSteps<T extends Dated>(
  states: readonly Named<State>[],
  entries: readonly T[],
): Generator<undefined, TimelineEntry<T>[]> {
  const moments: TimelineEntry<T>[] = [];
  let stretch: T[] = [];
  let next = states.length - 1;
  const close = () => {
    const [first] = stretch;
    if (first)
      moments.push({
        kind: 'calls',
        calls: { key: `calls ${first.h}`, entries: stretch.reverse() },
      });
    stretch = [];
  };
  const push = (entry: T) => {
    const before = stretch.at(-1);
    if (before && (stretch.length === MAX_CALLS_PER_GROUP || isLongAfter(before, entry))) close();
    stretch.push(entry);
  };
  // Oldest first, so a new call changes only the last group.
  for (let at = entries.length - 1; at >= 0; at--) {
    const entry = entries[at]!;
    let isPlaced = false;
    for (
      let state = states[next];
      state && compareText(stampOf(state), entry.h) < 0;
      state = states[--next]
    ) {
      isPlaced = !isPlaced && isCallOf(state, states[next - 1], entry);
      if (isPlaced) push(entry);
      close();
      moments.push({ kind: 'state', state });
    }
    if (!isPlaced) push(entry);
    if (at % CALLS_PER_STEP === 0) yield;
  }
  close();
  for (; next >= 0; next--) moments.push({ kind: 'state', state: states[next]! });
  return moments.reverse();
}

/**
 * Returns true if there is a long pause between two calls. Most calls are in the same hour as the
 * previous one, and then need no date arithmetic.
 */
function isLongAfter(before: Dated, entry: Dated): boolean {
  return (
    before.h.slice(0, 13) !== entry.h.slice(0, 13) && timeOf(entry) - timeOf(before) > LONG_PAUSE_MS
  );
}

/** Returns the time in milliseconds since 1970. */
function timeOf({ h }: Dated): number {
  return Date.parse(h.slice(0, 24));
}

/**
 * Returns true for the call that saved the state, which is logged right after it but belongs to the
 * calls before it.
 */
function isCallOf(state: Named<State>, next: Named<State> | undefined, entry: Dated): boolean {
  const isLast = !next || compareText(stampOf(next), entry.h) > 0;
  return isLast && timeOf(entry) - Date.parse(state.item.createdAt) <= OWN_TRACE_DELAY_MS;
}

function stampOf({ entity }: Named<State>): string {
  return entity.created?.h ?? '';
}
