import {
  CALL_KEY,
  compareEvents,
  MAX_JSON_DEPTH,
  isWithinDepth,
  REPLACES_KEY,
  type Draft,
  type Json,
  type LogEvent,
} from './event.js';
import { continuedId, isCreationData } from './creation-data.js';
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
import {
  hasVersion,
  mergeRegister,
  replaceableKeys,
  withVersion,
  type Register,
} from './register.js';
import { moveInIndex, type EntityIndex, type EntityPosition } from './sorted/entity-index.js';
import { textsIn } from './text/json-fields.js';

/** An immutable creation, overlaid with registers by path. Either may arrive first. */
export interface Entity {
  readonly id: string;
  readonly created: LogEvent | undefined;
  readonly registers: PersistentMap<Register>;
  /** True if several lines create it, which no healthy device writes. The earliest takes effect. */
  readonly hasTwin?: true;
}

/** The folded events of one lane of the log, as an immutable value. */
export interface Memory {
  readonly entities: PersistentMap<Entity>;
  /** Ids by scope (`''` for workspaces, a workspace's id for its states), then by name key. */
  readonly names: EntityIndex;
  /** Ids of records by workspace id, then by the key (`nameKey`) of the title. */
  readonly records: EntityIndex;
  /** Ids of pinned traces by workspace id, all under the empty key. */
  readonly pins: EntityIndex;
  /** Ids of `path.moved` events, all under the empty key; see `pathMoves`. */
  readonly moves: EntityIndex;
  /** Ids of states by workspace id, then by the id of the state that they continue. */
  readonly followers: EntityIndex;
  /** Affected entity by idempotency key; if there are several, the one with the smallest id. */
  readonly calls: PersistentMap<string>;
  /** The earliest `log.vault` event, which identifies the vault. */
  readonly vault: LogEvent | undefined;
}

export const DEFAULT_WORKSPACE = 'default';

/** Scope of workspace names. The scopes of state names are the workspaces' ids. */
export const VAULT_SCOPE = '';

