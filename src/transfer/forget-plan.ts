import { isJsonObject, stampTime, type Json, type LogEvent } from '../model/event.js';
import { entityOf, type Memory } from '../model/memory.js';
import { lookupState } from '../model/lookup.js';
import { lookupRecord } from '../model/records/lookup-record.js';
import { clip, Refusal } from '../model/refusal.js';
import { traceRef } from '../model/text/short-id.js';
import { visibleText } from '../model/text/visible-text.js';
import { isForgettable } from '../storage/forget/forget-event.js';
import { originalHash } from '../storage/format/stub.js';
import type { ForgetKind } from './forget-kinds.js';
import type { LogLine } from '../storage/read/log-lines.js';

/** An item of the log, as a person knows it. */
export interface LogItem {
  /** Type of the event, such as `state.new`; `checkpoint` for a trace that is one. */
  readonly type: string;
  readonly title: string;
  /** ISO date-time in UTC. */
  readonly at: string;
}

/** Something that holds a text to forget. */
export interface HoldingItem extends LogItem {
  /** The line that creates it, and its changes. */
  readonly lines: readonly LogLine[];
  /** True for what belongs to the named item, such as a conversation's messages. */
  readonly isPart: boolean;
}

/** A state or record that is not forgotten unless it is named, too. */
export interface RelatedItem extends LogItem {
  readonly id: string;
  readonly workspaceId: string;
}

/** Everything that holds the text of an item, before it is forgotten. */
export interface ForgetPlan {
  readonly lines: readonly LogLine[];
  /** The items in the lines, the named one first. */
  readonly items: readonly HoldingItem[];
  /** Other states and records that begin with the same texts, or were saved in the conversation. */
  readonly related: readonly RelatedItem[];
}

export interface ForgetRequest {
  readonly kind: ForgetKind;
  /**
   * Name or id of a state, title or id of a record or conversation, id of a trace, or id of a
   * checkpoint or of its session.
   */
  readonly name: string;
  readonly workspaceId: string;
}

/** Shorter texts are in too many places to say where one of them came from. */
const MIN_TEXT_LENGTH = 16;
/** A trace may hold only the beginning of a text. */
const PROBE_LENGTH = 60;

/** Types of lines that repeat the texts of others. */
const REPEATING: ReadonlySet<string> = new Set(['trace.new', 'pin.new', 'msg.new']);

/** Fields that people and models write. Ids, hashes and paths are in many lines. */
const TEXT_FIELDS: ReadonlySet<string> = new Set([
  'name',
  'title',
  'description',
  'conversationContext',
  'activeTask',
  'nextSteps',
  'decisions',
  'questions',
  'body',
  'input',
  'outcome',
  'checkpoint',
]);

/**
 * Finds the lines of an item and of everything that was made with it or repeats its text: changes,
 * moved copies, records, tool calls, checkpoints and messages. `memory` is folded from the lines.
 * Throws a `Refusal` if there is no such item, or more than one.
 */
export function planForget(
  lines: readonly LogLine[],
  memory: Memory,
  request: ForgetRequest,
): ForgetPlan {
  const live = lines.filter(
    ({ event }) => isForgettable(event) && originalHash(event) === undefined,
  );
  const named = new Set(namedLines(live, memory, request));
  const namedIds = new Set(
    [...named].flatMap(({ event: { e, t } }) => (e && t !== 'trace.new' ? [e] : [])),
  );
  const ids = relatedIds(live, new Set(namedIds));
  const own = live.filter((line) => named.has(line) || isOf(line.event, ids));
  // what was said in a conversation is in what it called; other conversations may begin alike
  const isConversation = request.kind === 'conversation';
  const probes = isConversation
    ? []
    : own.flatMap((line) =>
        REPEATING.has(line.event.t) && !named.has(line) ? [] : probesIn(line),
      );
  const titled = live.filter(({ event }) => event.t === 'conv.new' && isTitled(event, probes));
  const titledIds = relatedIds(live, new Set(titled.map(({ event }) => event.e)));
  const repeats = live.filter(
    ({ event }) => isOf(event, titledIds) || (REPEATING.has(event.t) && holdsAny(event.d, probes)),
  );
  const all = [...new Set([...named, ...own, ...repeats])];
  const isPart = (line: LogLine) => named.has(line) || isIdIn(namedIds, line.event.d['conv']);
  const others = live.filter(({ event: { t, e, d } }) => {
    if ((t !== 'state.new' && t !== 'record.new') || ids.has(e)) return false;
    const by = d['by'];
    return isConversation
      ? isJsonObject(by) && isIdIn(namedIds, by['session'])
      : holdsAny(d, probes);
  });
  return { lines: all, items: itemsOf(all, isPart), related: others.map(relatedOf) };
}

/** Returns the items that lines create, each with the lines that change it. */
function itemsOf(lines: readonly LogLine[], isPart: (line: LogLine) => boolean): HoldingItem[] {
  const changes = new Map<string, LogLine[]>();
  for (const line of lines)
    if (line.event.t === 'set')
      changes.set(line.event.e, [...(changes.get(line.event.e) ?? []), line]);
  return lines.flatMap((line) => {
    const { t, e } = line.event;
    if (t === 'set') return [];
    const changed = changes.get(e) ?? [];
    changes.delete(e);
    return [{ ...itemOf(line), lines: [line, ...changed], isPart: isPart(line) }];
  });
}

