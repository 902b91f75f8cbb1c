import { entityOf, type Memory } from '../../../model/memory.js';
import { sharesWords } from '../../../model/states/similar-states.js';
import { stateOf, type StateContent } from '../../../model/state.js';
import type { Fail } from '../../../toolkit/define-tool.js';
import type { LastState } from '../../../toolkit/sessions.js';
import { requireState, type stateFailures } from '../../shared/lookups.js';

/**
 * Returns the id of the state that a new one continues: the one named `given`, none for `''`, by
 * default the session's last one in the workspace. Fails the call if the name is unknown.
 */
export function continuedStateId(
  memory: Memory,
  workspaceId: string,
  {
    given,
    last,
    content,
  }: {
    readonly given: string | undefined;
    readonly last: LastState | undefined;
    readonly content: StateContent;
  },
  fail: Fail<typeof stateFailures>,
): string | undefined {
  if (given !== undefined)
    return given.trim() === '' ? undefined : requireState(memory, workspaceId, given, fail).item.id;
  const state = last && stateOf(entityOf(memory, last.id));
  if (!state || state.workspaceId !== workspaceId) return undefined;
  return last.isLoaded || !isOtherWork(state, content) ? state.id : undefined;
}

/** Returns true if both states name files but share none, and their names share few words. */
function isOtherWork(a: StateContent, b: StateContent): boolean {
  if (a.activeFiles.length === 0 || b.activeFiles.length === 0) return false;
  const files = new Set(a.activeFiles);
  return !b.activeFiles.some((path) => files.has(path)) && !sharesWords(a.name, b.name);
}
