import { compareStamps, compareText, type Stamp } from './event.js';
import {
  DEFAULT_WORKSPACE,
  entityName,
  entityOf,
  mergeRegisters,
  registerOf,
  VAULT_SCOPE,
  type Entity,
  type Memory,
} from './memory.js';
import { pathMoves, type PathMoves } from './moves/path-moves.js';
import { didYouMean, nameKey, nameWithMark, splitMark } from './names.js';
import { isWithin, normalizeVaultPath } from './paths.js';
import { mapEntries, mapGet } from './persistent-map.js';
import { stateOf, type State } from './state.js';
import { revealedText, visibleText } from './text/visible-text.js';
import { workspaceOf, type Workspace } from './workspace.js';

/** One match, none (`hint` suggests similar names), or several of the same name. */
export type LookupResult<T> =
  { item: T } | { hint: string } | { several: { name: string; createdAt: string }[] };

/**
 * An item with its display name, in which invisible characters are markers (see `visibleText`) and
 * a mark distinguishes it from an earlier item with the same name. Lookups accept display names.
 */
export interface Named<T> {
  readonly item: T;
  readonly entity: Entity;
  readonly displayName: string;
}

/** Returns all workspaces, including archived ones, sorted by name. */
export function allWorkspaces(memory: Memory): Named<Workspace>[] {
  return listNamed(memory, VAULT_SCOPE, workspaceOf).sort((a, b) =>
    compareText(nameKey(a.displayName), nameKey(b.displayName)),
  );
}

/** Returns all states of a workspace, including archived ones, newest first. */
export function allStates(memory: Memory, workspaceId: string): Named<State>[] {
  return listNamed(memory, workspaceId, stateOf).sort(newestFirst);
}

/** A state of which only the head has been read. */
export interface StateHead {
  readonly id: string;
  readonly entity: Entity;
  readonly displayName: string;
  readonly isArchived: boolean;
  /** Reads the whole state; undefined if its data are invalid. */
  readonly read: () => Named<State> | undefined;
}

/** Cached by memory and workspace, because many calls read the same memory. */
const knownHeads = new WeakMap<Memory, Map<string, readonly StateHead[]>>();

/** Returns all states, newest first, without parsing them; those with invalid data included. */
export function stateHeads(memory: Memory, workspaceId: string): readonly StateHead[] {
  const known = knownHeads.get(memory) ?? new Map<string, readonly StateHead[]>();
  knownHeads.set(memory, known);
  const heads = known.get(workspaceId) ?? [...eachStateHead(memory, workspaceId)].sort(newestFirst);
  known.set(workspaceId, heads);
  return heads;
}

/** Yields the states of `stateHeads` unordered, so that the caller can pause between them. */
export function* eachStateHead(memory: Memory, workspaceId: string): Generator<StateHead> {
  for (const [, ids] of idsByName(memory, workspaceId)) {
    for (const [index, entity] of distinctEntities(memory, ids).entries()) {
      yield {
        id: entity.id,
        entity,
        displayName: displayNameAt(entity, index, entityName(entity)),
        isArchived: registerOf(entity, '/isArchived') === true,
        read: () => namedAt(memory, entity, index, stateOf),
      };
    }
  }
}

/** Returns the states whose names start with a text, archived ones included, newest first. */
export function statesWithPrefix(
  memory: Memory,
  workspaceId: string,
  prefix: string,
): Named<State>[] {
  const start = nameKey(prefix);
  const found: Named<State>[] = [];
  for (const [key, ids] of idsByName(memory, workspaceId))
    if (key.startsWith(start))
      for (const state of withDisplayNames(memory, ids, stateOf)) found.push(state);
  return found.sort(newestFirst);
}

/** Returns the number of items in a workspace, even if that is not here. */
export function itemCount({ names, records, pins }: Memory, workspaceId: string): number {
  const keys = [names, records, pins].flatMap((index) => mapGet(index, workspaceId) ?? []);
  const ids = keys.flatMap((each) => [...mapEntries(each)].flatMap(([, some]) => some));
  return ids.length;
}

