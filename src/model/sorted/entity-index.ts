import { firstIndex } from './first-index.js';
import { emptyMap, mapUpdate, type Owner, type PersistentMap } from '../persistent-map.js';

/** Ids of entities by scope, then by key. */
export type EntityIndex = PersistentMap<PersistentMap<readonly string[]>>;

export interface EntityPosition {
  readonly scope: string;
  readonly key: string;
}

/** Returns the index with an entity moved from one position, if any, to another, if any. */
export function moveInIndex(
  index: EntityIndex,
  id: string,
  before: EntityPosition | undefined,
  after: EntityPosition | undefined,
  owner?: Owner,
): EntityIndex {
  if (before?.scope === after?.scope && before?.key === after?.key) return index;
  const rest = before
    ? updateIds(index, before, (ids) => ids.filter((other) => other !== id), owner)
    : index;
  return after ? updateIds(rest, after, (ids) => withId(ids, id), owner) : rest;
}

/** Returns sorted ids with one more. Many states may continue one, so they are not sorted again. */
function withId(ids: readonly string[], id: string): readonly string[] {
  if (ids.length === 0) return [id]; // nearly every name is one of its own
  const place = firstIndex(ids.length, (index) => ids[index]! >= id);
  const all = ids.slice();
  all.splice(place, 0, id);
  return all;
}

function updateIds(
  index: EntityIndex,
  { scope, key }: EntityPosition,
  change: (ids: readonly string[]) => readonly string[],
  owner?: Owner,
): EntityIndex {
  return mapUpdate(
    index,
    scope,
    (keys = emptyMap()) => mapUpdate(keys, key, (ids = []) => change(ids), owner),
    owner,
  );
}
