import { eachState, newestFirst, type Named } from '../../../model/lookup.js';
import type { Memory } from '../../../model/memory.js';
import type { State } from '../../../model/state.js';
import type { Trace } from '../../../model/trace.js';
import type { Log, TraceEntry } from '../../../storage/log.js';
import type { Pause } from '../../../platform/scheduler.js';

/** A state, or a trace, with its place in the order of all events. */
export type Moment =
  | { readonly h: string; readonly state: Named<State> }
  | { readonly h: string; readonly trace: Trace };

/** A moment whose trace has not been read yet. */
type Place =
  | { readonly h: string; readonly state: Named<State> }
  | { readonly h: string; readonly entry: TraceEntry };

/** What of a workspace is asked for. */
export interface MomentsAsked {
  readonly workspaceId: string;
  /** A reading of the log's clock, or the beginning of one; undefined for the end. */
  readonly around: string | undefined;
  /** So many earlier than that, and so many from there on. */
  readonly before: number;
  readonly after: number;
  readonly withStates: boolean;
  readonly withTraces: boolean;
  readonly isWanted: (trace: Trace) => boolean;
}

/** So many traces are read at a time. */
const READ_AT_ONCE = 64;
/** So many moments are looked at in each direction where few are wanted. */
export const LOOK_FAR = 5000;

/** The moments around a point, oldest first; `isCutOff` where there are more in a direction than were looked at. */
export async function momentsAround(
  {
    log,
    memory,
    pause,
  }: { readonly log: Log; readonly memory: Memory; readonly pause: Pause | undefined },
  asked: MomentsAsked,
): Promise<{ moments: Moment[]; isCutOff: boolean }> {
  const { workspaceId, around, before, after, withStates, withTraces, isWanted } = asked;
  const states = withStates ? await statesOf(memory, workspaceId, pause) : [];
  const entries = withTraces ? await log.traceEntries(workspaceId) : [];
  const isEarlier = (h: string) => around === undefined || h < around;
  const [fromState, fromEntry] = [firstOf(states, isEarlier), firstOf(entries, isEarlier)];
  let isCutOff = false;

  async function collect(places: Generator<Place>, most: number): Promise<Moment[]> {
    const found: Moment[] = [];
    for (let looked = 0; found.length < most; looked += READ_AT_ONCE) {
      const some = take(places, READ_AT_ONCE);
      if (some.length === 0) return found;
      if (looked >= LOOK_FAR) {
        isCutOff = true;
        return found;
      }
      while (pause?.isDue()) await pause.take();
      const read = await readEach(log, some);
      found.push(...read.filter((moment) => 'state' in moment || isWanted(moment.trace)));
    }
    return found.slice(0, most);
  }

  const earlier = await collect(
    inOrder(states.slice(fromState), entries.slice(fromEntry), -1),
    before,
  );
  const later = await collect(
    inOrder(states.slice(0, fromState).reverse(), entries.slice(0, fromEntry).reverse(), 1),
    after,
  );
  return { moments: [...earlier.reverse(), ...later], isCutOff };
}

interface StatePlace {
  readonly h: string;
  readonly state: Named<State>;
}

/** Newest first, those in the archive aside. */
async function statesOf(
  memory: Memory,
  workspaceId: string,
  pause: Pause | undefined,
): Promise<StatePlace[]> {
  const states: Named<State>[] = [];
  for (const shown of eachState(memory, workspaceId)) {
    if (!shown.item.isArchived) states.push(shown);
    while (pause?.isDue()) await pause.take();
  }
  return states.sort(newestFirst).map((state) => ({ h: stampOf(state), state }));
}

/** A state's reading of the log's clock. */
export function stampOf({ entity }: Named<State>): string {
  return entity.created?.h ?? '';
}

/** The first of what stands newest first that is earlier. */
function firstOf(
  places: readonly { readonly h: string }[],
  isEarlier: (h: string) => boolean,
): number {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isEarlier(places[middle]!.h)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Both in one order: rising where `direction` is 1, falling where it is -1. */
function* inOrder(
  states: readonly StatePlace[],
  entries: readonly TraceEntry[],
  direction: 1 | -1,
): Generator<Place> {
  let [atState, atEntry] = [0, 0];
  for (;;) {
    const [state, entry] = [states[atState], entries[atEntry]];
    if (!state && !entry) return;
    const isState = state && (!entry || (direction === 1 ? state.h < entry.h : state.h > entry.h));
    if (isState) {
      yield state;
      atState++;
    } else if (entry) {
      yield { h: entry.h, entry };
      atEntry++;
    }
  }
}

function take<T>(items: Generator<T>, most: number): T[] {
  const taken: T[] = [];
  while (taken.length < most) {
    const next = items.next();
    if (next.done) break;
    taken.push(next.value);
  }
  return taken;
}

/** What cannot be read is left out. */
async function readEach(log: Log, places: readonly Place[]): Promise<Moment[]> {
  const entries = places.flatMap((place) => ('entry' in place ? [place.entry] : []));
  const traces = await log.readTraces(entries);
  const isWhole = traces.length === entries.length;
  const byEntry = new Map<TraceEntry, Trace | undefined>();
  for (const [at, entry] of entries.entries())
    byEntry.set(entry, isWhole ? traces[at] : (await log.readTraces([entry]))[0]);
  return places.flatMap((place): Moment[] => {
    if ('state' in place) return [place];
    const trace = byEntry.get(place.entry);
    return trace ? [{ h: place.h, trace }] : [];
  });
}
