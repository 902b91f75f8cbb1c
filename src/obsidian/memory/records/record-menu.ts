import type { ProjectRecord } from '../../../model/records/record.js';
import {
  isCheckable,
  isCorrectable,
  isOpenRecord,
  recordById,
} from '../../../model/records/lookup-record.js';
import { act } from '../../actions.js';
import { text } from '../../i18n/index.js';
import { pickRecord } from '../../pickers/pick-record.js';
import {
  archiveRecord,
  restoreRecord,
  setRecordStatus,
  supersedeRecord,
  undoSupersession,
} from '../../record-actions.js';
import type { Savepoint } from '../../savepoint.js';
import { openModal } from '../../ui/modals.js';
import { CreateRecordForm } from '../forms/create-record.js';
import { EditRecordForm } from '../forms/edit-record.js';
import { ReminderForm } from '../forms/set-reminder.js';
import type { PageHost } from '../host.js';
import type { Section } from '../../library/library.js';
import { actionOf, forgetAction, type Action } from '../menus.js';

/** Returns the action that marks a record done or reopens it; undefined if neither applies. */
export function checkAction(savepoint: Savepoint, record: ProjectRecord): Action | undefined {
  if (!isCheckable(record)) return undefined;
  const { markDone, reopen } = text.records;
  return record.status === 'open'
    ? actionOf('check', markDone, () => setRecordStatus(savepoint, record, 'done'))
    : actionOf('rotate-ccw', reopen, () => setRecordStatus(savepoint, record, 'open'));
}

/** Returns all actions that apply to a record, the most common ones first. */
export function recordActions(
  host: PageHost,
  { records }: Pick<Section, 'records'>,
  record: ProjectRecord,
): Action[] {
  const { savepoint } = host;
  const { archive, restore, keepAfterAll, reopen } = text.records;
  const { id, title: name, workspaceId } = record;
  const done = host.view.place.record === id ? host.back : undefined;
  const forget = forgetAction(savepoint, { kind: 'record', id, name, workspaceId, done });
  if (record.isArchived)
    return [actionOf('archive-restore', restore, () => restoreRecord(savepoint, record)), forget];
  const check = checkAction(savepoint, record);
  const edit = editAction(host, record);
  const successor = recordById(savepoint.memory.get(), record.supersededBy);
  const keep =
    successor &&
    actionOf('undo-2', keepAfterAll, () => undoSupersession(savepoint, record, successor));
  const open = () => setRecordStatus(savepoint, record, 'open');
  return [
    ...(check ? [check] : []),
    ...(edit ? [edit] : []),
    ...(isOpenRecord(record) ? openRecordActions(host, records, record) : []),
    ...(record.status === 'dropped' ? [actionOf('rotate-ccw', reopen, open)] : []),
    ...(keep ? [keep] : []),
    actionOf('archive', archive, () => archiveRecord(savepoint, record)),
    forget,
  ];
}

/** Returns the action that corrects a record or replaces a decision, if one applies. */
function editAction({ savepoint, go }: PageHost, record: ProjectRecord): Action | undefined {
  const { edit, changeDecision } = text.records;
  if (isCorrectable(record))
    return actionOf('pencil', edit, () => openModal(new EditRecordForm(savepoint, record)));
  if (!isOpenRecord(record)) return undefined;
  const open = (saved: ProjectRecord) =>
    Promise.resolve(go({ workspace: saved.workspaceId, record: saved.id }));
  return actionOf('pencil', changeDecision, () =>
    openModal(new CreateRecordForm(savepoint, { kind: 'decision', replaces: record, open })),
  );
}

function openRecordActions(
  { savepoint }: PageHost,
  records: readonly ProjectRecord[],
  record: ProjectRecord,
): Action[] {
  const { replace, remind, drop, pickSuccessor } = text.records;
  const others = records.filter(
    (other) => other.id !== record.id && other.kind === record.kind && isOpenRecord(other),
  );
  return [
    actionOf('replace', replace, () =>
      pickRecord(savepoint, { ...pickSuccessor, placeholder: replace }, others, (successor) =>
        act(() => supersedeRecord(savepoint, record, successor)),
      ),
    ),
    actionOf('alarm-clock', remind, () => openModal(new ReminderForm(savepoint, record))),
    actionOf('ban', drop, () => setRecordStatus(savepoint, record, 'dropped')),
  ];
}
