import { recordById } from '../../../model/records/lookup-record.js';
import { Refusal } from '../../../model/refusal.js';
import type { Services } from '../../services.js';

/** Only the user can do this. Throws a `Refusal` if the record is not archived. */
export async function restoreRecordInLog(
  { log }: Pick<Services, 'log'>,
  id: string,
): Promise<void> {
  await log.memory();
  await log.write((memory) => {
    const record = recordById(memory, id);
    if (!record) throw new Refusal('The record does not exist on this device. Wait for sync.');
    if (!record.isArchived)
      throw new Refusal(
        `The ${record.kind} "${record.title}" is not archived. There is nothing to restore.`,
      );
    return { drafts: [{ t: 'set', e: id, d: { '/isArchived': false } }], answer: undefined };
  });
}
