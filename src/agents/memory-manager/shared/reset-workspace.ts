import { entityOf } from '../../../model/memory.js';
import { pathMoves } from '../../../model/moves/path-moves.js';
import { workspaceChanges, type WorkspaceFields } from '../../../model/workspace.js';
import type { Services } from '../../services.js';

/** Undoes the user's changes. Unlike in a call, fields may be empty, as the built-in ones are. */
export async function resetWorkspace(
  { log }: Pick<Services, 'log'>,
  id: string,
  fields: Partial<WorkspaceFields>,
): Promise<void> {
  await log.write((memory) => {
    const changes = workspaceChanges(entityOf(memory, id), fields, pathMoves(memory));
    const isChanged = Object.keys(changes).length > 0;
    return { drafts: isChanged ? [{ t: 'set', e: id, d: changes }] : [], answer: undefined };
  });
}
