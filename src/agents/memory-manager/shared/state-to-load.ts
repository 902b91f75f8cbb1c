import { lookupWorkspaceByRef, type Named } from '../../../model/lookup.js';
import { newestState } from '../../../model/states/newest-state.js';
import type { LocatedState } from '../../../model/lookup-everywhere.js';
import type { Memory } from '../../../model/memory.js';
import { clip } from '../../../model/refusal.js';
import { newestOfPieces } from '../../../model/states/pieces.js';
import { statesWithWords } from '../../../model/states/similar-states.js';
import type { State } from '../../../model/state.js';
import type { Workspace } from '../../../model/workspace.js';
import { candidatesText } from '../../../toolkit/context.js';
import type { Fail, Failures } from '../../../toolkit/define-tool.js';
import {
  requireStateAnywhere,
  type otherWorkspaceFailures,
  type stateFailures,
} from '../../shared/lookups.js';

/** Maximum number of states with similar names that a failure lists. */
const MAX_CANDIDATES = 10;

export const stateToLoadFailures = {
  noStates: {
    error: 'The workspace "{workspace}" has no states.',
    advice: 'Use listWorkspaces to see the others, or save one with createState.',
  },
  severalSimilar: {
    error: 'State "{name}" not found, but several have these words: {names}.',
    advice: 'Use one of these names.',
  },
} as const satisfies Failures;

interface Loading {
  readonly fail: Fail<
    typeof stateFailures & typeof otherWorkspaceFailures & typeof stateToLoadFailures
  >;
  readonly addNotice: (notice: string) => void;
}

/**
 * Returns the newest state if no name is given, else the one with this name in any workspace, else
 * the only one here whose name has all of its words (or the newest of one piece of work), with a
 * notice. Fails the call if there is none or more than one.
 */
export function findStateToLoad(
  memory: Memory,
  { id, name: workspaceName }: Workspace,
  name: string | undefined,
  { fail, addNotice }: Loading,
): LocatedState {
  if (name === undefined) {
    const newest = newestState(memory, id);
    return newest ? located(memory, newest) : fail('noStates', { workspace: workspaceName });
  }
  return requireStateAnywhere(memory, id, name, fail, () => {
    const named = statesWithWords(memory, id, name);
    const similar = named.length > 1 ? newestOfPieces(memory, named) : named;
    const [only] = similar;
    if (!only) return undefined;
    if (similar.length > 1) {
      const names = similar.slice(0, MAX_CANDIDATES).map((state) => ({
        name: state.displayName,
        createdAt: state.item.createdAt,
      }));
      return fail('severalSimilar', { name, names: candidatesText(names) });
    }
    addNotice(`No state is named "${clip(name)}"; this is the nearest.`);
    return located(memory, only);
  });
}

function located(memory: Memory, state: Named<State>): LocatedState {
  const found = lookupWorkspaceByRef(memory, state.item.workspaceId);
  if (!('item' in found)) throw new Error('A state was found without its workspace');
  return { workspace: found.item, state };
}
