import { idsOfName, statesByKey, type Named } from '../../model/lookup.js';
import { entityName, entityOf, type Memory } from '../../model/memory.js';
import { nameKey } from '../../model/names.js';
import { changedKeys } from '../../model/persistent-map.js';
import type { State } from '../../model/state.js';

/**
 * Maps the id of each state of a workspace that may differ between `before` and `after` to the
 * state, or to undefined if it is no longer listed. The time depends on the number of changes, not
 * on the number of states.
 */
export function changedStates(
  before: Memory,
  after: Memory,
  workspaceId: string,
): Map<string, Named<State> | undefined> {
  const changed = new Map<string, Named<State> | undefined>();
  const keys = new Set<string>();
  for (const id of changedKeys(before.entities, after.entities)) {
    for (const memory of [before, after]) {
      const entity = entityOf(memory, id);
      if (entity.created?.t === 'state.new') keys.add(nameKey(entityName(entity)));
    }
  }
  for (const key of keys) {
    for (const memory of [before, after])
      for (const id of idsOfName(memory, workspaceId, key)) changed.set(id, undefined);
  }
  for (const key of keys) {
    for (const state of statesByKey(after, workspaceId, key)) changed.set(state.entity.id, state);
  }
  return changed;
}
