import { firstIndex } from '../../../model/sorted/first-index.js';
import type { Named } from '../../../model/lookup.js';
import type { State } from '../../../model/state.js';
import type { Trace } from '../../../model/trace.js';
import type { Log, TraceEntry } from '../../../storage/index.js';
import type { ToolCall } from '../../../toolkit/define-tool.js';
import type { Services } from '../../services.js';
import { liveStates } from '../../shared/lookups.js';

/** A state or a trace with its hybrid clock stamp `h`, which orders all events. */
export type TimelineItem = StateItem | { readonly h: string; readonly trace: Trace };

type StateItem = { readonly h: string; readonly state: Named<State> };

/** A timeline item whose trace has not been read yet. */
type UnreadItem = StateItem | { readonly h: string; readonly entry: TraceEntry };

export interface TimelineQuery {
  readonly workspaceId: string;
  /** A hybrid clock stamp or a prefix of one; undefined means the present. */
  readonly around: string | undefined;
  /** Maximum number of items before `around`. */
  readonly before: number;
  /** Maximum number of items at or after `around`. */
  readonly after: number;
  readonly withStates: boolean;
  readonly withTraces: boolean;
  readonly isWanted: (trace: Trace) => boolean;
}

const READ_BATCH_SIZE = 64;
export const MAX_SCANNED_ITEMS = 5000;

/** Returns the items around a point, oldest first. `MAX_SCANNED_ITEMS` may truncate them. */
export async function readTimeline(
  call: Pick<ToolCall<Services>, 'memory' | 'services'>,
  query: TimelineQuery,
): Promise<{ items: TimelineItem[]; isTruncated: boolean }> {
  const { log, search } = call.services;
  const { workspaceId, around, before, after, withStates, withTraces, isWanted } = query;
  const states: StateItem[] = [];
  for await (const state of withStates ? liveStates(call, workspaceId) : [])
    states.push({ h: timestampOf(state), state });
  const entries = withTraces ? await log.traceEntries(workspaceId) : [];
  const firstEarlier = (newestFirst: readonly { readonly h: string }[]) =>
    firstIndex(newestFirst.length, (at) => around === undefined || newestFirst[at]!.h < around);
  const [fromState, fromEntry] = [firstEarlier(states), firstEarlier(entries)];
  let isTruncated = false;

  async function collect(unread: Generator<UnreadItem>, limit: number): Promise<TimelineItem[]> {
    const found: TimelineItem[] = [];
    for (let scanned = 0; found.length < limit; scanned += READ_BATCH_SIZE) {
      const batch = take(unread, READ_BATCH_SIZE);
      if (batch.length === 0) return found;
      if (scanned >= MAX_SCANNED_ITEMS) {
        isTruncated = true;
        return found;
      }
      await search.access.scheduler.yieldIfDue();
      const read = await readItems(log, batch);
      found.push(...read.filter((item) => 'state' in item || isWanted(item.trace)));
    }
    return found.slice(0, limit);
  }

  const earlier = await collect(
    mergeByTime(states.slice(fromState), entries.slice(fromEntry), -1),
    before,
  );
  const later = await collect(
    mergeByTime(states.slice(0, fromState).reverse(), entries.slice(0, fromEntry).reverse(), 1),
    after,
  );
  return { items: [...earlier.reverse(), ...later], isTruncated };
}

/** Returns the hybrid clock stamp of a state's creation. */
export function timestampOf({ entity }: Named<State>): string {
  return entity.created?.h ?? '';
}

/** Merges two lists by time: ascending if `direction` is 1, descending if it is -1. */
function* mergeByTime(
  states: readonly StateItem[],
  entries: readonly TraceEntry[],
  direction: 1 | -1,
): Generator<UnreadItem> {
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

function take<T>(items: Generator<T>, limit: number): T[] {
  const taken: T[] = [];
  while (taken.length < limit) {
    const next = items.next();
    if (next.done) break;
    taken.push(next.value);
  }
  return taken;
}

/** Leaves out items whose trace cannot be read. */
async function readItems(log: Log, items: readonly UnreadItem[]): Promise<TimelineItem[]> {
  const entries = items.flatMap((item) => ('entry' in item ? [item.entry] : []));
  const byEntry = new Map(await readEntries(log, entries));
  return items.flatMap((item): TimelineItem[] => {
    if ('state' in item) return [item];
    const trace = byEntry.get(item.entry);
    return trace ? [{ h: item.h, trace }] : [];
  });
}

/** Leaves out traces that cannot be read. */
export async function readEntries(
  log: Pick<Log, 'tracesAt'>,
  entries: readonly TraceEntry[],
): Promise<[TraceEntry, Trace][]> {
  const traces = await log.tracesAt(entries);
  return entries.flatMap((entry, at): [TraceEntry, Trace][] => {
    const trace = traces[at];
    return trace ? [[entry, trace]] : [];
  });
}
