import {
  compareStamps,
  compareText,
  versionKey,
  type JsonObject,
  type LogEvent,
} from '../event.js';
import { firstIndex } from '../sorted/first-index.js';
import { entityOf, VAULT_SCOPE, type Memory } from '../memory.js';
import { toVaultPath, type VaultPath } from '../paths.js';
import { mapGet } from '../persistent-map.js';
import { textsIn } from '../text/json-fields.js';

/** A rename of a note or folder. */
interface Move {
  readonly at: LogEvent;
  readonly from: VaultPath;
  /** Undefined if the new path is not recorded, because it is in an excluded folder. */
  readonly to: VaultPath | undefined;
}

/** Where a path is after a move that applies to it. */
interface Place {
  readonly index: number;
  readonly path: VaultPath;
  /** True if the destination is not recorded. */
  readonly isEnd: boolean;
}

const NOTE = '.md';

/** Where renamed paths lead now. A path is followed once; its destination is then cached. */
export class PathMoves {
  readonly #moves: readonly Move[];
  /** For each move, the numbers of the earlier ones that its writer did not know. */
  readonly #unknown: readonly ReadonlySet<number>[];
  readonly #origins: ReadonlySet<VaultPath>;
  /** Destinations by path and by the number of the first move that is newer than the path. */
  readonly #known = new Map<string, VaultPath>();

  /** @param events The `path.moved` events of a memory, in any order. */
  constructor(events: readonly LogEvent[]) {
    this.#moves = [...events].sort(compareStamps).flatMap((at): Move[] => {
      const [from, to] = [at.d['from'], at.d['to']].map((path) =>
        typeof path === 'string' ? toVaultPath(path) : undefined,
      );
      return from === undefined || from === '' ? [] : [{ at, from, to }];
    });
    this.#unknown = unknownMoves(this.#moves).map((numbers) => new Set(numbers));
    this.#origins = new Set(this.#moves.map(({ from }) => from));
  }

  get isEmpty(): boolean {
    return this.#moves.length === 0;
  }

  /**
   * Returns where a path leads now that was written at `since`, an event's `h` or an ISO time.
   * Returns it unchanged if it has not moved or is not in the vault.
   */
  resolve(path: string, since: string): string {
    if (this.isEmpty) return path;
    const inVault = toVaultPath(path);
    if (inVault === undefined || inVault === '') return path;
    const first = this.#firstAfter(since);
    const asNote = inVault + NOTE; // a reference may omit the extension, as links do
    const moved = this.#origins.has(asNote) ? this.#destination(asNote, first) : asNote;
    if (moved !== asNote) return moved.endsWith(NOTE) ? moved.slice(0, -NOTE.length) : moved;
    const found = this.#destination(inVault, first);
    return found === inVault ? path : found;
  }

  /** Returns a function from a time (see `resolve`) to the paths that meant `path` then. */
  namesOf(path: VaultPath): (since: string) => VaultPath[] {
    const paths = [path, ...this.#earlierPaths(path)];
    return (since) => paths.filter((each) => this.resolve(each, since) === path);
  }

  #earlierPaths(path: VaultPath): VaultPath[] {
    const found = new Set([path]);
    for (const { from, to } of [...this.#moves].reverse())
      for (const each of [...found])
        if (to !== undefined && isAtOrIn(each, to)) found.add(from + each.slice(to.length));
    found.delete(path);
    return [...found];
  }

  #firstAfter(since: string): number {
    const moves = this.#moves;
    return firstIndex(moves.length, (index) => compareText(moves[index]!.at.h, since) > 0);
  }

  #destination(path: VaultPath, first: number): VaultPath {
    if (first === this.#moves.length || !this.#hasLeft(path)) return path;
    const key = `${first} ${path}`;
    const found = this.#known.get(key) ?? this.#follow(path, first);
    this.#known.set(key, found);
    return found;
  }

  /** Returns true if something was renamed that was at the path or above it. */
  #hasLeft(path: VaultPath): boolean {
    for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1))
      if (this.#origins.has(path.slice(0, end))) return true;
    return false;
  }

  /**
   * Follows a path through the moves from `first` on. A move applies to its path as its writer knew
   * it: if two devices rename the same note, the later one decides.
   */
  #follow(path: VaultPath, first: number): VaultPath {
    const places: Place[] = [];
    for (let index = first; index < this.#moves.length; index++) {
      const { from, to } = this.#moves[index]!;
      const unknown = this.#unknown[index]!;
      const place = places.findLast((each) => !unknown.has(each.index));
      const current = place?.path ?? path;
      if (place?.isEnd === true || !isAtOrIn(current, from)) continue;
      if (!place && this.#cameUnknown(path, first, unknown)) continue;
      places.push(
        to === undefined
          ? { index, path: current, isEnd: true }
          : { index, path: to + current.slice(from.length), isEnd: false },
      );
    }
    return places.at(-1)?.path ?? path;
  }

  /** Returns true if one of these moves has brought to the path what was there before `first`. */
  #cameUnknown(path: VaultPath, first: number, unknown: ReadonlySet<number>): boolean {
    for (const index of unknown) {
      const { to } = this.#moves[index]!;
      if (index < first && to !== undefined && isAtOrIn(path, to)) return true;
    }
    return false;
  }
}

/** Returns, for each move, the numbers of the earlier ones that its writer did not know. */
function unknownMoves(moves: readonly Move[]): number[][] {
  const byKey = new Map(moves.map(({ at }, index) => [versionKey(at), index]));
  const unknown: number[][] = [];
  for (const [index, { at }] of moves.entries()) {
    const heads = textsIn(at.d['after']).flatMap((key) => byKey.get(key) ?? []);
    const [first, ...others] = heads
      .filter((head) => head < index)
      .map((head) => [...(unknown[head] ?? []), ...numbersBetween(head + 1, index)]);
    unknown.push(
      (first ?? numbersBetween(0, index)).filter((each) =>
        others.every((list) => list.includes(each)),
      ),
    );
  }
  return unknown;
}

function numbersBetween(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, nth) => from + nth);
}

/** Returns true if `path` is `folder` or inside it. */
export function isAtOrIn(path: VaultPath, folder: VaultPath): boolean {
  return path.startsWith(folder) && (path.length === folder.length || path[folder.length] === '/');
}

/** Returns an object keyed by paths with each key mapped by `place`. */
export function movedKeys(byPath: JsonObject, place: (path: string) => string): JsonObject {
  const paths = Object.keys(byPath);
  return paths.every((path) => place(path) === path)
    ? byPath
    : Object.fromEntries(Object.entries(byPath).map(([path, value]) => [place(path), value]));
}

const known = new WeakMap<Memory['moves'], PathMoves>();

/** Returns the moves of a memory, cached until there is another one. */
export function pathMoves(memory: Memory): PathMoves {
  const found = known.get(memory.moves) ?? new PathMoves(moveEvents(memory));
  known.set(memory.moves, found);
  return found;
}

export function moveEvents(memory: Memory): LogEvent[] {
  const index = mapGet(memory.moves, VAULT_SCOPE);
  const ids = (index && mapGet(index, '')) ?? [];
  return ids.flatMap((id) => entityOf(memory, id).created ?? []);
}
