import { compareStamps, compareText, type Stamp } from './event.js';
import {
  DEFAULT_WORKSPACE,
  entityName,
  entityOf,
  mergeRegisters,
  VAULT_SCOPE,
  type Entity,
  type Memory,
} from './memory.js';
import { didYouMean, nameKey, nameWithMark, splitMark } from './names.js';
import { changedKeys, mapEntries, mapGet } from './persistent-map.js';
import { stateOf, type State } from './state.js';
import { workspaceOf, type Workspace } from './workspace.js';

/** What a name led to: one thing, none (`hint` names the close ones), or several that share it. */
export type Found<T> =
  { item: T } | { hint: string } | { several: { name: string; createdAt: string }[] };

/** A thing and the name that it is shown under: marked where an earlier one bears the same name. */
export interface Shown<T> {
  readonly item: T;
  readonly entity: Entity;
  readonly shownName: string;
}

/** All workspaces, archived ones too, by name. */
export function allWorkspaces(memory: Memory): Shown<Workspace>[] {
  return shownIn(memory, VAULT_SCOPE, workspaceOf).sort((a, b) =>
    compareText(nameKey(a.shownName), nameKey(b.shownName)),
  );
}

/** All states of a workspace, archived ones too, newest first. */
export function allStates(memory: Memory, workspaceId: string): Shown<State>[] {
  return shownIn(memory, workspaceId, stateOf).sort(newestFirst);
}

/** As `allStates`, one by one and in no order: for those who must not be busy with all of them at once. */
export function eachState(memory: Memory, workspaceId: string): Generator<Shown<State>> {
  return eachShown(memory, workspaceId, stateOf);
}

/**
 * The states of a workspace that are not shown in `after` as they were in `before`, by their ids; undefined where there is none to
 * show any more. It takes as long as there are changes, however many states there are.
 */
export function changedStates(
  before: Memory,
  after: Memory,
  workspaceId: string,
): Map<string, Shown<State> | undefined> {
  const changed = new Map<string, Shown<State> | undefined>();
  const groups = new Set<string>();
  for (const id of changedKeys(before.entities, after.entities)) {
    for (const memory of [before, after]) {
      const entity = entityOf(memory, id);
      if (entity.created?.t === 'state.new') groups.add(nameKey(entityName(entity)));
    }
  }
  for (const key of groups)
    for (const memory of [before, after])
      for (const id of idsNamed(memory, workspaceId, key)) changed.set(id, undefined);
  for (const key of groups) {
    for (const shown of shownOf(after, idsNamed(after, workspaceId, key), stateOf))
      changed.set(shown.entity.id, shown);
  }
  return changed;
}

/** The order of `allStates`. */
export function newestFirst(a: Shown<State>, b: Shown<State>): number {
  return compareStamps(creationOf(b.entity), creationOf(a.entity));
}

export function findWorkspace(memory: Memory, name: string): Found<Shown<Workspace>> {
  return findIn(memory, VAULT_SCOPE, name, workspaceOf);
}

/** As `findWorkspace`, but an id leads to its workspace too. */
export function findWorkspaceByRef(memory: Memory, ref: string): Found<Shown<Workspace>> {
  const named = idsNamed(memory, VAULT_SCOPE, nameKey(entityName(entityOf(memory, ref))));
  const item = shownOf(memory, named, workspaceOf).find(({ entity }) => entity.id === ref);
  return item ? { item } : findWorkspace(memory, ref);
}

export function findState(memory: Memory, workspaceId: string, name: string): Found<Shown<State>> {
  return findIn(memory, workspaceId, name, stateOf);
}

/** The workspace with this id; the built-in one where there is none. */
export function workspaceById(memory: Memory, id: string): Workspace {
  const workspace =
    workspaceOf(entityOf(memory, id)) ?? workspaceOf(entityOf(memory, DEFAULT_WORKSPACE));
  if (!workspace) throw new Error('The memory has lost its built-in workspace');
  return workspace;
}

/** Whether anything in the scope, archived or not, bears the name. */
export function isNameTaken(memory: Memory, scope: string, name: string): boolean {
  return idsNamed(memory, scope, nameKey(name)).length > 0;
}

interface Named {
  readonly name: string;
  readonly createdAt: string;
}

type View<T> = (entity: Entity) => T | undefined;

function shownIn<T extends Named>(memory: Memory, scope: string, view: View<T>): Shown<T>[] {
  return [...eachShown(memory, scope, view)];
}

function* eachShown<T extends Named>(
  memory: Memory,
  scope: string,
  view: View<T>,
): Generator<Shown<T>> {
  const names = mapGet(memory.names, scope);
  if (!names) return;
  for (const [, ids] of mapEntries(names)) yield* shownOf(memory, ids, view);
}

/** The things behind ids that share a name, earliest first; all but the first are marked. */
function shownOf<T extends Named>(
  memory: Memory,
  ids: readonly string[],
  view: View<T>,
): Shown<T>[] {
  const entities = ids.map((id) => entityOf(memory, id)).filter(({ created }) => created);
  if (entities.length > 1) entities.sort((a, b) => compareStamps(creationOf(a), creationOf(b)));
  return withoutTwins(entities).flatMap((entity, index) => {
    const item = view(entity);
    return item
      ? [{ item, entity, shownName: index === 0 ? item.name : nameWithMark(item.name, entity.id) }]
      : [];
  });
}

/** Two states of one name and one content are one state: the earlier, archived or not as was said last of either. */
function withoutTwins(entities: Entity[]): Entity[] {
  const kept: Entity[] = [];
  for (const entity of entities) {
    const sha = entity.created?.d['sha'];
    const at = sha === undefined ? -1 : kept.findIndex((other) => other.created?.d['sha'] === sha);
    const twin = kept[at];
    if (twin) kept[at] = { ...twin, registers: mergeRegisters(twin.registers, entity.registers) };
    else kept.push(entity);
  }
  return kept;
}

function creationOf(entity: Entity): Stamp {
  return entity.created ?? { h: '', w: '', n: 0, c: '' };
}

function findIn<T extends Named>(
  memory: Memory,
  scope: string,
  name: string,
  view: View<T>,
): Found<Shown<T>> {
  const named = shownOf(memory, idsNamed(memory, scope, nameKey(name)), view);
  if (named[0] && named.length === 1) return { item: named[0] };
  if (named.length > 1)
    return {
      several: named.map(({ item, entity }) => ({
        name: nameWithMark(item.name, entity.id),
        createdAt: item.createdAt,
      })),
    };
  const { name: bare, mark } = splitMark(name);
  const isMarked = ({ entity }: Shown<T>) =>
    mark !== undefined && entity.id.startsWith(mark.toLowerCase());
  const marked = shownOf(memory, idsNamed(memory, scope, nameKey(bare)), view).filter(isMarked);
  if (marked[0] && marked.length === 1) return { item: marked[0] };
  return {
    hint: didYouMean(
      name,
      shownIn(memory, scope, view).map(({ shownName }) => shownName),
    ),
  };
}

function idsNamed(memory: Memory, scope: string, key: string): readonly string[] {
  const names = mapGet(memory.names, scope);
  return (names && mapGet(names, key)) ?? [];
}
