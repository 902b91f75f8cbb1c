import type { Named } from '../../model/lookup.js';
import type { State } from '../../model/state.js';
import { compareText } from '../../model/event.js';
import { runToEnd } from '../../platform/byte-writer.js';
import { runSliced } from '../../platform/run-sliced.js';
import type { Scheduler } from '../../platform/scheduler.js';

/** What is needed of a call's trace before it is read: when it was made, by the log's clock. */
export interface Dated {
  readonly h: string;
}

/** Calls that follow one another with no state saved between them and no long pause. */
export interface Calls<T extends Dated> {
  /** The same as long as the stretch grows. */
  readonly key: string;
  /** Newest first, at least one. */
  readonly entries: readonly T[];
}

export type Moment<T extends Dated> =
  | { readonly kind: 'state'; readonly state: Named<State> }
  | { readonly kind: 'calls'; readonly calls: Calls<T> };

/** A pause after which calls count as another stretch. */
const LONG_PAUSE_MS = 3 * 3_600_000;

/** So long after a state its own call is kept at the latest. */
const SAVING_MS = 2000;

/** A stretch is cut at so many calls: it is read as one. */
const MOST_CALLS = 50;

/** States and the calls between them, newest first. `entries` are newest first too. */
export function timelineOf<T extends Dated>(
  states: readonly Named<State>[],
  entries: readonly T[],
): Moment<T>[] {
  return runToEnd(timelineSteps(states, entries));
}

/** Returns the same, and yields to the host between slices of the work. */
export function timelineInSlices<T extends Dated>(
  states: readonly Named<State>[],
  entries: readonly T[],
  scheduler: Scheduler,
): Promise<Moment<T>[]> {
  return runSliced(timelineSteps(states, entries), { scheduler });
}

/** So many calls are one step. */
const STEP = 1024;

function* timelineSteps<T extends Dated>(
  states: readonly Named<State>[],
  entries: readonly T[],
): Generator<undefined, Moment<T>[]> {
  const moments: Moment<T>[] = [];
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
    if (before && (stretch.length === MOST_CALLS || isLongAfter(before, entry))) close();
    stretch.push(entry);
  };
  // Oldest first: so a new call changes no stretch but the last.
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
    if (at % STEP === 0) yield;
  }
  close();
  for (; next >= 0; next--) moments.push({ kind: 'state', state: states[next]! });
  return moments.reverse();
}

/** Most calls come in the hour of the one before: these need not be reckoned. */
function isLongAfter(before: Dated, entry: Dated): boolean {
  return (
    before.h.slice(0, 13) !== entry.h.slice(0, 13) && timeOf(entry) - timeOf(before) > LONG_PAUSE_MS
  );
}

/** When it was, in milliseconds since 1970. */
export function timeOf({ h }: Dated): number {
  return Date.parse(h.slice(0, 24));
}

/** The call that saved a state is kept right after it; it belongs to those that led there. */
function isCallOf(state: Named<State>, next: Named<State> | undefined, entry: Dated): boolean {
  const isLast = !next || compareText(stampOf(next), entry.h) > 0;
  return isLast && timeOf(entry) - Date.parse(state.item.createdAt) <= SAVING_MS;
}

function stampOf({ entity }: Named<State>): string {
  return entity.created?.h ?? '';
}
