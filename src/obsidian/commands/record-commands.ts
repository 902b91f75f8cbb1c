import { allWorkspaces } from '../../model/lookup.js';
import type { Memory } from '../../model/memory.js';
import { sortOpenRecords } from '../../model/records/state-context.js';
import { allRecords } from '../../model/records/lookup-record.js';
import type { ProjectRecord } from '../../model/records/record.js';
import { act } from '../actions.js';
import { text } from '../i18n/index.js';
import { CreateRecordForm } from '../memory/forms/create-record.js';
import { RECORD_ICONS } from '../memory/records/record-content.js';
import { isCheckable } from '../../model/records/lookup-record.js';
import { NEW_RECORD_KINDS } from '../../model/records/record-kinds.js';
import { pickRecord } from '../pickers/pick-record.js';
import { setRecordStatus } from '../record-actions.js';
import type { Savepoint } from '../savepoint.js';
import { focusedNote, openRecord } from '../views.js';
import { openModal } from '../ui/modals.js';
import { inFront } from '../ui/natural-order.js';
import { addMemoryCommand, type CommandHost } from './command.js';
import { contentsOf } from './memory-contents.js';

export function addRecordCommands(host: CommandHost): void {
  for (const kind of NEW_RECORD_KINDS)
    addMemoryCommand(
      host,
      { id: `new-${kind}`, name: text.records.newRecord[kind], icon: RECORD_ICONS[kind] },
      (savepoint) =>
        openModal(
          new CreateRecordForm(savepoint, {
            kind,
            note: focusedNote(savepoint.app),
            open: (record) => openRecord(savepoint.app, record),
          }),
        ),
    );
  addMemoryCommand(
    host,
    { id: 'mark-done', name: text.records.markDone, icon: 'check' },
    pickDone,
    (memory) => contentsOf(memory).hasRecordToCheck,
  );
}

function pickDone(savepoint: Savepoint): void {
  const texts = { ...text.records.pickDone, placeholder: `${text.records.markDone}…` };
  const memory = savepoint.memory.get();
  const records = recordsToCheck(memory, savepoint.workspace().id, savepoint.clock.now());
  pickRecord(savepoint, texts, records, (record) =>
    act(() => setRecordStatus(savepoint, record, 'done')),
  );
}

/** Returns the open questions, tasks and phases of active workspaces, the current one's first. */
function recordsToCheck(memory: Memory, currentId: string, now: number): ProjectRecord[] {
  const ids = allWorkspaces(memory).flatMap(({ item }) => (item.isArchived ? [] : [item.id]));
  return inFront(ids, (id) => id === currentId)
    .flatMap((id) => sortOpenRecords(allRecords(memory, id), now))
    .filter(isCheckable);
}
