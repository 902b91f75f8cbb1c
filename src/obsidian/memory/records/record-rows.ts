import { isDue } from '../../../model/records/lookup-record.js';
import { sortOpenRecords } from '../../../model/records/state-context.js';
import type { ProjectRecord } from '../../../model/records/record.js';
import { recordRow, siblings, type RecordTreeRow, type TreeRow } from '../rows.js';

/** The heading of what is to do in a workspace. */
export type RecordsHeadingRow = TreeRow & {
  readonly kind: 'records';
  readonly openCount: number;
  readonly dueCount: number;
};
export type MoreRecordsRow = TreeRow & { readonly kind: 'moreRecords'; readonly count: number };

export type RecordSectionRow = RecordTreeRow | RecordsHeadingRow | MoreRecordsRow;

/** Number of records to do that are shown before the user asks for all. */
const SHOWN_OPEN = 3;

const HEADING_KEY = 'records';
const MORE_KEY = 'records more';

/** Returns the records to do in the order of `sortOpenRecords`, decisions only if they are due. */
export function recordsToDo(records: readonly ProjectRecord[], now: number): ProjectRecord[] {
  return sortOpenRecords(records, now).filter(
    (record) => record.kind !== 'decision' || isDue(record, now),
  );
}

/** Returns a heading and the records to do below it, if any. `toggled` has keys of toggled rows. */
export function recordSection(
  toDo: readonly ProjectRecord[],
  dueCount: number,
  toggled: ReadonlySet<string>,
): RecordSectionRow[] {
  if (toDo.length === 0) return [];
  const isExpanded = !toggled.has(HEADING_KEY);
  const heading: RecordsHeadingRow = {
    kind: 'records',
    key: HEADING_KEY,
    level: 1,
    at: 1,
    of: 1,
    isExpanded,
    openCount: toDo.length,
    dueCount,
  };
  if (!isExpanded) return [heading];
  // A row that only says "show 1 more" would save nothing.
  const isCut = toDo.length > SHOWN_OPEN + 1 && !toggled.has(MORE_KEY);
  const shown = isCut ? toDo.slice(0, SHOWN_OPEN) : toDo;
  const of = shown.length + Number(isCut);
  const more: MoreRecordsRow = {
    kind: 'moreRecords',
    key: MORE_KEY,
    level: 2,
    at: of,
    of,
    count: toDo.length - shown.length,
  };
  return [heading, ...siblings(shown, 2, recordRow, of), ...(isCut ? [more] : [])];
}

/** Renumbers the rows of the first level after several lists were joined. */
export function renumbered<R extends TreeRow>(rows: readonly R[]): R[] {
  const of = rows.filter(({ level }) => level === 1).length;
  let at = 0;
  return rows.map((row) => (row.level === 1 ? { ...row, at: ++at, of } : row));
}
