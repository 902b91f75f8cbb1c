import {
  CALL_KEY,
  compareStamps,
  DEPTH_LIMIT,
  isJsonObject,
  isWithinDepth,
  type Json,
  type JsonObject,
  type LogEvent,
  type Stamp,
} from './event.js';
import { nameKey } from './names.js';
import {
  emptyMap,
  mapEntries,
  mapGet,
  mapSet,
  mapUpdate,
  type Owner,
  type PersistentMap,
} from './persistent-map.js';

/** The newest value that was set at one path of an entity, and the event that set it. */
export interface Register {
  readonly value: Json;
  readonly at: Stamp;
}

/** An immutable creation, and last-writer-wins registers by path over it. Either may arrive first. */
export interface Entity {
  readonly id: string;
  readonly created: LogEvent | undefined;
  readonly registers: PersistentMap<Register>;
}

/** What the core lane of the log says, as a value. Change it by `apply` and `fold` alone. */
export interface Memory {
  readonly entities: PersistentMap<Entity>;
  /** By scope (`''` for workspaces, a workspace's id for its states), then by name key: the ids that bear the name. */
  readonly names: PersistentMap<PersistentMap<readonly string[]>>;
  /** Idempotency keys that have taken effect, with the entity that each touched (of several, the least id). */
  readonly calls: PersistentMap<string>;
  /** The first `log.vault` event: which vault this memory belongs to. */
  readonly vault: LogEvent | undefined;
}

export const DEFAULT_WORKSPACE = 'default';

/** The scope of workspace names, beside the workspaces' ids as scopes of state names. */
export const VAULT_SCOPE = '';

/** The log's beginning: nothing but the built-in workspace. */
export const emptyMemory: Memory = apply(
  { entities: emptyMap(), names: emptyMap(), calls: emptyMap(), vault: undefined },
  {
    v: 1,
    w: '',
    n: 0,
    p: '',
    c: '',
    h: '2020-01-01T00:00:00.000Z.0000',
    t: 'ws.new',
    e: DEFAULT_WORKSPACE,
    d: {
      name: 'Default',
      description: 'For everything that has no workspace of its own',
      rootFolder: '/',
      purpose: 'Keep what belongs to the whole vault',
    },
  },
);

/** The memory after one more event. Changes neither argument; the order in which events come makes no difference. */
export function apply(memory: Memory, event: LogEvent): Memory {
  return step(memory, event);
}

/**
 * The memory after many more events: the same as `apply` for each, without a copy for each. Whoever folds in several steps gives
 * each the same `owner`, and lets nobody see the memory before the last: until then the steps change one copy.
 */
export function fold(memory: Memory, events: Iterable<LogEvent>, owner: Owner = {}): Memory {
  let after = memory;
  for (const event of events) after = step(after, event, owner);
  return after;
}

export function entityOf(memory: Memory, id: string): Entity {
  return mapGet(memory.entities, id) ?? newEntity(id);
}

function newEntity(id: string): Entity {
  return { id, created: undefined, registers: emptyMap() };
}

/** The value set at `path`, undefined where none was. */
export function registerOf(entity: Entity, path: string): Json | undefined {
  return mapGet(entity.registers, path)?.value;
}

/** The text at a field: what was set last, else what it was created with; empty where there is none. */
export function textOf(entity: Entity, field: string): string {
  const value = registerOf(entity, `/${field}`) ?? entity.created?.d[field];
  return typeof value === 'string' ? value : '';
}

/** The entity that a write with this idempotency key has touched; undefined when none has taken effect. */
export function effectOf(memory: Memory, key: string | undefined): string | undefined {
  return key === undefined ? undefined : mapGet(memory.calls, key);
}

function step(memory: Memory, event: LogEvent, owner?: Owner): Memory {
  if (event.v !== 1) return memory;
  if (event.t === 'log.vault')
    return isEarlier(event, memory.vault) ? { ...memory, vault: event } : memory;
  if (!isFoldable(event)) return memory;
  const places: { old?: Place | undefined; now?: Place | undefined } = {};
  const entities = mapUpdate(
    memory.entities,
    event.e,
    (held = newEntity(event.e)) => {
      places.old = placeOf(held); // before: an owner changes registers in place, and a name with them
      const after = entityAfter(held, event, owner);
      places.now = placeOf(after);
      return after;
    },
    owner,
  );
  return {
    entities,
    names: namesAfter(memory.names, event.e, places.old, places.now, owner),
    calls: callsAfter(memory.calls, event, owner),
    vault: memory.vault,
  };
}