/** Yields the states of `allStates` unordered, so that the caller can pause between them. */
export function eachState(memory: Memory, workspaceId: string): Generator<Named<State>> {
  return eachNamed(memory, workspaceId, stateOf);
}

type HasEntity = Pick<StateHead, 'entity'>;

/** Compares states for the order of `allStates`. */
export function newestFirst(a: HasEntity, b: HasEntity): number {
  return compareStamps(creationOf(b.entity), creationOf(a.entity));
}

export function lookupWorkspace(memory: Memory, name: string): LookupResult<Named<Workspace>> {
  return lookupIn(memory, VAULT_SCOPE, name, workspaceOf);
}

/** Looks up a workspace by id or name. Names match as in `lookupWorkspace`. */
export function lookupWorkspaceByRef(memory: Memory, ref: string): LookupResult<Named<Workspace>> {
  const ids = idsOfName(memory, VAULT_SCOPE, nameKey(entityName(entityOf(memory, ref))));
  const item = withDisplayNames(memory, ids, workspaceOf).find(({ entity }) => entity.id === ref);
  return item ? { item } : lookupWorkspace(memory, ref);
}

export function lookupState(
  memory: Memory,
  workspaceId: string,
  name: string,
): LookupResult<Named<State>> {
  return lookupIn(memory, workspaceId, name, stateOf);
}

/** Returns the states with this name, each displayed with a mark if there are several. */
export function statesNamed(memory: Memory, workspaceId: string, name: string): Named<State>[] {
  return matchesIn(memory, workspaceId, name, stateOf);
}

/** Yields the names of the states of a workspace, without parsing the states. */
export function* stateNames(memory: Memory, workspaceId: string): Generator<string> {
  for (const [, ids] of idsByName(memory, workspaceId))
    for (const id of ids) yield visibleText(entityName(entityOf(memory, id)));
}

/** Returns the workspace with this id, else the built-in one. */
export function workspaceById(memory: Memory, id: string): Workspace {
  const workspace =
    workspaceOf(entityOf(memory, id), pathMoves(memory)) ??
    workspaceOf(entityOf(memory, DEFAULT_WORKSPACE));
  if (!workspace) throw new Error('The memory has lost its built-in workspace');
  return workspace;
}

/** Returns the active workspace with the deepest folder around a note, if it is only one. */
export function workspaceOfNote(memory: Memory, path: string | undefined): Workspace | undefined {
  if (path === undefined) return undefined;
  const around = allWorkspaces(memory).flatMap(({ item }) => {
    const folder = normalizeVaultPath(item.rootFolder);
    const contains = !item.isArchived && folder !== '' && isWithin(path, folder);
    return contains ? [{ item, depth: folder.length }] : [];
  });
  const [deepest, next] = around.sort((a, b) => b.depth - a.depth);
  return deepest?.depth === next?.depth ? undefined : deepest?.item;
}

/** Returns true if something in the scope, archived or not, has this name. */
export function isNameTaken(memory: Memory, scope: string, name: string): boolean {
  return idsOfName(memory, scope, nameKey(name)).length > 0;
}

interface HasName {
  readonly name: string;
  readonly createdAt: string;
}

type View<T> = (entity: Entity, moves?: PathMoves) => T | undefined;

function listNamed<T extends HasName>(memory: Memory, scope: string, view: View<T>): Named<T>[] {
  return [...eachNamed(memory, scope, view)];
}

function* eachNamed<T extends HasName>(
  memory: Memory,
  scope: string,
  view: View<T>,
): Generator<Named<T>> {
  for (const [, ids] of idsByName(memory, scope)) yield* withDisplayNames(memory, ids, view);
}

/** Returns the items with these ids, earliest first. Of a shared name, the others get a mark. */
function withDisplayNames<T extends HasName>(
  memory: Memory,
  ids: readonly string[],
  view: View<T>,
): Named<T>[] {
  return distinctEntities(memory, ids).flatMap(
    (entity, index) => namedAt(memory, entity, index, view) ?? [],
  );
}

