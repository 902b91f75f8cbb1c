import { emptyMap, mapUpdate, type Owner, type PersistentMap } from './persistent-map.js';

/** Ids of entities by scope, then by key. */
export type EntityIndex = PersistentMap<PersistentMap<readonly string[]>>;

/** Position of an entity in an index. */
export interface EntityPosition {
  readonly scope: string;
  readonly key: string;
}

/**
 * Returns the index with an entity at another position; undefined for none. The ids at a position
 * are sorted.
 */
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
  return after
    ? updateIds(rest, after, (ids) => (ids.length > 0 ? [...ids, id].sort() : [id]), owner)
    : rest;
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
