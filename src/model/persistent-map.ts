/**
 * An immutable map with text keys. `set` answers a new map that shares everything but the changed path with the old one,
 * so a whole memory can be kept, compared and thrown away as a value (a refused write leaves nothing to undo).
 */
export interface PersistentMap<V> {
  readonly size: number;
  readonly root: Node<V>;
}

/** Marks the nodes that one bulk change has made and may still change in place. */
export type Owner = object;

interface Leaf<V> {
  readonly owner: Owner | undefined;
  readonly items: Map<string, V>;
}

interface Branch<V> {
  readonly owner: Owner | undefined;
  readonly kids: (Node<V> | undefined)[];
}

type Node<V> = Leaf<V> | Branch<V>;

const BITS = 5;
const WIDTH = 1 << BITS;
const LEAF_LIMIT = 16;
const DEEPEST = 30;

export function emptyMap<V>(): PersistentMap<V> {
  return { size: 0, root: { owner: undefined, items: new Map() } };
}

export function mapGet<V>(map: PersistentMap<V>, key: string): V | undefined {
  const hash = hashOf(key);
  let node = map.root;
  for (let shift = 0; 'kids' in node; shift += BITS) {
    const kid: Node<V> | undefined = node.kids[(hash >>> shift) & (WIDTH - 1)];
    if (!kid) return undefined;
    node = kid;
  }
  return node.items.get(key);
}

/**
 * The map with `key` set to `value`. With an `owner`, nodes which that owner made are changed in place:
 * only for a caller that made the map under the same owner and has not handed it out yet.
 */
export function mapSet<V>(map: PersistentMap<V>, key: string, value: V, owner?: Owner): PersistentMap<V> {
  const isNew = mapGet(map, key) === undefined;
  const root = setIn(map.root, key, hashOf(key), 0, value, owner);
  return { size: map.size + (isNew ? 1 : 0), root };
}

/** All entries, in no order that means anything. */
export function* mapEntries<V>(map: PersistentMap<V>): Generator<[string, V]> {
  const nodes: (Node<V> | undefined)[] = [map.root];
  while (nodes.length > 0) {
    const node = nodes.pop();
    if (!node) continue;
    if ('kids' in node) nodes.push(...node.kids);
    else yield* node.items;
  }
}

function setIn<V>(node: Node<V>, key: string, hash: number, shift: number, value: V, owner?: Owner): Node<V> {
  if ('kids' in node) {
    const at = (hash >>> shift) & (WIDTH - 1);
    const kid = node.kids[at] ?? { owner, items: new Map<string, V>() };
    const branch = isOwned(node, owner) ? node : { owner, kids: [...node.kids] };
    branch.kids[at] = setIn(kid, key, hash, shift + BITS, value, owner);
    return branch;
  }
  if (node.items.size < LEAF_LIMIT || node.items.has(key) || shift > DEEPEST) {
    const leaf = isOwned(node, owner) ? node : { owner, items: new Map(node.items) };
    leaf.items.set(key, value);
    return leaf;
  }
  let branch: Node<V> = { owner: owner ?? {}, kids: new Array<Node<V> | undefined>(WIDTH).fill(undefined) };
  const maker = branch.owner;
  for (const [other, held] of node.items) branch = setIn(branch, other, hashOf(other), shift, held, maker);
  return setIn(branch, key, hash, shift, value, maker);
}

function isOwned<V>(node: Node<V>, owner: Owner | undefined): boolean {
  return owner !== undefined && node.owner === owner;
}

/** FNV-1a over the UTF-16 code units, 32 bits. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
