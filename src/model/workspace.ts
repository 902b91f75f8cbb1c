import {
  compareStamps,
  compareText,
  isJsonObject,
  isWithinDepth,
  stampTime,
  type Json,
  type JsonObject,
  type LogEvent,
  type Stamp,
} from './event.js';
import { entityName, registerOf, textOf, timeOf, type Entity } from './memory.js';
import type { PathMoves } from './moves/path-moves.js';
import type { Register } from './register.js';
import { mapEntries } from './persistent-map.js';
import { Refusal } from './refusal.js';
import { visibleText } from './text/visible-text.js';

/** A project: its folder, its purpose, and the states saved in it. */
export interface Workspace {
  readonly id: string;
  /** Name with invisible characters as markers; see `visibleText`. */
  readonly name: string;
  readonly description: string;
  /** Vault path, or `/` for the whole vault. */
  readonly rootFolder: string;
  readonly purpose: string;
  readonly workflows: readonly string[];
  readonly keyFiles: readonly string[];
  readonly preferences: JsonObject;
  readonly isArchived: boolean;
  readonly createdAt: string;
}

export interface WorkspaceFields extends Pick<
  Workspace,
  'name' | 'description' | 'rootFolder' | 'purpose'
> {
  readonly workflows?: readonly string[] | undefined;
  readonly keyFiles?: readonly string[] | undefined;
  readonly preferences?: JsonObject | undefined;
  readonly isArchived?: boolean | undefined;
}

/** Returns an entity as a workspace, if it is one. Without `moves`, its paths are those as set. */
export function workspaceOf(entity: Entity, moves?: PathMoves): Workspace | undefined {
  const { created } = entity;
  if (created?.t !== 'ws.new') return undefined;
  const place = (path: string, register: string) =>
    moves?.isEmpty === false ? moves.resolve(path, timeOf(entity, register)) : path;
  return {
    id: entity.id,
    name: visibleText(entityName(entity)),
    description: textOf(entity, 'description'),
    rootFolder: place(textOf(entity, 'rootFolder'), '/rootFolder'),
    purpose: textOf(entity, 'purpose'),
    workflows: rankedList(ranksOf(entity, 'workflows')),
    keyFiles: [
      ...new Set(
        rankedList(ranksOf(entity, 'keyFiles')).map((path) =>
          place(path, pointer('keyFiles', path)),
        ),
      ),
    ],
    preferences: preferencesOf(entity),
    isArchived: registerOf(entity, '/isArchived') === true,
    createdAt: creationTime(created),
  };
}

/** A workspace is created again when its earlier texts are forgotten; `at` is the first time. */
function creationTime(created: LogEvent): string {
  const at = created.d['at'];
  return typeof at === 'string' && at === isoTime(at) ? at : stampTime(created);
}

function isoTime(text: string): string {
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? '' : new Date(ms).toISOString();
}

/** Throws a `Refusal` if preferences are nested too deeply. */
export function workspaceData(fields: WorkspaceFields): JsonObject {
  const { workflows, keyFiles, preferences, name, description, rootFolder, purpose } = fields;
  if (preferences) checkDepth(preferences);
  return {
    name,
    description,
    rootFolder,
    purpose,
    ...(workflows && { workflows: [...new Set(workflows)] }),
    ...(keyFiles && { keyFiles: [...new Set(keyFiles)] }),
    ...(preferences && { preferences }),
  };
}

/**
 * Returns the registers to set to get these `fields`. Each list element and each preference is a
 * register, so that concurrent edits are both kept. Throws a `Refusal` as `workspaceData` does.
 */
export function workspaceChanges(
  entity: Entity,
  fields: { [F in keyof WorkspaceFields]?: WorkspaceFields[F] | undefined },
  moves?: PathMoves,
): JsonObject {
  const now = workspaceOf(entity, moves);
  const { workflows, keyFiles, preferences, ...plain } = fields;
  const changes: JsonObject = {};
  for (const [field, value] of Object.entries(plain)) {
    if (value !== undefined && now?.[field as keyof typeof plain] !== value)
      changes[`/${field}`] = value;
  }
  if (workflows) addListChanges(changes, entity, 'workflows', workflows);
  if (keyFiles) addListChanges(changes, entity, 'keyFiles', keyFiles);
  if (preferences) addPreferenceChanges(changes, entity, preferences);
  return changes;
}

const MAX_PREFERENCE_DEPTH = 32;

function checkDepth(preferences: JsonObject): void {
  if (!isWithinDepth(preferences, MAX_PREFERENCE_DEPTH))
    throw new Refusal(
      `The preferences are nested more than ${MAX_PREFERENCE_DEPTH} levels deep. Use fewer levels.`,
    );
}

type ListField = 'workflows' | 'keyFiles';

/** Returns the rank of each element, by which the list is sorted; null for a removed element. */
function ranksOf(entity: Entity, field: ListField): Map<string, number | null> {
  const ranks = new Map<string, number | null>();
  const initial = entity.created?.d[field];
  if (Array.isArray(initial)) {
    initial
      .filter((element) => typeof element === 'string')
      .forEach((element, index) => ranks.set(element, index + 1));
  }
  for (const [path, { value }] of registersUnder(entity, field)) {
    const element = path[0];
    if (element !== undefined && path.length === 1)
      ranks.set(element, typeof value === 'number' ? value : null);
  }
  return ranks;
}