/** Memory of an empty log: only the built-in workspace. */
export const emptyMemory: Memory = apply(
  {
    entities: emptyMap(),
    names: emptyMap(),
    records: emptyMap(),
    pins: emptyMap(),
    moves: emptyMap(),
    followers: emptyMap(),
    calls: emptyMap(),
    vault: undefined,
  },
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

/** Returns the memory with one more event, in whichever order events arrive. */
export function apply(memory: Memory, event: LogEvent): Memory {
  return step(memory, event);
}

/**
 * Applies many events with a single copy of the memory. Several steps with the same `owner` change
 * that copy in place; publish the memory only after the last one.
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

export function registerOf(entity: Entity, path: string): Json | undefined {
  return mapGet(entity.registers, path)?.value;
}

/** Returns the text set last or given at creation; empty if that is not text. */
export function textOf(entity: Entity, field: string): string {
  const value = registerOf(entity, `/${field}`) ?? entity.created?.d[field];
  return typeof value === 'string' ? value : '';
}

/** Returns the time (`h`) at which a path was set, else that of the creation. */
export function timeOf({ registers, created }: Entity, path: string): string {
  return (mapGet(registers, path)?.at ?? created)?.h ?? '';
}

/** Returns the entity that a write with this key affected; undefined if none took effect. */
export function effectOf(memory: Memory, key: string | undefined): string | undefined {
  return key === undefined ? undefined : mapGet(memory.calls, key);
}

function step(memory: Memory, event: LogEvent, owner?: Owner): Memory {
  if (event.v !== 1) return memory;
  if (event.t === 'log.vault')
    return isVaultId(event.d['id']) && isEarlier(event, memory.vault)
      ? { ...memory, vault: event }
      : memory;
  if (!isFoldable(event)) return memory;
  let before: NameEntry | undefined;
  let after: NameEntry | undefined;
  let followed: readonly [EntityPosition | undefined, EntityPosition | undefined] | undefined;
  const entities = mapUpdate(
    memory.entities,
    event.e,
    (current = newEntity(event.e)) => {
      // read first, because with an owner the registers change in place
      before = nameEntryOf(current);
      const changed = entityAfter(current, event, owner);
      after = nameEntryOf(changed);
      if (event.t === 'state.new') followed = [followerEntryOf(current), followerEntryOf(changed)];
      return changed;
    },
    owner,
  );
  const indexed = (index: NameEntry['index']) => {
    const old = before?.index === index ? before : undefined;
    const now = after?.index === index ? after : undefined;
    return moveInIndex(memory[index], event.e, old, now, owner);
  };
  return {
    entities,
    names: indexed('names'),
    records: indexed('records'),
    pins: indexed('pins'),
    moves: indexed('moves'),
    followers: followed
      ? moveInIndex(memory.followers, event.e, ...followed, owner)
      : memory.followers,
    calls: callsAfter(memory.calls, event, owner),
    vault: memory.vault,
  };
}

/** Returns true if this fold knows the event's type and shape. Any other has no effect. */
function isFoldable(event: LogEvent): boolean {
  if (event.head) return true;
  const { t, d } = event;
  if (!isWithinDepth(d)) return false;
  if (t === 'set') return Object.keys(d).every((path) => path.split('/').length <= MAX_JSON_DEPTH);
  return isCreationData(t, d);
}

function entityAfter(entity: Entity, event: LogEvent, owner?: Owner): Entity {
  if (event.t === 'set')
    return { ...entity, registers: registersAfter(entity.registers, event, owner) };
  const { id, created, registers } = entity;
  if (created === undefined) return { id, created: event, registers };
  const order = compareEvents(event, created);
  return order === 0
    ? entity
    : { id, created: order < 0 ? event : created, registers, hasTwin: true };
}

function callsAfter(
  calls: PersistentMap<string>,
  event: LogEvent,
  owner?: Owner,
): PersistentMap<string> {
  const call = event.head ? undefined : event.d[CALL_KEY];
  if (typeof call !== 'string') return calls;
  const current = mapGet(calls, call);
  return current !== undefined && current <= event.e ? calls : mapSet(calls, call, event.e, owner);
}

function registersAfter(
  registers: PersistentMap<Register>,
  event: LogEvent,
  owner?: Owner,
): PersistentMap<Register> {
  const replaces = textsIn(event.d[REPLACES_KEY]);
  let after = registers;
  for (const [path, value] of valuesIn(event)) {
    const register = withVersion(mapGet(after, path), { value, at: event }, replaces, owner);
    after = mapSet(after, path, register, owner);
  }
  return after;
}

function valuesIn({ d }: Pick<LogEvent, 'd'>): [string, Json][] {
  return Object.entries(d).filter(([path]) => path !== CALL_KEY && path !== REPLACES_KEY);
}

/** Adds the versions that a draft of a `set` event replaces. Returns any other draft unchanged. */
export function withReplacedVersions(memory: Memory, draft: Draft): Draft {
  if (draft.t !== 'set') return draft;
  const { registers } = entityOf(memory, draft.e);
  const keys = valuesIn(draft).flatMap(([path]) => {
    const register = mapGet(registers, path);
    return register ? replaceableKeys(register) : [];
  });
  return keys.length === 0
    ? draft
    : { ...draft, d: { ...draft.d, [REPLACES_KEY]: [...new Set(keys)].sort() } };
}

/** Returns true if the memory already includes this event. */
export function includesEvent(memory: Memory, event: LogEvent): boolean {
  if (event.v !== 1) return true;
  if (event.t === 'log.vault') return !isVaultId(event.d['id']) || !isEarlier(event, memory.vault);
  if (!isFoldable(event)) return true;
  const { created, registers } = entityOf(memory, event.e);
  if (event.t !== 'set') return !isEarlier(event, created);
  return valuesIn(event).every(([path, value]) => {
    const register = mapGet(registers, path);
    return register !== undefined && hasVersion(register, { value, at: event });
  });
}

/** Merges the registers of two entities path by path. */
export function mergeRegisters(
  a: PersistentMap<Register>,
  b: PersistentMap<Register>,
): PersistentMap<Register> {
  let merged = a;
  for (const [path, register] of mapEntries(b)) {
    const current = mapGet(merged, path);
    merged = mapSet(merged, path, current ? mergeRegister(current, register) : register);
  }
  return merged;
}

function isEarlier(event: LogEvent, current: LogEvent | undefined): boolean {
  return !current || compareEvents(event, current) < 0;
}

/** Returns the index of the entities that such events create. Only those in `names` are unique. */
function indexOfType(t: string): NameEntry['index'] {
  if (t === 'record.new') return 'records';
  if (t === 'path.moved') return 'moves';
  return t === 'pin.new' ? 'pins' : 'names';
}

interface NameEntry extends EntityPosition {
  readonly index: 'names' | 'records' | 'pins' | 'moves';
}

/** Returns the position of a state in `Memory.followers`; undefined if it continues none. */
function followerEntryOf({ created }: Entity): EntityPosition | undefined {
  if (created?.t !== 'state.new') return undefined;
  const { head } = created;
  const ws = head ? head.ws : created.d['ws'];
  const key = head ? head.continues : continuedId(created.d);
  return typeof ws === 'string' && key !== undefined ? { scope: ws, key } : undefined;
}

function nameEntryOf(entity: Entity): NameEntry | undefined {
  if (!entity.created || entity.created.t === 'conv.new') return undefined;
  const { t, head } = entity.created;
  const ws = head ? head.ws : entity.created.d['ws'];
  return {
    index: indexOfType(t),
    scope: t !== 'ws.new' && typeof ws === 'string' ? ws : VAULT_SCOPE,
    key: nameKey(entityName(entity)),
  };
}

/** Returns the name or title as it was typed; that of a workspace or record may have changed. */
export function entityName(entity: Entity): string {
  const { created } = entity;
  if (created?.head) return created.head.name;
  const field = created?.t === 'record.new' ? 'title' : 'name';
  const isCorrectable = created?.t === 'record.new' && created.d['kind'] !== 'decision';
  const canChange = created?.t === 'ws.new' || isCorrectable;
  const changed = canChange ? registerOf(entity, `/${field}`) : undefined;
  const name = typeof changed === 'string' ? changed : created?.d[field];
  return typeof name === 'string' ? name : '';
}

const VAULT_ID = /^[a-km-np-z2-9]{16}$/;

export function isVaultId(id: unknown): id is string {
  return typeof id === 'string' && VAULT_ID.test(id);
}
