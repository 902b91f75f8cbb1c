import type { Named } from '../../model/lookup.js';
import { isCheckable } from '../../model/records/lookup-record.js';
import type { ProjectRecord } from '../../model/records/record.js';
import type { State } from '../../model/state.js';
import type { Trace } from '../../model/trace.js';
import { createSavingCallFilter } from '../calls/saving-calls.js';
import { groupSessions, type CallSession } from './sessions.js';
import type { CallGroup, Dated, DayOfCalls, TimelineEntry } from './timeline.js';

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

export type RowPosition = Pick<TreeRow, 'level' | 'at' | 'of'>;

/** Makes the rows of siblings. `of` counts them and those of other kinds below them. */
export function siblings<T, R>(
  items: readonly T[],
  level: number,
  make: (item: T, position: RowPosition) => R,
  of = items.length,
): R[] {
  return items.map((item, index) => make(item, { level, at: index + 1, of }));
}

export type StateRow = TreeRow & { readonly kind: 'state'; readonly state: Named<State> };
export type RecordTreeRow = TreeRow & {
  readonly kind: 'record';
  readonly record: ProjectRecord;
};
/** Records of a day that are done, dropped or replaced. */
export type ClosedRow = TreeRow & {
  readonly kind: 'closed';
  readonly records: readonly ProjectRecord[];
};
export type CallsRow<T extends Dated> = TreeRow & {
  readonly kind: 'calls';
  readonly calls: DayOfCalls<T>;
  /** The calls that have been read, newest first; undefined if none has. */
  readonly traces: readonly Trace[] | undefined;
};
export type SessionRow = TreeRow & { readonly kind: 'session'; readonly session: CallSession };
export type CallRow = TreeRow & { readonly kind: 'call'; readonly call: Trace };
export type ReadingRow<T extends Dated> = TreeRow & {
  readonly kind: 'reading';
  readonly calls: CallGroup<T>;
};

export type TimelineRow<T extends Dated> =
  StateRow | RecordTreeRow | ClosedRow | CallsRow<T> | SessionRow | CallRow | ReadingRow<T>;

export function recordRow(record: ProjectRecord, position: RowPosition): RecordTreeRow {
  const isChecked = isCheckable(record) ? record.status === 'done' : undefined;
  return { kind: 'record', key: `record ${record.id}`, ...position, record, isChecked };
}

/**
 * Returns a timeline's rows, with one row for a day's calls. `tracesOf` returns a group's calls if
 * they have been read. Calls that saved a state of the timeline are in the state's row.
 */
export function timelineRows<T extends Dated>(
  moments: readonly TimelineEntry<T>[],
  expanded: ReadonlySet<string>,
  tracesOf: (calls: CallGroup<T>) => readonly Trace[] | undefined,
): TimelineRow<T>[] {
  const states = moments.flatMap((moment) => (moment.kind === 'state' ? [moment.state] : []));
  const withoutSavingCalls = createSavingCallFilter(states);
  const readOf = ({ groups }: DayOfCalls<T>): ReadCalls<T> => {
    const read = groups.map(tracesOf);
    return {
      traces: read.some((traces) => traces !== undefined)
        ? withoutSavingCalls(read.flatMap((traces) => traces ?? []))
        : undefined,
      unread: groups.find((_, index) => read[index] === undefined),
    };
  };
  const shown = moments
    .map((moment) => ({ moment, read: moment.kind === 'calls' ? readOf(moment.calls) : undefined }))
    .filter(({ read }) => !read || read.unread || read.traces?.length !== 0);
  const of = shown.length;
  return shown.flatMap(({ moment, read }, index): TimelineRow<T>[] => {
    const position = { level: 1, at: index + 1, of };
    if (moment.kind === 'state') return [stateRow(moment.state, position)];
    if (moment.kind === 'record') return [recordRow(moment.record, position)];
    if (moment.kind === 'closed') return closedRows(moment, position, expanded);
    return read ? dayRows(moment.calls, read, position, expanded) : [];
  });
}

/** Returns the row of a day's closed records, followed by them if it is expanded. */
function closedRows(
  { day, records }: { readonly day: string; readonly records: readonly ProjectRecord[] },
  position: RowPosition,
  expanded: ReadonlySet<string>,
): (ClosedRow | RecordTreeRow)[] {
  const key = `closed ${day}`;
  const isExpanded = expanded.has(key);
  const row: ClosedRow = { kind: 'closed', key, ...position, isExpanded, records };
  return isExpanded ? [row, ...siblings(records, 2, recordRow)] : [row];
}

interface ReadCalls<T extends Dated> {
  readonly traces: readonly Trace[] | undefined;
  /** The newest calls that have not been read yet. */
  readonly unread: CallGroup<T> | undefined;
}

/** Returns the row of a day's calls, followed by its sessions if it is expanded. */
function dayRows<T extends Dated>(
  calls: DayOfCalls<T>,
  { traces, unread }: ReadCalls<T>,
  position: RowPosition,
  expanded: ReadonlySet<string>,
): TimelineRow<T>[] {
  const key = `day ${calls.day}`;
  const isExpanded = expanded.has(key);
  const row: CallsRow<T> = { kind: 'calls', key, ...position, isExpanded, calls, traces };
  if (!isExpanded) return [row];
  const sessions = groupSessions(traces ?? []);
  const of = sessions.length + Number(unread !== undefined);
  const reading = unread && {
    kind: 'reading' as const,
    key: `${unread.key} reading`,
    level: 2,
    at: of,
    of,
    calls: unread,
  };
  return [row, ...sessionRows(sessions, key, expanded, of), ...(reading ? [reading] : [])];
}

/** Returns the rows of sessions and their calls. `of` is the number of siblings. */
export function sessionRows(
  sessions: readonly CallSession[],
  key: string,
  expanded: ReadonlySet<string>,
  of = sessions.length,
): (SessionRow | CallRow)[] {
  return sessions.flatMap((session, index): (SessionRow | CallRow)[] => {
    const position = { level: 2, at: index + 1, of };
    const own = `${key} session ${session.id}`;
    const [call, ...others] = session.calls;
    // of a session without calls, only what it left behind is shown
    if (call?.checkpoint && others.length === 0)
      return [{ kind: 'call', key: own, ...position, call }];
    const isExpanded = expanded.has(own);
    const row: SessionRow = { kind: 'session', key: own, ...position, isExpanded, session };
    return isExpanded ? [row, ...singleCallRows(session.calls, own)] : [row];
  });
}

function singleCallRows(calls: readonly Trace[], key: string): CallRow[] {
  return siblings(calls, 3, (call, position) => {
    const number = position.of - position.at + 1; // from the oldest, so keys survive new calls
    return { kind: 'call', key: `${key} call ${number}`, ...position, call };
  });
}

export function stateRow(state: Named<State>, position: RowPosition): StateRow {
  return { kind: 'state', key: `state ${state.item.id}`, ...position, state };
}
