import type { Named } from '../model/lookup.js';
import type { VaultPath } from '../model/paths.js';
import type { State } from '../model/state.js';
import type { Trace } from '../model/trace.js';
import type { MemorySearch } from './memory/memory-search.js';
import type { NoteHit, NoteSearch } from './notes/note-search.js';
import { UNLIMITED } from './search-result.js';

/** A query that is being typed, for all that may be found by it. */
export interface GroupsQuery {
  readonly query: string;
  readonly workspaceIds: readonly string[];
  /** Searches only notes in this folder; empty for the whole vault. */
  readonly folder: VaultPath;
  readonly limits: Readonly<Record<'states' | 'notes' | 'calls', number>>;
  /** Returns true for a call to leave out. */
  readonly isHidden: (call: Trace) => boolean;
  /** Cancels the search, which then rejects with the signal's reason. */
  readonly signal: AbortSignal;
}

export interface FoundGroups {
  readonly states: readonly Named<State>[];
  readonly notes: readonly NoteHit[];
  readonly calls: readonly Trace[];
}

export async function searchGroups(
  memory: MemorySearch,
  notes: NoteSearch,
  { query, workspaceIds, folder, limits, isHidden, signal }: GroupsQuery,
): Promise<FoundGroups> {
  const inMemory = { query, workspaceIds, range: UNLIMITED };
  const entities = await memory.searchEntities({ ...inMemory, limit: limits.states }, ['state']);
  signal.throwIfAborted();
  const answer = await notes.search({
    query,
    folder,
    mode: 'hybrid',
    tags: [],
    range: UNLIMITED,
    limit: limits.notes,
    isTyping: true,
    signal,
  });
  signal.throwIfAborted();
  const traces = await memory.searchTraces({ ...inMemory, limit: limits.calls }, { isHidden });
  return {
    states: entities.found.flatMap(({ item }) => ('state' in item ? [item.state] : [])),
    notes: 'problem' in answer ? [] : answer.found,
    calls: traces.found.map(({ item }) => item),
  };
}
