import type { JsonObject } from '../../../model/event.js';
import type { Memory } from '../../../model/memory.js';
import {
  isCorrectable,
  openRecordTitled,
  recordById,
} from '../../../model/records/lookup-record.js';
import type { ProjectRecord } from '../../../model/records/record.js';
import { Refusal } from '../../../model/refusal.js';
import type { Services } from '../../services.js';

/**
 * Changes the title and details of a record; `''` for none. Only the user can do this. Throws a
 * `Refusal` if it is missing or a decision, or if another open record of its kind has the title.
 */
export async function correctRecordInLog(
  { log }: Pick<Services, 'log'>,
  id: string,
  { title, body = '' }: Pick<ProjectRecord, 'title' | 'body'>,
): Promise<void> {
  await changeRecord(log, id, (record, memory) => {
    if (!isCorrectable(record))
      throw new Refusal(
        record.isArchived
          ? `The ${record.kind} "${record.title}" is archived. Restore it first.`
          : 'A decision never changes. Replace it with a new one.',
      );
    const namesake = openRecordTitled(memory, record.workspaceId, record.kind, title);
    if (namesake && namesake.id !== id)
      throw new Refusal(`The open ${record.kind} "${title}" already exists. Choose another title.`);
    return {
      ...(title !== record.title && { '/title': title }),
      ...(body !== (record.body ?? '') && { '/body': body }),
    };
  });
}

/** Only the user can do this. Throws a `Refusal` if the record is missing or not archived. */
export async function restoreRecordInLog(
  { log }: Pick<Services, 'log'>,
  id: string,
): Promise<void> {
  await changeRecord(log, id, ({ kind, title, isArchived }) => {
    if (!isArchived)
      throw new Refusal(`The ${kind} "${title}" is not archived. There is nothing to restore.`);
    return { '/isArchived': false };
  });
}

async function changeRecord(
  log: Services['log'],
  id: string,
  changesOf: (record: ProjectRecord, memory: Memory) => JsonObject,
): Promise<void> {
  await log.memory();
  await log.write((memory) => {
    const record = recordById(memory, id);
    if (!record) throw new Refusal('The record does not exist on this device. Wait for sync.');
    const changes = changesOf(record, memory);
    const isChanged = Object.keys(changes).length > 0;
    return { drafts: isChanged ? [{ t: 'set', e: id, d: changes }] : [], answer: undefined };
  });
}
