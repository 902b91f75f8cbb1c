import type { Workspace } from '../../model/workspace.js';
import { Refusal } from '../../model/refusal.js';
import { failureError } from '../../toolkit/define-tool.js';
import { requireState, stateFailures } from './lookups.js';
import type { Services } from '../services.js';

/** Only the user can do this. Throws a `Refusal` unless one archived state has the name. */
export async function restoreStateInLog(
  { log }: Pick<Services, 'log'>,
  workspace: Workspace,
  name: string,
): Promise<void> {
  await log.memory();
  await log.write((memory) => {
    const { item, displayName } = requireState(memory, workspace.id, name, (failure, values) => {
      throw failureError(stateFailures[failure], values);
    });
    if (!item.isArchived)
      throw new Refusal(`State "${displayName}" is not archived. There is nothing to restore.`);
    return { drafts: [{ t: 'set', e: item.id, d: { '/isArchived': false } }], answer: undefined };
  });
}