function distinctEntities(memory: Memory, ids: readonly string[]): Entity[] {
  const entities = ids.map((id) => entityOf(memory, id)).filter(({ created }) => created);
  if (entities.length > 1) entities.sort((a, b) => compareStamps(creationOf(a), creationOf(b)));
  return mergeTwins(entities);
}

/** Returns an item with its display name; `index` is its position among items of its name. */
function namedAt<T extends HasName>(
  memory: Memory,
  entity: Entity,
  index: number,
  view: View<T>,
): Named<T> | undefined {
  const item = view(entity, pathMoves(memory));
  if (!item) return undefined;
  return { item, entity, displayName: displayNameAt(entity, index, item.name) };
}

function displayNameAt(entity: Entity, index: number, name: string): string {
  const visible = visibleText(name);
  return index === 0 ? visible : nameWithMark(visible, entity.id);
}

/** Merges states of the same name and content into the earliest, with the newest registers. */
function mergeTwins(entities: Entity[]): Entity[] {
  if (entities.length < 2) return entities; // reading the hash would parse the whole state
  const merged: Entity[] = [];
  for (const entity of entities) {
    const sha = entity.created?.d['sha'];
    const at =
      sha === undefined ? -1 : merged.findIndex((other) => other.created?.d['sha'] === sha);
    const twin = merged[at];
    if (twin) merged[at] = { ...twin, registers: mergeRegisters(twin.registers, entity.registers) };
    else merged.push(entity);
  }
  return merged;
}

/** Returns the stamp of an entity's creation; the earliest one if it is unknown. */
export function creationOf(entity: Entity): Stamp {
  return entity.created ?? { h: '', w: '', n: 0, c: '' };
}

function lookupIn<T extends HasName>(
  memory: Memory,
  scope: string,
  name: string,
  view: View<T>,
): LookupResult<Named<T>> {
  const matches = matchesIn(memory, scope, name, view);
  if (matches[0] && matches.length === 1) return { item: matches[0] };
  if (matches.length > 1) {
    return {
      several: matches.map(({ item, displayName }) => ({
        name: displayName,
        createdAt: item.createdAt,
      })),
    };
  }
  return {
    hint: didYouMean(
      name,
      listNamed(memory, scope, view).map(({ displayName }) => displayName),
    ),
  };
}

/** Returns the items with this name or display name, each with a mark if there are several. */
function matchesIn<T extends HasName>(
  memory: Memory,
  scope: string,
  name: string,
  view: View<T>,
): Named<T>[] {
  const matches = withDisplayNames(memory, idsOfShownName(memory, scope, name), view);
  if (matches.length > 1)
    return matches.map((match) => ({
      ...match,
      displayName: nameWithMark(visibleText(match.item.name), match.entity.id),
    }));
  if (matches.length === 1) return matches;
  const { name: bare, mark } = splitMark(name);
  const marked = withDisplayNames(memory, idsOfShownName(memory, scope, bare), view).filter(
    ({ entity }) => mark !== undefined && entity.id.startsWith(mark.toLowerCase()),
  );
  return marked.length === 1 ? marked : [];
}

/** Returns the ids of the items with this name or, if there are none, with this display name. */
function idsOfShownName(memory: Memory, scope: string, name: string): readonly string[] {
  const ids = idsOfName(memory, scope, nameKey(name));
  return ids.length > 0 ? ids : idsOfName(memory, scope, nameKey(revealedText(name)));
}

/** Returns the states of a workspace whose names have this key (`nameKey`), earliest first. */
export function statesByKey(memory: Memory, workspaceId: string, key: string): Named<State>[] {
  return withDisplayNames(memory, idsOfName(memory, workspaceId, key), stateOf);
}

/** Returns the ids of the items of a scope whose names have this key (`nameKey`). */
export function idsOfName(memory: Memory, scope: string, key: string): readonly string[] {
  const names = mapGet(memory.names, scope);
  return (names && mapGet(names, key)) ?? [];
}

function idsByName(memory: Memory, scope: string): Iterable<readonly [string, readonly string[]]> {
  const names = mapGet(memory.names, scope);
  return names ? mapEntries(names) : [];
}
