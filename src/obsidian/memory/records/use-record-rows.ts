import { useMemo } from 'preact/hooks';
import { isDue, isOpenRecord } from '../../../model/records/lookup-record.js';
import type { ProjectRecord } from '../../../model/records/record.js';
import { hasAll, queryParts, recordText } from '../../library/filter.js';
import { recordRow, siblings } from '../rows.js';
import { recordSection, recordsToDo, type RecordSectionRow } from './record-rows.js';

interface RecordRowsOptions {
  /** Filters the records; empty for all of them. */
  readonly query: string;
  /** True to list the archived records. */
  readonly isArchived: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Keys of the rows that the user has toggled. */
  readonly toggled: ReadonlySet<string>;
}

/**
 * Returns the rows of a workspace's records: a section of what is to do, or a list of those that
 * are archived or match the query. `others` are those not in the section.
 */
export function useRecordRows(
  records: readonly ProjectRecord[],
  { query, isArchived, now, toggled }: RecordRowsOptions,
): { rows: readonly RecordSectionRow[]; others: readonly ProjectRecord[] } {
  const isLate = (record: ProjectRecord) => isOpenRecord(record) && isDue(record, now);
  const dueCount = useMemo(() => records.filter(isLate).length, [records, now]);
  const listed = useMemo(
    () => records.filter((record) => record.isArchived === isArchived),
    [records, isArchived],
  );
  // What is due comes first, so the order changes with `dueCount`.
  const toDo = useMemo(() => recordsToDo(listed, now), [listed, dueCount]);
  const rows = useMemo(() => {
    const parts = queryParts(query);
    if (parts.length > 0)
      return siblings(
        listed.filter((record) => hasAll(recordText(record), parts)),
        1,
        recordRow,
      );
    return isArchived ? siblings(listed, 1, recordRow) : recordSection(toDo, dueCount, toggled);
  }, [listed, toDo, query, toggled]);
  const others = useMemo(() => {
    const isListedAbove = new Set(toDo);
    return listed.filter((record) => !isListedAbove.has(record));
  }, [listed, toDo]);
  return { rows, others };
}
