import { headsByKey, idsOfName, newestFirst, type Named, type StateHead } from '../lookup.js';
import { entityName, entityOf, type Entity, type Memory } from '../memory.js';
import { continuedId } from '../creation-data.js';
import { nameKey } from '../names.js';
import { mapGet } from '../persistent-map.js';
import type { State } from '../state.js';

/** A state by its position in a piece of work, which is a chain of states that continue others. */
type ChainState = Pick<State, 'id' | 'workspaceId'>;

/**
 * Returns the states that a state continues, directly or not, newest first, without archived ones.
 * A chain ends where a state is missing or, which only forged ones do, continues itself.
 */
export function earlierStates(memory: Memory, state: State): Named<State>[] {
  return readAll(earlierHeads(memory, state));
}

/** Returns the heads of up to `limit` states of the chain of `earlierStates`. */
export function earlierHeads(memory: Memory, state: ChainState, limit = Infinity): StateHead[] {
  return ancestorsOf(memory, state, limit).filter(({ isArchived }) => !isArchived);
}

/**
 * Returns the newest states among those that continue a state, directly or not, newest first:
 * several if devices have continued one state at once. Empty if the state itself is the newest.
 * Archived states are skipped.
 */
export function newerStates(memory: Memory, state: ChainState): Named<State>[] {
  return readAll(newerHeads(memory, state));
}

/** Returns the heads of `newerStates`. */
export function newerHeads(memory: Memory, { id, workspaceId }: ChainState): StateHead[] {
  const reached = [linkOf(memory, workspaceId, id)];
  const seen = new Set(reached);
  /** For each state that was reached, the position of the one that it continues. */
  const from = [0];
  for (let at = 0; at < reached.length; at++) {
    for (const next of followersOf(memory, reached[at]!)) {
      if (seen.has(next)) continue;
      seen.add(next);
      reached.push(next);
      from.push(at);
    }
  }
  const hasNewer = new Set<number>();
  const newest: StateHead[] = [];
  for (let at = reached.length - 1; at > 0; at--) {
    const isEnd = !hasNewer.has(at);
    const head = isEnd ? headOf(memory, reached[at]!) : undefined;
    if (isEnd && (!head || head.isArchived)) continue;
    if (head) newest.push(head);
    hasNewer.add(from[at]!);
  }
  return newest.sort(newestFirst);
}

/** Returns the other newest states of the piece of work of a state that is a newest one itself. */
export function otherNewestStates(memory: Memory, state: State): Named<State>[] {
  const first = ancestorsOf(memory, state).at(-1);
  if (!first) return [];
  const { workspaceId } = state;
  return newerStates(memory, { id: first.id, workspaceId }).filter(
    ({ item }) => item.id !== state.id,
  );
}

/** Returns those of some states that none of the others continues, in the same order. */
export function newestOfPieces(memory: Memory, states: readonly Named<State>[]): Named<State>[] {
  const earlier = new Set(
    states.flatMap(({ item }) => ancestorsOf(memory, item).map(({ id }) => id)),
  );
  return states.filter(({ item }) => !earlier.has(item.id));
}

function readAll(heads: readonly StateHead[]): Named<State>[] {
  return heads.flatMap((head) => head.read() ?? []);
}

/** Returns the states that a state continues, directly or not, newest first. */
function ancestorsOf(memory: Memory, state: ChainState, limit = Infinity): StateHead[] {
  const { workspaceId, id } = state;
  const found: StateHead[] = [];
  const seen = new Set([id]);
  for (let next = continuedBy(entityOf(memory, id)); next !== undefined && found.length < limit;) {
    const before = headOf(memory, linkOf(memory, workspaceId, next));
    if (!before || seen.has(before.id)) break;
    seen.add(before.id);
    found.push(before);
    next = continuedBy(before.entity);
  }
  return found;
}

/** A state in its chain. What was looked up is kept: one search follows a chain many times. */
interface Link extends ChainState {
  /** Null if there is no such state. */
  head?: StateHead | null;
  followers?: readonly Link[];
}

/** Links by workspace id and id. */
const known = new WeakMap<Memory, Map<string, Map<string, Link>>>();

function linkOf(memory: Memory, workspaceId: string, id: string): Link {
  const workspaces = known.get(memory) ?? new Map<string, Map<string, Link>>();
  known.set(memory, workspaces);
  const links = workspaces.get(workspaceId) ?? new Map<string, Link>();
  workspaces.set(workspaceId, links);
  const link = links.get(id) ?? { id, workspaceId };
  links.set(id, link);
  return link;
}

/**
 * Returns the head of a state. Of states with the same name and content, which count as one, it is
 * the one that is shown.
 */
function headOf(memory: Memory, link: Link): StateHead | undefined {
  link.head ??= findHead(memory, link) ?? null;
  return link.head ?? undefined;
}

function findHead(memory: Memory, { workspaceId, id }: Link): StateHead | undefined {
  const entity = entityOf(memory, id);
  if (entity.created?.t !== 'state.new') return undefined;
  const heads = headsByKey(memory, workspaceId, nameKey(entityName(entity)));
  return heads.find((head) => head.id === id || shaOf(head.entity) === shaOf(entity));
}

function continuedBy({ created }: Entity): string | undefined {
  if (!created) return undefined;
  return created.head ? created.head.continues : continuedId(created.d);
}

/** Returns the states that directly continue a state, or one that is the same. */
function followersOf(memory: Memory, link: Link): readonly Link[] {
  const { workspaceId } = link;
  link.followers ??= findFollowers(memory, link).map((id) => linkOf(memory, workspaceId, id));
  return link.followers;
}

function findFollowers(memory: Memory, { workspaceId, id }: Link): readonly string[] {
  const index = mapGet(memory.followers, workspaceId);
  if (!index) return [];
  const namesakes = idsOfName(memory, workspaceId, nameKey(entityName(entityOf(memory, id))));
  const entities = namesakes.length > 1 ? namesakes.map((each) => entityOf(memory, each)) : [];
  const sha = entities.length > 1 ? shaOf(entityOf(memory, id)) : undefined;
  const same = entities.filter((each) => each.id !== id && shaOf(each) === sha);
  if (same.length === 0) return mapGet(index, id) ?? [];
  return [id, ...same.map((each) => each.id)].flatMap((each) => mapGet(index, each) ?? []);
}

function shaOf({ created }: Entity): unknown {
  return created?.d['sha'];
}
