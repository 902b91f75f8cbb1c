import { correctRecordInLog, restoreRecordInLog } from '../agents/shared/records/correct-record.js';
import type { JsonObject } from '../model/event.js';
import type { RecordStatus } from '../model/records/record-kinds.js';
import type { ProjectRecord } from '../model/records/record.js';
import { hasSucceeded, noticeWithUndo } from './actions.js';
import { text } from './i18n/index.js';
import type { Savepoint } from './savepoint.js';
import { dayText } from './ui/dates.js';

type Changed = Pick<ProjectRecord, 'id' | 'title' | 'workspaceId'>;

/** Changes the status of a record for the user, with a notice that offers Undo. */
export async function setRecordStatus(
  savepoint: Savepoint,
  record: ProjectRecord,
  status: RecordStatus,
): Promise<void> {
  if (!(await update(savepoint, record, { status }))) return;
  const { markedDone, dropped, reopened } = text.records;
  const message = { done: markedDone, dropped, open: reopened }[status](record.title);
  noticeWithUndo(savepoint, message, () =>
    setRecordStatus(savepoint, { ...record, status }, record.status),
  );
}

/** Replaces a record by another one, with a notice that offers Undo. */
export async function supersedeRecord(
  savepoint: Savepoint,
  record: Changed,
  successor: Changed,
): Promise<void> {
  if (!(await update(savepoint, record, { supersededBy: successor.id }))) return;
  noticeWithUndo(savepoint, text.records.replaced(record.title, successor.title), () =>
    undoSupersession(savepoint, record, successor),
  );
}

/** Lets a replaced record hold again, with a notice that offers Undo. */
export async function undoSupersession(
  savepoint: Savepoint,
  record: Changed,
  successor: Changed,
): Promise<void> {
  if (!(await update(savepoint, record, { supersededBy: '' }))) return;
  noticeWithUndo(savepoint, text.records.notReplaced(record.title), () =>
    supersedeRecord(savepoint, record, successor),
  );
}

/** Sets a record's reminder (ISO date-time) or removes it, with Undo in a notice. */
export async function setReminder(
  savepoint: Savepoint,
  record: ProjectRecord,
  remindAt: string | undefined,
): Promise<void> {
  if (!(await update(savepoint, record, { remindAt: remindAt ?? '' }))) return;
  const { remindsOn, reminderRemoved } = text.records;
  const message =
    remindAt === undefined
      ? reminderRemoved(record.title)
      : remindsOn(record.title, dayText(remindAt, text.locale));
  noticeWithUndo(savepoint, message, () =>
    setReminder(savepoint, { ...record, remindAt }, record.remindAt),
  );
}

/** Corrects the title and details of a record, with a notice that offers Undo. */
export async function correctRecord(
  savepoint: Savepoint,
  { id, title, body = '' }: Pick<ProjectRecord, 'id' | 'title' | 'body'>,
  corrected: Pick<ProjectRecord, 'title' | 'body'>,
): Promise<void> {
  if (corrected.title === title && (corrected.body ?? '') === body) return;
  await correctRecordInLog(savepoint.services, id, corrected);
  await savepoint.refresh();
  noticeWithUndo(savepoint, text.records.saved(corrected.title), () =>
    correctRecord(savepoint, { id, ...corrected }, { title, body }),
  );
}

export async function archiveRecord(savepoint: Savepoint, record: Changed): Promise<void> {
  const { id, title, workspaceId } = record;
  if (!hasSucceeded(await savepoint.call('archiveRecord', { title: id }, workspaceId))) return;
  noticeWithUndo(savepoint, text.records.archived(title), () => restoreRecord(savepoint, record));
}

export async function restoreRecord(savepoint: Savepoint, record: Changed): Promise<void> {
  await restoreRecordInLog(savepoint.services, record.id);
  await savepoint.refresh();
  noticeWithUndo(savepoint, text.records.restored(record.title), () =>
    archiveRecord(savepoint, record),
  );
}

/** Resolves with true if the change was made; otherwise says why in a notice. */
async function update(
  savepoint: Savepoint,
  { id, workspaceId }: Changed,
  changes: JsonObject,
): Promise<boolean> {
  return hasSucceeded(await savepoint.call('updateRecord', { title: id, ...changes }, workspaceId));
}
