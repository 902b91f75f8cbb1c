import { lookupState } from '../../model/lookup.js';
import type { Workspace } from '../../model/workspace.js';
import { Refusal } from '../../model/refusal.js';
import { namesText } from '../../toolkit/context.js';
import { failureError } from '../../toolkit/define-tool.js';
import { stateFailures } from './lookups.js';
import type { Services } from '../services.js';

/** Takes a state out of the archive. A person's act: no tool does it. Throws a `Refusal` where there is nothing to restore. */
export async function restoreState(
  { log }: Pick<Services, 'log'>,
  workspace: Workspace,
  name: string,
): Promise<void> {
  await log.memory();
  await log.write((memory) => {
    const found = lookupState(memory, workspace.id, name);
    if ('several' in found)
      throw failureError(stateFailures.stateAmbiguous, { name, names: namesText(found.several) });
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
