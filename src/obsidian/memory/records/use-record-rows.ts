import { useMemo } from 'preact/hooks';
import { isDue, isOpenRecord } from '../../../model/records/lookup-record.js';
import type { ProjectRecord } from '../../../model/records/record.js';
import { sortOpenRecords } from '../../../model/records/state-context.js';
import { hasAll, queryParts, recordText } from '../filter.js';
import { recordRows, recordSection, type RecordSectionRow } from './record-rows.js';

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
 * Returns the rows of a workspace's records: a section, or a list of those that are archived or
 * match the query.
 */
export function useRecordRows(
  records: readonly ProjectRecord[],
  { query, isArchived, now, toggled }: RecordRowsOptions,
): readonly RecordSectionRow[] {
  const dueCount = useMemo(
    () => records.filter((record) => isOpenRecord(record) && isDue(record, now)).length,
    [records, now],
  );
  const lists = useMemo(() => {
    const shown = records.filter((record) => record.isArchived === isArchived);
    // What is due comes first, so the order changes with `dueCount`.
    const open = sortOpenRecords(shown, now);
    return { all: shown, open, closed: shown.filter((record) => !isOpenRecord(record)) };
  }, [records, isArchived, dueCount]);
  return useMemo(() => {
    const { all, open, closed } = lists;
    const parts = queryParts(query);
    if (parts.length > 0)
      return recordRows(
        all.filter((record) => hasAll(recordText(record), parts)),
        1,
      );
    return isArchived ? recordRows(all, 1) : recordSection({ open, closed, dueCount }, toggled);
  }, [lists, query, toggled]);
}
