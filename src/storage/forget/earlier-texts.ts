import {
  CALL_KEY,
  isJsonObject,
  REPLACES_KEY,
  type Draft,
  type Json,
  type JsonObject,
} from '../../model/event.js';
import {
  DEFAULT_WORKSPACE,
  emptyMemory,
  entityName,
  entityOf,
  registerOf,
  type Entity,
  type Memory,
} from '../../model/memory.js';
import { pathMoves } from '../../model/moves/path-moves.js';
import { mapEntries } from '../../model/persistent-map.js';
import {
  unescapePointer,
  workspaceChanges,
  workspaceData,
  workspaceOf,
} from '../../model/workspace.js';
import type { LogLine } from '../log-lines.js';

/** What a workspace contained before, and what keeps it as it is now. */
export interface EarlierTexts {
  /** All lines that create or change the workspace and that this version can read. */
  readonly lines: readonly LogLine[];
  /** Texts of these lines that the workspace no longer contains. */
  readonly texts: readonly string[];
  /** Events that give the workspace its present contents in place of the lines. */
  readonly kept: readonly Draft[];
}

const FIELDS =
  /^\/(?:(?:name|description|rootFolder|purpose|isArchived)$|(?:workflows|keyFiles|preferences)\/)/;

/** Fields of a creation that this version knows, and keys of the log itself. */
const CREATION_FIELDS =
  /^(?:name|description|rootFolder|purpose|workflows|keyFiles|preferences|at|\/.*)$/;

/** Undefined if there is no such workspace. Leaves lines of a newer version to that version. */
export function earlierTexts(
  lines: readonly LogLine[],
  memory: Memory,
  id: string,
): EarlierTexts | undefined {
  const entity = entityOf(memory, id);
  const now = workspaceOf(entity, pathMoves(memory));
  if (!now) return undefined;
  const own = lines.filter(
    ({ event: { v, t, e } }) => v === 1 && e === id && (t === 'ws.new' || t === 'set'),
  );
  const fields = { ...now, name: entityName(entity) };
  const kept = [...creationOf(entity, fields, now.createdAt)];
  const values = [workspaceData(fields), ...kept.map(({ d }) => d)].flatMap(writtenTexts);
  const current = new Set(values);
  const texts = new Set(own.flatMap(({ event }) => writtenTexts(event.d)));
  return { lines: own, texts: [...texts].filter((text) => text && !current.has(text)), kept };
}

function* creationOf(
  entity: Entity,
  fields: Parameters<typeof workspaceData>[0],
  at: string,
): Generator<Draft> {
  const { id: e } = entity;
  const isBuiltIn = e === DEFAULT_WORKSPACE;
  if (!isBuiltIn)
    yield { t: 'ws.new', e, d: { ...newerFields(entity), ...workspaceData(fields), at } };
  const d = isBuiltIn ? workspaceChanges(entityOf(emptyMemory, e), fields) : {};
  if (registerOf(entity, '/isArchived') === true) d['/isArchived'] = true;
  // A newer version may have set others.
  for (const [path, { value }] of mapEntries(entity.registers))
    if (!FIELDS.test(path)) d[path] = value;
  if (Object.keys(d).length > 0) yield { t: 'set', e, d };
}

/** Returns fields that a newer version set when it created the workspace. */
function newerFields(entity: Entity): JsonObject {
  const fields = Object.entries(entity.created?.d ?? {}).filter(
    ([field]) => !CREATION_FIELDS.test(field) && registerOf(entity, `/${field}`) === undefined,
  );
  return Object.fromEntries(fields);
}

function writtenTexts(d: JsonObject): string[] {
  return Object.entries(d).flatMap(([path, value]) =>
    path === CALL_KEY || path === REPLACES_KEY
      ? []
      : [...(path.startsWith('/') ? partsOf(path) : []), ...stringsIn(value)],
  );
}

/** Returns the parts of a path that name a file, a workflow or a preference. */
function partsOf(path: string): string[] {
  return path.split('/').slice(2).map(unescapePointer);
}

/** Includes the keys of objects. */
function stringsIn(value: Json): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(stringsIn);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, each]) => [key, ...stringsIn(each)]);
}