function rankedList(ranks: Map<string, number | null>): string[] {
  const listed = [...ranks].filter((entry): entry is [string, number] => entry[1] !== null);
  return listed
    .sort(([a, rankA], [b, rankB]) => rankA - rankB || compareText(a, b))
    .map(([element]) => element);
}

function addListChanges(
  changes: JsonObject,
  entity: Entity,
  field: ListField,
  wanted: readonly string[],
): void {
  const ranks = ranksOf(entity, field);
  const list = [...new Set(wanted)];
  const newRanks = assignRanks(list, ranks);
  for (const [element, rank] of ranks) {
    if (rank !== null && !newRanks.has(element)) changes[pointer(field, element)] = null;
  }
  for (const [element, rank] of newRanks) {
    if (ranks.get(element) !== rank) changes[pointer(field, element)] = rank;
  }
}

/** Keeps current ranks where possible; renumbers all if no number is left between two of them. */
function assignRanks(
  list: readonly string[],
  current: Map<string, number | null>,
): Map<string, number> {
  const result = new Map<string, number>();
  let last = 0;
  for (const [index, element] of list.entries()) {
    const own = current.get(element);
    const next = list
      .slice(index + 1)
      .map((other) => current.get(other))
      .find((rank) => typeof rank === 'number' && rank > last);
    let rank = Math.floor(last) + 1;
    if (typeof own === 'number' && own > last) rank = own;
    else if (typeof next === 'number') rank = (last + next) / 2;
    if (rank <= last || rank === next) return new Map(list.map((each, at) => [each, at + 1]));
    result.set(element, rank);
    last = rank;
  }
  return result;
}

function preferencesOf(entity: Entity): JsonObject {
  const { created } = entity;
  const writes: { path: string[]; value: Json; at: Stamp }[] = [];
  const initial = created?.d['preferences'];
  if (created && isJsonObject(initial))
    for (const [path, value] of leaves(initial)) writes.push({ path, value, at: created });
  for (const [path, { value, at }] of registersUnder(entity, 'preferences'))
    writes.push({ path, value, at });
  // Within one event, removals come before sets.
  const orderKey = ({ path, value }: (typeof writes)[number]) =>
    `${value === null ? 0 : 1}\n${path.join('\n')}`;
  writes.sort((a, b) => compareStamps(a.at, b.at) || compareText(orderKey(a), orderKey(b)));
  const root = bareObject();
  for (const { path, value } of writes) {
    if (value === null) removeAt(root, path);
    else setAt(root, path, value);
  }
  return root;
}

function addPreferenceChanges(changes: JsonObject, entity: Entity, wanted: JsonObject): void {
  checkDepth(wanted);
  const registers = (object: JsonObject) =>
    new Map(leaves(object).map(([path, value]) => [pointer('preferences', ...path), value]));
  const now = registers(preferencesOf(entity));
  const next = registers(withoutNulls(wanted));
  for (const path of now.keys()) if (!next.has(path)) changes[path] = null;
  for (const [path, value] of next)
    if (JSON.stringify(now.get(path)) !== JSON.stringify(value)) changes[path] = value;
}

/** Returns the leaves of a nested object with their key paths. An empty object is a leaf. */
function leaves(object: JsonObject, above: string[] = []): [string[], Json][] {
  return Object.entries(object).flatMap(([key, value]): [string[], Json][] =>
    isJsonObject(value) && Object.keys(value).length > 0
      ? leaves(value, [...above, key])
      : [[[...above, key], value]],
  );
}

/** Removes null values, which stand for absent preferences, and the objects that this empties. */
function withoutNulls(object: JsonObject): JsonObject {
  const root = bareObject();
  for (const [path, value] of leaves(object)) if (value !== null) setAt(root, path, value);
  return root;
}

/** Sets the value at `path`, replacing values on the way that are not objects. */
function setAt(root: JsonObject, path: readonly string[], value: Json): void {
  let node = root;
  for (const key of path.slice(0, -1)) {
    const inner = node[key];
    if (isJsonObject(inner)) node = inner;
    else {
      const created = bareObject();
      node[key] = created;
      node = created;
    }
  }
  const last = path.at(-1);
  if (last !== undefined) node[last] = isJsonObject(value) ? bareObject() : value;
}

/** Removes the value at `path`, and the objects on the way that this empties. */
function removeAt(node: JsonObject, path: readonly string[]): void {
  const [key, ...rest] = path;
  if (key === undefined) return;
  const inner = node[key];
  if (rest.length === 0) delete node[key];
  else if (isJsonObject(inner)) {
    removeAt(inner, rest);
    if (Object.keys(inner).length === 0) delete node[key];
  }
}

/** Has no prototype, so that no stored key can reach the program's own objects. */
function bareObject(): JsonObject {
  return Object.create(null) as JsonObject;
}

function* registersUnder(entity: Entity, field: string): Generator<[string[], Register]> {
  const prefix = `/${field}/`;
  for (const [path, register] of mapEntries(entity.registers)) {
    if (path.startsWith(prefix))
      yield [path.slice(prefix.length).split('/').map(unescapePointer), register];
  }
}

/** Returns a JSON pointer (RFC 6901) to `keys`. */
function pointer(...keys: string[]): string {
  return keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Returns a part of a JSON pointer as it is in an object. */
export function unescapePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}
