import { idsOfName, newestFirst, statesByKey, type Named } from '../lookup.js';
import { entityName, entityOf, type Memory } from '../memory.js';
import { nameKey } from '../names.js';
import { mapGet } from '../persistent-map.js';
import { stateOf, type State } from '../state.js';

/** A state by its position in a piece of work, which is a chain of states that continue others. */
type ChainState = Pick<State, 'id' | 'workspaceId'>;

/**
 * Returns the states that a state continues, directly or not, newest first, without archived ones.
 * The chain ends at a missing state, at a (forged) cycle, and after `limit` states.
 */
export function earlierStates(memory: Memory, state: State, limit = Infinity): Named<State>[] {
  return ancestorsOf(memory, state, limit).filter(({ item }) => !item.isArchived);
}

/**
 * Returns the newest states that continue a state, directly or not, newest first: several if
 * devices have continued one state at once, none if it is the newest. Skips archived ones.
 */
export function newerStates(memory: Memory, state: ChainState): readonly Named<State>[] {
  // most states are the newest; they must not displace results that took long
  if (followersOf(memory, state.workspaceId, state.id).length === 0) return [];
  const { newest } = knownStates(memory);
  const key = chainKey(state);
  const known = newest.get(key);
  if (known) return known;
  const found = findNewest(memory, state);
  if (newest.size >= MAX_KNOWN_PIECES) newest.clear();
  newest.set(key, found);
  return found;
}

/** Returns true if a state continues another one, or is continued. */
export function isInChain(memory: Memory, { id, workspaceId, continues }: State): boolean {
  return continues !== undefined || followersOf(memory, workspaceId, id).length > 0;
}

function chainKey({ id, workspaceId }: ChainState): string {
  return `${workspaceId} ${id}`;
}

function findNewest(memory: Memory, { id, workspaceId }: ChainState): Named<State>[] {
  const previous = new Map<string, string>();
  const reached = [id];
  for (const at of reached) {
    for (const next of followersOf(memory, workspaceId, at)) {
      if (next === id || previous.has(next)) continue;
      previous.set(next, at);
      reached.push(next);
    }
  }
  const hasNewer = new Set<string>();
  const newest: Named<State>[] = [];
  for (const at of reached.slice(1).reverse()) {
    const isEnd = !hasNewer.has(at);
    const state = isEnd ? stateById(memory, workspaceId, at) : undefined;
    if (isEnd && (!state || state.item.isArchived)) continue;
    if (state) newest.push(state);
    hasNewer.add(previous.get(at) ?? '');
  }
  return newest.sort(newestFirst);
}

/** Returns up to `limit` other newest states of the piece of work of a newest state. */
export function otherNewestStates(memory: Memory, state: State, limit: number): Named<State>[] {
  const first = ancestorsOf(memory, state).at(-1);
  if (!first) return [];
  const newest = newerStates(memory, first.item).slice(0, limit + 1);
  return newest.filter(({ item }) => item.id !== state.id).slice(0, limit);
}

/** Returns the states that none of the others continues, in the same order. */
export function newestOfPieces(memory: Memory, states: readonly Named<State>[]): Named<State>[] {
  const earlier = new Set(
    states.flatMap(({ item }) => ancestorsOf(memory, item).map((other) => other.item.id)),
  );
  return states.filter(({ item }) => !earlier.has(item.id));
}

/** Returns the states that a state continues, directly or not, newest first. */
function ancestorsOf(memory: Memory, state: State, limit = Infinity): Named<State>[] {
  const found: Named<State>[] = [];
  const seen = new Set([state.id]);
  for (let next = state.continues; next !== undefined && found.length < limit;) {
    const before = stateById(memory, state.workspaceId, next);
    if (!before || seen.has(before.item.id)) break;
    seen.add(before.item.id);
    found.push(before);
    next = before.item.continues;
  }
  return found;
}

/** Cached lookups in a memory, because one search follows a chain many times. */
interface KnownStates {
  readonly states: Map<string, Named<State> | undefined>;
  /** Results of `followersOf`. */
  readonly followers: Map<string, readonly string[]>;
  /** Results of `newerStates`: thousands of states may continue one. */
  readonly newest: Map<string, readonly Named<State>[]>;
}

const MAX_KNOWN_PIECES = 100;

const known = new WeakMap<Memory, KnownStates>();

function knownStates(memory: Memory): KnownStates {
  const found = known.get(memory) ?? { states: new Map(), followers: new Map(), newest: new Map() };
  known.set(memory, found);
  return found;
}

/** Returns a state by id; of states of the same name and content, the one that is shown. */
function stateById(memory: Memory, workspaceId: string, id: string): Named<State> | undefined {
  const { states } = knownStates(memory);
  if (!states.has(id)) states.set(id, findState(memory, id));
  const found = states.get(id);
  return found?.item.workspaceId === workspaceId ? found : undefined;
}

function findState(memory: Memory, id: string): Named<State> | undefined {
  const state = stateOf(entityOf(memory, id));
  const named = state ? statesByKey(memory, state.workspaceId, nameKey(state.name)) : [];
  return named.find(({ item }) => item.id === id || item.sha === state?.sha);
}

/** Returns the ids of the states that directly continue a state or a twin of it. */
function followersOf(memory: Memory, workspaceId: string, id: string): readonly string[] {
  const { followers } = knownStates(memory);
  const key = chainKey({ id, workspaceId });
  const found = followers.get(key) ?? findFollowers(memory, workspaceId, id);
  followers.set(key, found);
  return found;
}

function findFollowers(memory: Memory, workspaceId: string, id: string): readonly string[] {
  const index = mapGet(memory.followers, workspaceId);
  if (!index) return [];
  const namesakes = idsOfName(memory, workspaceId, nameKey(entityName(entityOf(memory, id))));
  const shas = namesakes.length > 1 ? namesakes.map((each) => shaOf(memory, each)) : [];
  const same = namesakes.filter((each, at) => each !== id && shas[at] === shaOf(memory, id));
  if (same.length === 0) return mapGet(index, id) ?? [];
  return [id, ...same].flatMap((each) => mapGet(index, each) ?? []);
}

function shaOf(memory: Memory, id: string): unknown {
  return entityOf(memory, id).created?.d['sha'];
}
