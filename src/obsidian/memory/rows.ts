import type { Named } from '../../model/lookup.js';
import type { State } from '../../model/state.js';
import type { Trace } from '../../model/trace.js';
import { createSavingCallFilter } from '../calls/saving-calls.js';
import { groupSessions, type CallSession } from './sessions.js';
import type { CallGroup, Dated, TimelineEntry } from './timeline.js';

/** A row of a tree; all rows have the same height. */
export interface TreeRow {
  /** Identifies the item, independent of its position. */
  readonly key: string;
  readonly level: number;
  /** Position among its siblings, from 1. */
  readonly at: number;
  /** Number of siblings, including the row itself. */
  readonly of: number;
  /** Undefined if there is nothing to expand. */
  readonly isExpanded?: boolean | undefined;
  /** Undefined if the row has no check box. */
  readonly isChecked?: boolean | undefined;
}

export type StateRow = TreeRow & { readonly kind: 'state'; readonly state: Named<State> };
export type CallsRow<T extends Dated> = TreeRow & {
  readonly kind: 'calls';
  readonly calls: CallGroup<T>;
  /** Undefined until they are read. */
  readonly traces: readonly Trace[] | undefined;
};
export type SessionRow = TreeRow & { readonly kind: 'session'; readonly session: CallSession };
export type CallRow = TreeRow & { readonly kind: 'call'; readonly call: Trace };
export type ReadingRow<T extends Dated> = TreeRow & {
  readonly kind: 'reading';
  readonly calls: CallGroup<T>;
};

export type TimelineRow<T extends Dated> =
  StateRow | CallsRow<T> | SessionRow | CallRow | ReadingRow<T>;

export function stateRows(states: readonly Named<State>[]): StateRow[] {
  return states.map((state, index) => stateRow(state, index, states.length));
}

/**
 * Returns the rows of a timeline. `tracesOf` returns a group's calls if they have been read. Calls
 * that saved a state of the timeline are part of the state's row.
 */
export function timelineRows<T extends Dated>(
  moments: readonly TimelineEntry<T>[],
  expanded: ReadonlySet<string>,
  tracesOf: (calls: CallGroup<T>) => readonly Trace[] | undefined,
): TimelineRow<T>[] {
  const rows: TimelineRow<T>[] = [];
  const states = moments.flatMap((moment) => (moment.kind === 'state' ? [moment.state] : []));
  const withoutSavingCalls = createSavingCallFilter(states);
  const ownTracesOf = (calls: CallGroup<T>) => {
    const traces = tracesOf(calls);
    return traces && withoutSavingCalls(traces);
  };
  const shown = moments.filter(
    (moment) => moment.kind === 'state' || ownTracesOf(moment.calls)?.length !== 0,
  );
  shown.forEach((moment, index) => {
    if (moment.kind === 'state') {
      rows.push(stateRow(moment.state, index, shown.length));
      return;
    }
    const { calls } = moment;
    const traces = ownTracesOf(calls);
    const isExpanded = expanded.has(calls.key);
    rows.push({
      kind: 'calls',
      key: calls.key,
      level: 1,
      at: index + 1,
      of: shown.length,
      isExpanded,
      calls,
      traces,
    });
    if (!isExpanded) return;
    if (traces) rows.push(...callRows(traces, calls.key, expanded));
    else rows.push({ kind: 'reading', key: `${calls.key} reading`, level: 2, at: 1, of: 1, calls });
  });
  return rows;
}

/** Returns the rows of a group of calls, by session if there are several. */
function callRows(
  traces: readonly Trace[],
  key: string,
  expanded: ReadonlySet<string>,
): (SessionRow | CallRow)[] {
  const sessions = groupSessions(traces);
  return sessions.length > 1
    ? sessionRows(sessions, key, expanded)
    : singleCallRows(traces, key, 2);
}

export function sessionRows(
  sessions: readonly CallSession[],
  key: string,
  expanded: ReadonlySet<string>,
): (SessionRow | CallRow)[] {
  return sessions.flatMap((session, index) => {
    const own = `${key} session ${session.id}`;
    const isExpanded = expanded.has(own);
    const row: SessionRow = {
      kind: 'session',
      key: own,
      level: 2,
      at: index + 1,
      of: sessions.length,
      isExpanded,
      session,
    };
    return isExpanded ? [row, ...singleCallRows(session.calls, own, 3)] : [row];
  });
}

function singleCallRows(calls: readonly Trace[], key: string, level: number): CallRow[] {
  // Numbered from the oldest, so keys survive new calls.
  return calls.map((call, index) => ({
    kind: 'call',
    key: `${key} call ${calls.length - index}`,
    level,
    at: index + 1,
    of: calls.length,
    call,
  }));
}

function stateRow(state: Named<State>, index: number, count: number): StateRow {
  return {
    kind: 'state',
    key: `state ${state.item.id}`,
    level: 1,
    at: index + 1,
    of: count,
    state,
  };
}
