import { lookupState } from '../../model/lookup.js';
import type { Workspace } from '../../model/workspace.js';
import { Refusal } from '../../model/refusal.js';
import { candidatesText } from '../../toolkit/context.js';
import { failureError } from '../../toolkit/define-tool.js';
import { stateFailures } from './lookups.js';
import type { Services } from '../services.js';

/** Only the user can do this. Throws a `Refusal` unless one archived state has the name. */
export async function restoreStateInLog(
  { log }: Pick<Services, 'log'>,
  workspace: Workspace,
  name: string,
): Promise<void> {
  await log.memory();
  await log.write((memory) => {
    const found = lookupState(memory, workspace.id, name);
    if ('several' in found)
      throw failureError(stateFailures.stateAmbiguous, {
        name,
        names: candidatesText(found.several),
      });
    if ('hint' in found)
      throw failureError(stateFailures.stateNotFound, { name, hint: found.hint });
    if (!found.item.item.isArchived)
      throw new Refusal(
        `State "${found.item.displayName}" is not archived. There is nothing to restore.`,
      );
    return {
      drafts: [{ t: 'set', e: found.item.item.id, d: { '/isArchived': false } }],
      answer: undefined,
    };
  });
}