function namedLines(
  lines: readonly LogLine[],
  memory: Memory,
  { kind, name, workspaceId }: ForgetRequest,
): LogLine[] {
  const idOf = (): string | undefined => {
    if (kind === 'state') {
      if (entityOf(memory, name).created?.t === 'state.new') return name;
      const found = lookupState(memory, workspaceId, name);
      if ('several' in found)
        throw severalError(
          kind,
          found.several.map((each) => each.name),
        );
      return 'item' in found ? found.item.item.id : undefined;
    }
    const found = lookupRecord(memory, workspaceId, name);
    if ('several' in found)
      throw severalError(
        kind,
        found.several.map(({ id }) => id),
      );
    return 'record' in found ? found.record.id : undefined;
  };
  const isNamed = (event: LogEvent): boolean => {
    if (kind === 'conversation') return isConversation(event, name);
    const isCheckpoint = event.d['kind'] === 'checkpoint';
    if (event.t !== 'trace.new' || (kind === 'checkpoint') !== isCheckpoint) return false;
    const isSession = isCheckpoint && event.d['session'] === name;
    return isSession || (name.length > 3 && traceRef(event).startsWith(name));
  };
  const id = kind === 'state' || kind === 'record' ? idOf() : undefined;
  const found = lines.filter(({ event }) => (id === undefined ? isNamed(event) : event.e === id));
  if (kind === 'state' && id !== undefined) found.push(...sameStates(lines, memory, id));
  if (kind === 'conversation' && found.length > 1)
    throw severalError(
      kind,
      found.map(({ event }) => event.e),
    );
  if (found.length === 0)
    throw new Refusal(
      `There is no ${kind} "${clip(name)}" to forget. Check the name, --kind and --workspace.`,
    );
  return found;
}

/** Two states of one workspace with the same name and content are shown as one. */
function sameStates(lines: readonly LogLine[], memory: Memory, id: string): LogLine[] {
  const data = entityOf(memory, id).created?.d;
  return lines.filter(
    ({ event: { t, e, d } }) =>
      t === 'state.new' && e !== id && d['ws'] === data?.['ws'] && d['sha'] === data?.['sha'],
  );
}

function isConversation({ t, e, d }: LogEvent, name: string): boolean {
  return t === 'conv.new' && (e === name || d['title'] === name);
}

function severalError(kind: ForgetKind, names: readonly string[]): Refusal {
  return new Refusal(`There are several such ${kind}s: ${names.join(', ')}. Name one of them.`);
}

/** Adds the ids of moved copies and originals, and of records and messages made with the items. */
function relatedIds(lines: readonly LogLine[], ids: Set<string>): Set<string> {
  for (let size = -1; size !== ids.size;) {
    size = ids.size;
    for (const { event } of lines) {
      const { origin, state, conv } = event.d;
      const original = isJsonObject(origin) ? origin['state'] : undefined;
      const isRecord = event.t === 'record.new' && isIdIn(ids, state);
      const isMessage = event.t === 'msg.new' && isIdIn(ids, conv);
      if (typeof original === 'string' && ids.has(original)) ids.add(event.e);
      if (typeof original === 'string' && ids.has(event.e)) ids.add(original);
      if (isRecord || isMessage) ids.add(event.e);
    }
  }
  return ids;
}

function isIdIn(ids: ReadonlySet<string>, id: Json | undefined): boolean {
  return typeof id === 'string' && ids.has(id);
}

function isOf({ t, e, d }: LogEvent, ids: ReadonlySet<string>): boolean {
  const isTrace = t === 'trace.new' || t === 'pin.new';
  return ids.has(e) || (isTrace && (isIdIn(ids, d['state']) || isIdIn(ids, d['session'])));
}

/** Returns the beginnings of the texts in a line, as they are and as they are in JSON. */
function probesIn({ event: { d } }: LogLine): string[] {
  const fields = Object.entries(d).filter(([key]) => TEXT_FIELDS.has(key.replace(/^\//, '')));
  return fields
    .flatMap(([, value]) => textsOf(value))
    .flatMap((text) => {
      if (text.length < MIN_TEXT_LENGTH) return [];
      const probe = text.slice(0, PROBE_LENGTH);
      return [...new Set([probe, JSON.stringify(probe).slice(1, -1)])];
    });
}

/** Returns true if a value repeats the beginning of a text in one of the lines. */
export function repeatsTextOf(lines: readonly LogLine[], value: Json): boolean {
  return holdsAny(value, lines.flatMap(probesIn));
}

/** Returns true if a conversation is named after one of the texts, as far as a title goes. */
function isTitled({ d }: LogEvent, probes: readonly string[]): boolean {
  const title = textsOf(d['title'] ?? '')
    .join('')
    .replace(/…$/u, '');
  if (title.length < MIN_TEXT_LENGTH) return false;
  return probes.some((probe) => title.includes(probe) || probe.startsWith(title));
}

function holdsAny(value: Json, probes: readonly string[]): boolean {
  const texts = textsOf(value);
  return probes.some((probe) => texts.some((text) => text.includes(probe)));
}

function textsOf(value: Json): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

/** Returns a line's item as a person knows it. */
export function itemOf({ event }: Pick<LogLine, 'event'>): LogItem {
  const { d, t } = event;
  const { request } = isJsonObject(d['checkpoint']) ? d['checkpoint'] : {};
  const title = [d['name'], d['title'], request, d['tool']].find(
    (text) => typeof text === 'string',
  );
  const type = t === 'trace.new' && d['kind'] === 'checkpoint' ? 'checkpoint' : t;
  return { type, title: visibleText(title ?? ''), at: stampTime(event) };
}

function relatedOf(line: LogLine): RelatedItem {
  const { e, d } = line.event;
  const workspaceId = typeof d['ws'] === 'string' ? d['ws'] : '';
  return { ...itemOf(line), id: e, workspaceId };
}
