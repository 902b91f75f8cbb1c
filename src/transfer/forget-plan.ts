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

/** Something that holds a text to forget. */
export interface HoldingItem {
  /** Type of the event, such as `state.new`. */
  readonly type: string;
  readonly title: string;
  /** ISO date-time in UTC. */
  readonly at: string;
}

/** Everything that holds the text of an item, before it is forgotten. */
export interface ForgetPlan {
  readonly lines: readonly LogLine[];
  /** The items in the lines, the named one first. */
  readonly items: readonly HoldingItem[];
}

export interface ForgetRequest {
  readonly kind: ForgetKind;
  /**
   * Name of a state, title or id of a record, title or id of a conversation, id of a trace, or id
   * of a checkpoint or of its session.
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
  const named = namedLines(live, memory, request);
  const ids = relatedIds(
    live,
    new Set(named.flatMap(({ event: { e, t } }) => (e && t !== 'trace.new' ? [e] : []))),
  );
  const own = live.filter((line) => named.includes(line) || isOf(line.event, ids));
  const probes = own.flatMap(({ event }) => probesIn(event));
  const repeats = live.filter(({ event }) => REPEATING.has(event.t) && holdsAny(event.d, probes));
  const all = [...new Set([...named, ...own, ...repeats])];
  return { lines: all, items: all.filter(({ event }) => event.t !== 'set').map(itemOf) };
}

function namedLines(
  lines: readonly LogLine[],
  memory: Memory,
  { kind, name, workspaceId }: ForgetRequest,
): LogLine[] {
  const idOf = (): string | undefined => {
    if (kind === 'state') {
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
  return ids.has(e) || ((t === 'trace.new' || t === 'pin.new') && isIdIn(ids, d['state']));
}

/** Returns the beginnings of the texts in an event, as they are and as they are in JSON. */
function probesIn({ d }: LogEvent): string[] {
  return textsOf(d).flatMap((text) => {
    if (text.length < MIN_TEXT_LENGTH) return [];
    const probe = text.slice(0, PROBE_LENGTH);
    return [...new Set([probe, JSON.stringify(probe).slice(1, -1)])];
  });
}

function holdsAny(value: Json, probes: readonly string[]): boolean {
  const texts = textsOf(value);
  return probes.some((probe) => texts.some((text) => text.includes(probe)));
}

function textsOf(value: Json): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

function itemOf({ event }: LogLine): HoldingItem {
  const { d, t } = event;
  const title = [d['name'], d['title'], d['tool']].find((text) => typeof text === 'string');
  return { type: t, title: visibleText(title ?? ''), at: stampTime(event) };
}