/** Whether the event is of a kind and a shape that this fold knows; any other stays in the log and has no effect. */
function isFoldable(event: LogEvent): boolean {
  if (event.head) return true;
  const { t, d } = event;
  if (!isWithinDepth(d)) return false;
  if (t === 'set') return Object.keys(d).every((path) => path.split('/').length <= DEPTH_LIMIT);
  if (t === 'conv.new') return [d['ws'], d['title']].every(isText);
  return (t === 'ws.new' && isWorkspaceData(d)) || (t === 'state.new' && isStateData(d));
}

function entityAfter(entity: Entity, event: LogEvent, owner?: Owner): Entity {
  if (event.t === 'set')
    return { ...entity, registers: registersAfter(entity.registers, event, owner) };
  return isEarlier(event, entity.created)
    ? { id: entity.id, created: event, registers: entity.registers }
    : entity;
}

function callsAfter(
  calls: PersistentMap<string>,
  event: LogEvent,
  owner?: Owner,
): PersistentMap<string> {
  const call = event.head ? undefined : event.d[CALL_KEY];
  if (typeof call !== 'string') return calls;
  const held = mapGet(calls, call);
  return held !== undefined && held <= event.e ? calls : mapSet(calls, call, event.e, owner);
}

function registersAfter(
  registers: PersistentMap<Register>,
  event: LogEvent,
  owner?: Owner,
): PersistentMap<Register> {
  let after = registers;
  for (const [path, value] of Object.entries(event.d)) {
    if (path === CALL_KEY) continue;
    const held = mapGet(after, path);
    if (!held || compareStamps(held.at, event) < 0)
      after = mapSet(after, path, { value, at: event }, owner);
  }
  return after;
}

/** At each path the newer of two registers. */
export function mergeRegisters(
  a: PersistentMap<Register>,
  b: PersistentMap<Register>,
): PersistentMap<Register> {
  let merged = a;
  for (const [path, register] of mapEntries(b)) {
    const held = mapGet(merged, path);
    if (!held || compareStamps(held.at, register.at) < 0) merged = mapSet(merged, path, register);
  }
  return merged;
}

function isEarlier(event: LogEvent, held: LogEvent | undefined): boolean {
  return !held || compareStamps(event, held) < 0;
}

type Names = Memory['names'];

function namesAfter(
  names: Names,
  id: string,
  old: Place | undefined,
  now: Place | undefined,
  owner?: Owner,
): Names {
  if (old?.scope === now?.scope && old?.key === now?.key) return names;
  const left = old
    ? placeIds(names, old, (ids) => ids.filter((other) => other !== id), owner)
    : names;
  return now
    ? placeIds(left, now, (ids) => (ids.length > 0 ? [...ids, id].sort() : [id]), owner)
    : left;
}

interface Place {
  scope: string;
  key: string;
}

function placeIds(
  names: Names,
  place: Place,
  change: (ids: readonly string[]) => readonly string[],
  owner?: Owner,
): Names {
  return mapUpdate(
    names,
    place.scope,
    (scope = emptyMap()) => mapUpdate(scope, place.key, (ids = []) => change(ids), owner),
    owner,
  );
}

function placeOf(entity: Entity): Place | undefined {
  if (!entity.created || entity.created.t === 'conv.new') return undefined;
  const { t, head } = entity.created;
  const ws = head ? head.ws : entity.created.d['ws'];
  return {
    scope: t === 'state.new' && typeof ws === 'string' ? ws : VAULT_SCOPE,
    key: nameKey(entityName(entity)),
  };
}

/** The name as it was typed: a workspace may have been renamed, a state never changes. */
export function entityName(entity: Entity): string {
  const { created } = entity;
  if (created?.head) return created.head.name;
  const renamed = created?.t === 'ws.new' ? registerOf(entity, '/name') : undefined;
  const name = typeof renamed === 'string' ? renamed : created?.d['name'];
  return typeof name === 'string' ? name : '';
}

function isWorkspaceData(d: JsonObject): boolean {
  return (
    [d['name'], d['description'], d['rootFolder'], d['purpose']].every(isText) &&
    isAbsentOr(areTexts, d['workflows']) &&
    isAbsentOr(areTexts, d['keyFiles']) &&
    isAbsentOr(isJsonObject, d['preferences'])
  );
}

/** Whether the data of a `state.new` event have the shape of `StateContent` with its workspace and hash. */
export function isStateData(d: JsonObject): boolean {
  return (
    [d['ws'], d['name'], d['conversationContext'], d['activeTask'], d['sha']].every(isText) &&
    areTexts(d['activeFiles']) &&
    areTexts(d['nextSteps']) &&
    isAbsentOr(isText, d['description']) &&
    isAbsentOr(areTexts, d['tags'])
  );
}

function isText(value: Json | undefined): boolean {
  return typeof value === 'string';
}

function areTexts(value: Json | undefined): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isAbsentOr(check: (value: Json | undefined) => boolean, value: Json | undefined): boolean {
  return value === undefined || check(value);
}
