import { compareStamps, type Stamp } from '../event.js';
import { creationOf, stateHeads, statesByKey, type Named } from '../lookup.js';
import { entityOf, type Memory } from '../memory.js';
import { mapEntries, mapGet, type PersistentMap } from '../persistent-map.js';
import type { State } from '../state.js';

/** Returns the newest unarchived state of a workspace, parsing only that one if possible. */
export function newestState(memory: Memory, workspaceId: string): Named<State> | undefined {
  const names = mapGet(memory.names, workspaceId);
  if (!names) return undefined;
  const known = newestIds.get(names) ?? findNewestIds(memory, names);
  newestIds.set(names, known);
  for (const { id, key } of known) {
    const found = statesByKey(memory, workspaceId, key).find(({ entity }) => entity.id === id);
    if (found && !found.item.isArchived) return found;
  }
  for (const head of stateHeads(memory, workspaceId)) {
    const found = head.isArchived ? undefined : head.read();
    if (found) return found;
  }
  return undefined;
}

type StateNames = PersistentMap<readonly string[]>;
type StateKey = { readonly id: string; readonly key: string };

/** Several, in case some are archived. */
const NEWEST_REMEMBERED = 8;

/** Newest first, by index of names, which changes only if a state is added. */
const newestIds = new WeakMap<StateNames, readonly StateKey[]>();

function findNewestIds(memory: Memory, names: StateNames): StateKey[] {
  const newest: (StateKey & { readonly stamp: Stamp })[] = [];
  for (const [key, ids] of mapEntries(names)) {
    for (const id of ids) {
      const stamp = creationOf(entityOf(memory, id));
      const last = newest.at(-1);
      if (last && newest.length === NEWEST_REMEMBERED && compareStamps(stamp, last.stamp) < 0)
        continue;
      newest.push({ id, key, stamp });
      newest.sort((a, b) => compareStamps(b.stamp, a.stamp)).splice(NEWEST_REMEMBERED);
    }
  }
  return newest;
}
