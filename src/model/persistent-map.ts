/**
 * An immutable map with text keys. A change answers a new map that shares everything but the changed path with the old one,
 * so a whole memory can be kept, compared and thrown away as a value (a refused write leaves nothing to undo).
 */
export interface PersistentMap<V> {
  readonly owner: Owner | undefined;
  /** Of a leaf: its entries. */
  readonly items: Map<string, V> | undefined;
  /** Of a branch: what lies below, by five bits of the key's hash. */
  readonly kids: (PersistentMap<V> | undefined)[] | undefined;
}

/** Marks the nodes that one bulk change has made and may still change in place. */
export type Owner = object;

const BITS = 5;
const WIDTH = 1 << BITS;
const LEAF_LIMIT = 64;
const DEEPEST = 30;

const EMPTY: PersistentMap<never> = {
  owner: undefined,
  items: new Map<string, never>(),
  kids: undefined,
};

export function emptyMap<V>(): PersistentMap<V> {
  return EMPTY;
}

export function mapGet<V>(map: PersistentMap<V>, key: string): V | undefined {
  if (map.items) return map.items.get(key);
  const hash = hashOf(key);
  let node: PersistentMap<V> | undefined = map;
  for (let shift = 0; node?.kids; shift += BITS) node = node.kids[(hash >>> shift) & (WIDTH - 1)];
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
 * The map with what `change` makes of the value at `key`. With an `owner`, nodes which that owner made are changed in place:
 * only for a caller that made the map under the same owner and has not handed it out yet.
 */
export function mapUpdate<V>(
  map: PersistentMap<V>,
  key: string,
  change: (held: V | undefined) => V,
  owner?: Owner,
): PersistentMap<V> {
  if (map.items && owner !== undefined && map.owner === owner) {
    map.items.set(key, change(map.items.get(key))); // the usual case of a bulk change, before any splitting
    return map;
  }
  return updateIn(map, key, hashOf(key), 0, change, owner);
}

/** All entries, in no order that means anything. */
export function* mapEntries<V>(map: PersistentMap<V>): Generator<[string, V]> {
  const nodes: (PersistentMap<V> | undefined)[] = [map];
  for (let node = nodes.pop(); node !== undefined || nodes.length > 0; node = nodes.pop()) {
    if (node?.kids) nodes.push(...node.kids);
    else if (node?.items) yield* node.items;
  }
}

/** The keys that do not have the same value in both maps, in no order that means anything. What the two share is not looked at. */
export function* changedKeys<V>(
  a: PersistentMap<V> | undefined,
  b: PersistentMap<V> | undefined,
): Generator<string> {
  if (a === b) return;
  if (a?.kids && b?.kids) {
    for (let at = 0; at < WIDTH; at++) yield* changedKeys(a.kids[at], b.kids[at]);
    return;
  }
  const [before, after] = [a, b].map((map) => map?.items ?? new Map(map && mapEntries(map)));
  for (const [key, value] of after!) if (!before!.has(key) || before!.get(key) !== value) yield key;
  for (const key of before!.keys()) if (!after!.has(key)) yield key;
}

type Change<V> = (held: V | undefined) => V;

function updateIn<V>(
  node: PersistentMap<V>,
  key: string,
  hash: number,
  shift: number,
  change: Change<V>,
  owner: Owner | undefined,
): PersistentMap<V> {
  const { items, kids } = node;
  const isOwned = owner !== undefined && node.owner === owner;
  if (kids) {
    const at = (hash >>> shift) & (WIDTH - 1);
    const branch = isOwned ? kids : kids.slice();
    branch[at] = updateIn(branch[at] ?? emptyMap<V>(), key, hash, shift + BITS, change, owner);
    return isOwned ? node : { owner, items: undefined, kids: branch };
  }
  // A leaf that may be changed in place may grow as it likes: it is split when it is first to be copied.
  if (!isOwned && items && items.size >= LEAF_LIMIT && shift <= DEEPEST) {
    return updateIn(split(items, shift, owner), key, hash, shift, change, owner);
  }
  const leaf = isOwned && items ? items : new Map(items);
  leaf.set(key, change(leaf.get(key)));
  return isOwned ? node : { owner, items: leaf, kids: undefined };
}

/** A leaf's entries as a branch, each in the leaf where its hash leads. */
function split<V>(
  items: Map<string, V>,
  shift: number,
  owner: Owner | undefined,
): PersistentMap<V> {
  const kids = new Array<PersistentMap<V> | undefined>(WIDTH).fill(undefined);
  for (const [key, value] of items) {
    const at = (hashOf(key) >>> shift) & (WIDTH - 1);
    const kid = (kids[at] ??= { owner, items: new Map<string, V>(), kids: undefined });
    kid.items?.set(key, value);
  }
  return { owner, items: undefined, kids };
}

/** FNV-1a over the UTF-16 code units, 32 bits. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
