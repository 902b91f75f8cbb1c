import { isJsonObject, isWithinDepth, type Json, type JsonObject } from '../../model/event.js';
import { isText, parseJson } from '../../model/text/json-fields.js';
import { NOOP_SCHEDULER, type Scheduler } from '../../platform/scheduler.js';
import { toUtf8 } from '../../storage/index.js';
import { utf8Chunks } from '../import-source.js';
import type { ForeignFile, ReadStats, SourceLocation } from './foreign-memory.js';
import { JsonEntrySplitter, type JsonEntry } from './json-entries.js';
import { readJsonLines } from './json-lines.js';
import { parseObject } from './json-values.js';

export interface GraphEntity {
  readonly name: string;
  /** Empty if it has none. */
  readonly type: string;
  readonly observations: readonly string[];
  /** Number of values that are no text, which are left out; absent if there are none. */
  readonly oddValues?: number;
}

interface GraphRelation {
  readonly from: string;
  readonly to: string;
  readonly type: string;
}

export type GraphItem = { readonly entity: GraphEntity } | { readonly relation: GraphRelation };

/** Keys of the MCP server "memory", and synonyms that other servers write. */
const KEYS = {
  entityType: ['entityType', 'entity_type'],
  from: ['from', 'from_entity', 'fromEntity', 'source'],
  to: ['to', 'to_entity', 'toEntity', 'target'],
  relationType: ['relationType', 'relation_type', 'relation'],
} as const;
const OBSERVATION_KEYS = ['content', 'text', 'observation'] as const;
const GRAPH_LISTS = ['entities', 'relations'];
const TYPES_OF_LINES: readonly Json[] = ['entity', 'relation', null];

/**
 * Without a `type`, the other fields decide. An unknown `type` may be the entity's. Of an object
 * that certainly is an entity, only what is no text is left out.
 */
export function graphItemOf(value: JsonObject): GraphItem | undefined {
  const { type, observations: given } = value;
  const named = fieldOf(value, KEYS.entityType);
  const entityType = named ?? (TYPES_OF_LINES.includes(type ?? null) ? '' : type) ?? '';
  const isEntity = type !== 'relation' && (named ?? given) !== undefined;
  const name = plainText(value['name'] ?? null);
  const texts = [entityType, ...observationsIn(given)].map(plainText);
  const [typeText, ...observations] = [texts[0] ?? '', ...texts.slice(1).filter(isText)];
  const oddValues = texts.filter((text) => text === undefined).length;
  const isWhole = oddValues === 0 && Array.isArray(given);
  if (isEntity && name !== undefined && (isWhole || type === 'entity' || named !== undefined))
    return {
      entity: { name, type: typeText, observations, ...(oddValues > 0 && { oddValues }) },
    };
  const [from, to] = [fieldOf(value, KEYS.from), fieldOf(value, KEYS.to)];
  const relationType = fieldOf(value, KEYS.relationType);
  return type !== 'entity' && isText(from) && isText(to) && isText(relationType)
    ? { relation: { from, to, type: relationType } }
    : undefined;
}

function fieldOf(value: JsonObject, keys: readonly string[]): Json | undefined {
  const key = keys.find((each) => (value[each] ?? undefined) !== undefined);
  return key === undefined ? undefined : value[key];
}

/** Returns the observations; of objects, which have a time or a source as well, only the text. */
function observationsIn(given: Json | undefined): Json[] {
  const list = Array.isArray(given) ? given : [given ?? []].flat();
  return list.map((each) =>
    isJsonObject(each) ? (fieldOf(each, OBSERVATION_KEYS) ?? null) : each,
  );
}

function plainText(value: Json): string | undefined {
  return isText(value) || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined;
}

/** The start of a list, an object over several lines, or a graph, perhaps as text in an answer. */
const DOCUMENT_START =
  /^[\ufeff\s]*(?:\[|\{\s*\n|\{[\s\w{[",:.\\-]{0,400}?\\?"(?:entities|relations)\\?"\s*:)/;
/** A key that only entities and relations have. */
const GRAPH_KEY =
  /\\?"(?:observations|entity_?type|relation_?type|from_?entity)\\?"\s*:|"(?:entities|relations)\\?"\s*:\s*\[\s*\]/i;

/** Returns true for the beginning of a file that contains a graph as one JSON document. */
export function isGraphDocument(head: string): boolean {
  return DOCUMENT_START.test(head) && GRAPH_KEY.test(head);
}

/** Returns true for the beginning of a line of a graph that goes on. */
export function isCutGraphLine(head: string): boolean {
  return /^[\ufeff\s]*\{/.test(head) && !head.includes('\n') && GRAPH_KEY.test(head);
}

/** Some servers begin their file with a line that says that it is theirs: `{"type":"_aim"}`. */
function isMarker({ type }: JsonObject): boolean {
  return isText(type) && type.startsWith('_');
}

const HEAD_BYTES = 64 * 1024;

/** Reads one item per line, or one JSON document. Counts everything else in `stats`. */
export async function* readGraphItems(
  file: ForeignFile,
  stats: ReadStats,
  scheduler: Scheduler = NOOP_SCHEDULER,
): AsyncGenerator<{ readonly item: GraphItem; readonly location: SourceLocation }> {
  const head = new TextDecoder().decode(toUtf8(file.bytes.subarray(0, HEAD_BYTES)));
  if (!isGraphDocument(head)) {
    const isKnown = (value: JsonObject) => isMarker(value) || graphItemOf(value) !== undefined;
    for await (const { value, location } of readJsonLines(file, isKnown, stats, scheduler)) {
      const item = graphItemOf(value);
      if (item) yield { item, location };
    }
    return;
  }
  for await (const { number, bytes: entry, isCut, isTooLong } of entriesIn(file)) {
    await scheduler.yieldIfDue();
    const location = { file: file.name, line: number, isEntry: true };
    const value = isCut || isTooLong ? undefined : parseObject(new TextDecoder().decode(entry));
    const items = value ? [...itemsWithin(value)] : [];
    stats.read += Math.max(1, items.length);
    stats.recognized += items.length;
    if (isTooLong) stats.troubles.push({ ...location, kind: 'tooLong' });
    else if (!value) stats.troubles.push({ ...location, kind: 'damaged' });
    else if (items.length === 0) stats.troubles.push({ ...location, kind: 'foreign' });
    for (const item of items) yield { item, location };
  }
}

async function* entriesIn(file: ForeignFile): AsyncGenerator<JsonEntry> {
  const splitter = new JsonEntrySplitter(GRAPH_LISTS);
  for await (const chunk of utf8Chunks(file)) yield* splitter.push(chunk);
  yield* splitter.end();
}

/** Finds entities and relations in a server's answer, which may contain its JSON as text. */
function* itemsWithin(value: Json): Generator<GraphItem> {
  if (isText(value)) {
    const parsed = /^\s*[[{]/.test(value) ? parseJson(value) : undefined;
    if (parsed !== undefined && isWithinDepth(parsed)) yield* itemsWithin(parsed);
  } else if (isJsonObject(value)) {
    const item = graphItemOf(value);
    if (item) yield item;
    else for (const each of Object.values(value)) yield* itemsWithin(each);
  } else if (Array.isArray(value)) for (const each of value) yield* itemsWithin(each);
}
