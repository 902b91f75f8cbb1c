/**
 * An immutable map with string keys (a hash trie). A changed map shares all unchanged nodes with
 * the old one, so a memory is a value, and a refused write leaves nothing to undo.
 */
export interface PersistentMap<V> {
  readonly owner: Owner | undefined;
  /** Entries, in a leaf only. */
  readonly items: Map<string, V> | undefined;
  /** Child nodes by five bits of the key's hash, in a branch only. */
  readonly children: (PersistentMap<V> | undefined)[] | undefined;
}

/** Identity of a bulk change, which may modify in place only the nodes that it created itself. */
export type Owner = object;

const BITS_PER_LEVEL = 5;
const FANOUT = 1 << BITS_PER_LEVEL;
const MAX_LEAF_SIZE = 64;
const MAX_SHIFT = 30;

const EMPTY: PersistentMap<never> = {
  owner: undefined,
  items: new Map<string, never>(),
  children: undefined,
};

export function emptyMap<V>(): PersistentMap<V> {
  return EMPTY;
}

export function mapGet<V>(map: PersistentMap<V>, key: string): V | undefined {
  if (map.items) return map.items.get(key);
  const hash = hashOf(key);
  let node: PersistentMap<V> | undefined = map;
  for (let shift = 0; node?.children; shift += BITS_PER_LEVEL)
    node = node.children[(hash >>> shift) & (FANOUT - 1)];
  return node?.items?.get(key);
}

export function mapSet<V>(
  map: PersistentMap<V>,
  key: string,
  value: V,
  owner?: Owner,
): PersistentMap<V> {
  return mapUpdate(map, key, () => value, owner);
}

/**
 * Returns the map with the result of `change` at `key`. With an `owner`, changes that owner's nodes
 * in place: pass one only if the map was created under it and is not published yet.
 */
export function mapUpdate<V>(
  map: PersistentMap<V>,
  key: string,
  change: (current: V | undefined) => V,
  owner?: Owner,
): PersistentMap<V> {
  if (map.items && owner !== undefined && map.owner === owner) {
    // the fast path of a bulk change, before any split
    map.items.set(key, change(map.items.get(key)));
    return map;
  }
  return updateIn(map, key, hashOf(key), 0, change, owner);
}

/** Yields all entries, unordered. */
export function* mapEntries<V>(map: PersistentMap<V>): Generator<[string, V]> {
  const nodes: (PersistentMap<V> | undefined)[] = [map];
  for (let node = nodes.pop(); node !== undefined || nodes.length > 0; node = nodes.pop()) {
    if (node?.children) for (const child of node.children) nodes.push(child);
    else if (node?.items) yield* node.items;
  }
}

/** Yields the keys whose values differ, unordered. Skips the nodes that the maps share. */
export function* changedKeys<V>(
  a: PersistentMap<V> | undefined,
  b: PersistentMap<V> | undefined,
): Generator<string> {
  if (a === b) return;
  if (a?.children && b?.children) {
    for (let at = 0; at < FANOUT; at++) yield* changedKeys(a.children[at], b.children[at]);
    return;
  }
  const [before, after] = [a, b].map((map) => map?.items ?? new Map(map && mapEntries(map)));
  for (const [key, value] of after!) if (!before!.has(key) || before!.get(key) !== value) yield key;
  for (const key of before!.keys()) if (!after!.has(key)) yield key;
}

type Change<V> = (current: V | undefined) => V;

function updateIn<V>(
  node: PersistentMap<V>,
  key: string,
  hash: number,
  shift: number,
  change: Change<V>,
  owner: Owner | undefined,
): PersistentMap<V> {
  const { items, children: kids } = node;
  const isOwned = owner !== undefined && node.owner === owner;
  if (kids) {
    const at = (hash >>> shift) & (FANOUT - 1);
    const branch = isOwned ? kids : kids.slice();
    branch[at] = updateIn(
      branch[at] ?? emptyMap<V>(),
      key,
      hash,
      shift + BITS_PER_LEVEL,
      change,
      owner,
    );
    return isOwned ? node : { owner, items: undefined, children: branch };
  }
  // An owned leaf grows without limit and is split when it is first copied.
  if (!isOwned && items && items.size >= MAX_LEAF_SIZE && shift <= MAX_SHIFT) {
    return updateIn(split(items, shift, owner), key, hash, shift, change, owner);
  }
  const leaf = isOwned && items ? items : new Map(items);
  leaf.set(key, change(leaf.get(key)));
  return isOwned ? node : { owner, items: leaf, children: undefined };
}

function split<V>(
  items: Map<string, V>,
  shift: number,
  owner: Owner | undefined,
): PersistentMap<V> {
  const kids = new Array<PersistentMap<V> | undefined>(FANOUT).fill(undefined);
  for (const [key, value] of items) {
    const at = (hashOf(key) >>> shift) & (FANOUT - 1);
    const child = (kids[at] ??= { owner, items: new Map<string, V>(), children: undefined });
    child.items?.set(key, value);
  }
  return { owner, items: undefined, children: kids };
}

/** 32-bit FNV-1a hash over the UTF-16 code units. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
