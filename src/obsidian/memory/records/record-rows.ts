import { isOpenRecord } from '../../../model/records/lookup-record.js';
import type { ProjectRecord } from '../../../model/records/record.js';
import type { TreeRow } from '../rows.js';

export type RecordTreeRow = TreeRow & {
  readonly kind: 'record';
  readonly record: ProjectRecord;
};
/** The heading of a workspace's records. */
export type RecordsHeadingRow = TreeRow & {
  readonly kind: 'records';
  readonly openCount: number;
  readonly dueCount: number;
};
export type MoreRecordsRow = TreeRow & { readonly kind: 'moreRecords'; readonly count: number };
export type ClosedRecordsRow = TreeRow & { readonly kind: 'closedRecords'; readonly count: number };

export type RecordSectionRow =
  RecordTreeRow | RecordsHeadingRow | MoreRecordsRow | ClosedRecordsRow;

/** The records of a workspace that are not archived. */
export interface ListedRecords {
  /** In the order of `openRecords`. */
  readonly open: readonly ProjectRecord[];
  /** Number of open records that are due. */
  readonly dueCount: number;
  /** Newest first. */
  readonly closed: readonly ProjectRecord[];
}

/** Kinds of records that the user can create. Phases are left to agents, which plan in them. */
export const NEW_RECORD_KINDS = ['decision', 'question', 'task'] as const;

/** Number of open records shown before the user asks for all. */
const SHOWN_OPEN = 8;

const HEADING_KEY = 'records';
const MORE_KEY = 'records more';
const CLOSED_KEY = 'records closed';

/**
 * Returns the section of a workspace's records: a heading, the open records, and the closed ones
 * under a heading of their own, which starts collapsed. `toggled` has the keys of the rows that the
 * user has toggled. Returns nothing if there are no records.
 */
export function recordSection(
  { open, dueCount, closed }: ListedRecords,
  toggled: ReadonlySet<string>,
): RecordSectionRow[] {
  if (open.length + closed.length === 0) return [];
  const isExpanded = !toggled.has(HEADING_KEY);
  const heading: RecordsHeadingRow = {
    kind: 'records',
    key: HEADING_KEY,
    level: 1,
    at: 1,
    of: 1,
    isExpanded,
    openCount: open.length,
    dueCount,
  };
  if (!isExpanded) return [heading];
  // A row that only says "show 1 more" would save nothing.
  const isCut = open.length > SHOWN_OPEN + 1 && !toggled.has(MORE_KEY);
  const shown = isCut ? open.slice(0, SHOWN_OPEN) : open;
  const count = shown.length + Number(isCut) + Number(closed.length > 0);
  const more: MoreRecordsRow = {
    kind: 'moreRecords',
    key: MORE_KEY,
    level: 2,
    at: shown.length + 1,
    of: count,
    count: open.length - shown.length,
  };
  return [
    heading,
    ...shown.map((record, index) => recordRow(record, { level: 2, at: index + 1, of: count })),
    ...(isCut ? [more] : []),
    ...closedRows(closed, toggled, count),
  ];
}

function closedRows(
  closed: readonly ProjectRecord[],
  toggled: ReadonlySet<string>,
  position: number,
): RecordSectionRow[] {
  if (closed.length === 0) return [];
  const isExpanded = toggled.has(CLOSED_KEY);
  const heading: ClosedRecordsRow = {
    kind: 'closedRecords',
    key: CLOSED_KEY,
    level: 2,
    at: position,
    of: position,
    isExpanded,
    count: closed.length,
  };
  const rows = recordRows(closed, 3);
  return isExpanded ? [heading, ...rows] : [heading];
}

/** Returns a row for each record. */
export function recordRows(records: readonly ProjectRecord[], level: number): RecordTreeRow[] {
  return records.map((record, index) =>
    recordRow(record, { level, at: index + 1, of: records.length }),
  );
}

function recordRow(
  record: ProjectRecord,
  position: Pick<TreeRow, 'level' | 'at' | 'of'>,
): RecordTreeRow {
  const isChecked = isCheckable(record) ? record.status === 'done' : undefined;
  return { kind: 'record', key: `record ${record.id}`, ...position, record, isChecked };
}

/**
 * Returns true if one key press marks the record done or reopens it. A decision holds until it is
 * replaced.
 */
export function isCheckable(record: ProjectRecord): boolean {
  const { kind, status } = record;
  return kind !== 'decision' && (isOpenRecord(record) || status === 'done') && !record.isArchived;
}

/** Renumbers the rows of the first level after several lists were joined. */
export function renumbered<R extends TreeRow>(rows: readonly R[]): R[] {
  const of = rows.filter(({ level }) => level === 1).length;
  let at = 0;
  return rows.map((row) => (row.level === 1 ? { ...row, at: ++at, of } : row));
}
