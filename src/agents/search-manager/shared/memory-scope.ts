import type { MemoryQuery, MemorySearch } from '../../../indexing/memory/memory-search.js';
import { allWorkspaces, stateHeads, statesNamed } from '../../../model/lookup.js';
import { entityOf, type Memory } from '../../../model/memory.js';
import { stateOf } from '../../../model/state.js';
import type { Trace } from '../../../model/trace.js';

/**
 * Returns the ids of the workspaces to search, by default all of them, of those to search if
 * nothing is found (`archived`), and of those that are left out (`others`).
 */
export function memoryScope(memory: Memory, workspaceId: string | undefined) {
  const all = allWorkspaces(memory).map(({ item }) => item);
  const live = all.filter(({ isArchived }) => !isArchived).map(({ id }) => id);
  const archived = all.filter(({ isArchived }) => isArchived).map(({ id }) => id);
  if (workspaceId === undefined) return { searched: live, archived, others: [] };
  return {
    searched: [workspaceId],
    archived: [],
    others: live.filter((id) => id !== workspaceId),
  };
}

/** Number of states above which other workspaces are skipped, because indexing them takes long. */
const MAX_STATES_ELSEWHERE = 5000;
const MAX_COUNT = 100;

/** Counts the hits in these workspaces; undefined if there are none, or too many states. */
export async function countElsewhere(
  search: Pick<MemorySearch, 'searchEntities'>,
  query: Omit<MemoryQuery, 'limit'> & { readonly memory: Memory },
  types: readonly ('state' | 'record')[],
): Promise<string | undefined> {
  const { memory } = query;
  const sizes = query.workspaceIds.map((id) => stateHeads(memory, id).length);
  const size = sizes.reduce((sum, count) => sum + count, 0);
  if (size === 0 || size > MAX_STATES_ELSEWHERE) return undefined;
  const workspaceIds = query.workspaceIds.filter((_, index) => sizes[index] !== 0);
  const criteria = { ...query, workspaceIds, limit: MAX_COUNT };
  const { found } = await search.searchEntities(criteria, types);
  if (found.length === 0) return undefined;
  return `${found.length === MAX_COUNT ? 'At least ' : ''}${found.length} more in other workspaces`;
}

/** Returns true for the trace of a call that saved a state which is archived now. */
export function isOfArchivedState(memory: Memory, { stateId }: Trace): boolean {
  const state = stateId === undefined ? undefined : stateOf(entityOf(memory, stateId));
  if (!state) return false;
  const shown = statesNamed(memory, state.workspaceId, state.name);
  return (shown.find(({ item }) => item.sha === state.sha)?.item ?? state).isArchived;
}
