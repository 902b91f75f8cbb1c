import { workspaceById } from '../../../model/lookup.js';
import { isDue, isOpenRecord, recordById } from '../../../model/records/lookup-record.js';
import { blockersOf } from '../../../model/records/dependencies.js';
import type { RecordKind } from '../../../model/records/record-kinds.js';
import { listedTitle, type ProjectRecord } from '../../../model/records/record.js';
import { text } from '../../i18n/index.js';
import type { Savepoint } from '../../savepoint.js';
import { dayText } from '../../ui/dates.js';
import { Ago, Row, RowButton } from '../page-parts.js';
import { checkAction } from './record-menu.js';
import type { RecordSectionRow } from './record-rows.js';

export const RECORD_ICONS: Readonly<Record<RecordKind, string>> = {
  decision: 'gavel',
  question: 'message-circle',
  task: 'list-checks',
  phase: 'milestone',
};

/** Returns the status of a record in words; empty for an open one. */
export function statusText({ status, supersededBy }: ProjectRecord): string {
  const { statuses, superseded } = text.records;
  if (supersededBy !== undefined) return superseded;
  return status === 'open' ? '' : statuses[status];
}

interface ContentProps {
  savepoint: Savepoint;
  row: RecordSectionRow;
  now: number;
}

/** One row of a workspace's records. */
export function RecordSectionContent({ savepoint, row, now }: ContentProps) {
  const labels = text.records;
  switch (row.kind) {
    case 'records':
      return (
        <Row
          icon="list-checks"
          title={labels.toDo}
          isExpanded={row.isExpanded}
          meta={[
            labels.openCount(row.openCount),
            row.dueCount > 0 && labels.dueCount(row.dueCount),
          ]}
        />
      );
    case 'moreRecords':
      return <Row icon="ellipsis" title={labels.showMore(row.count)} isQuiet meta={[]} />;
    case 'record':
      return <RecordContent savepoint={savepoint} record={row.record} now={now} />;
  }
}

interface RecordContentProps extends Pick<ContentProps, 'savepoint' | 'now'> {
  record: ProjectRecord;
  /** True outside the workspace's own page. */
  showsWorkspace?: boolean;
}

/** A record with a button that marks it done. */
export function RecordContent({
  savepoint,
  record,
  now,
  showsWorkspace = false,
}: RecordContentProps) {
  const labels = text.records;
  const { kind, body = '', phaseId, createdAt, remindAt } = record;
  const memory = savepoint.memory.get();
  const [blocker] = blockersOf(record, (id) => recordById(memory, id));
  const phase = recordById(memory, phaseId);
  const check = checkAction(savepoint, record);
  return (
    <Row
      icon={RECORD_ICONS[kind]}
      title={listedTitle(record)}
      flair={flairOf(record, now)}
      isQuiet={!isOpenRecord(record)}
      meta={[
        labels.kinds[kind],
        statusText(record),
        showsWorkspace && workspaceById(memory, record.workspaceId).name,
        isOpenRecord(record) && remindAt !== undefined && (
          <time dateTime={remindAt}>{labels.dueOn(dayText(remindAt, text.locale))}</time>
        ),
        blocker && labels.waitsFor(listedTitle(blocker)),
        <Ago then={createdAt} now={now} />,
        phase && labels.inPhase(listedTitle(phase)),
        body,
      ]}
    >
      {check && (
        <RowButton
          {...check}
          label={record.status === 'open' ? labels.markDoneHint : labels.reopenHint}
        />
      )}
    </Row>
  );
}

function flairOf(record: ProjectRecord, now: number): string | undefined {
  if (record.isArchived) return text.memoryView.archived;
  return isOpenRecord(record) && isDue(record, now) ? text.records.due : undefined;
}
