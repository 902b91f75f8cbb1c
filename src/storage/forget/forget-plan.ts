import {
  isJsonObject,
  SESSION_TYPE,
  stampTime,
  type Draft,
  type Json,
  type LogEvent,
} from '../../model/event.js';
import { conversationOf } from '../../model/conversation.js';
import {
  DEFAULT_WORKSPACE,
  emptyMemory,
  entityName,
  entityOf,
  fold,
  textOf,
  type Entity,
  type Memory,
} from '../../model/memory.js';
import type { Files } from '../../platform/files.js';
import { addToList } from '../../platform/lists.js';
import type { Scheduler } from '../../platform/scheduler.js';
import { lookupState } from '../../model/lookup.js';
import { lookupRecord } from '../../model/records/lookup-record.js';
import { clip, Refusal } from '../../model/refusal.js';
import type { VaultPath } from '../../model/paths.js';
import { readCheckpoint, taskOf } from '../../model/text/checkpoint.js';
import { textAt } from '../../model/text/json-fields.js';
import { traceRef } from '../../model/text/short-id.js';
import { visibleText } from '../../model/text/visible-text.js';
import { isForgettable, type ForgetKind } from './forget-event.js';
import type { Copies } from '../copies/copies.js';
import { readCopies } from '../copies/core-copies.js';
import { lineKey } from '../format/line.js';
import { originalHash } from '../format/stub.js';
import { isIdIn, linkedLines } from './forget-links.js';
import { mentionIn, probesIn, probesOf } from './forget-mentions.js';
import { earlierTexts, type EarlierTexts } from './earlier-texts.js';
import { readLogLines, type LogLine } from '../log-lines.js';

/** An item of the log, as a person knows it. */
export interface LogItem {
  /**
   * Type of the event, such as `state.new`; `session` for a version of one, `workspace` for all of
   * one, while `ws.new` stands for its earlier texts.
   */
  readonly type: string;
  readonly title: string;
  /** ISO date-time in UTC. */
  readonly at: string;
}

/** Something that is forgotten with the named item, because an id or name links it. */
export interface HoldingItem extends LogItem {
  /** The line that creates it, and its changes. */
  readonly lines: readonly LogLine[];
  /** True for what belongs to the named item, such as a conversation's messages. */
  readonly isPart: boolean;
}

/** Something that is not forgotten unless it is chosen, too. */
export interface RelatedItem extends LogItem {
  readonly id: string;
  /** The text that it shares with the named item; empty if it was saved in the conversation. */
  readonly excerpt: string;
}

/** The items that are forgotten together, and others that hold their text. */
export interface ForgetPlan {
  readonly lines: readonly LogLine[];
  /** Events to write with it, which keep a workspace as it is. */
  readonly kept: readonly Draft[];
  /** The items in the lines, the named one first. */
  readonly items: readonly HoldingItem[];
  /** Others that contain a text of them, or were saved in the conversation. */
  readonly related: readonly RelatedItem[];
  /** Returns the lines of these related items, with everything that is linked to them. */
  readonly linesOf: (ids: ReadonlySet<string>) => readonly LogLine[];
}

export interface ForgetRequest {
  readonly kind: ForgetKind;
  /** A name (state), title (record, conversation) or id, for a session also the app's own. */
  readonly name: string;
  readonly workspaceId: string;
  /** The app of a session; empty for a conversation in the app itself, undefined for any. */
  readonly client?: string | undefined;
  /** The apps whose session of this id only the device has, or has more of than the log. */
  readonly unwritten?: readonly string[];
}

/** Types of lines that repeat the texts of others. */
const REPEATING: ReadonlySet<string> = new Set(['trace.new', SESSION_TYPE, 'pin.new', 'msg.new']);

const WORKSPACE_CALLS: ReadonlySet<Json | undefined> = new Set([
  'createWorkspace',
  'updateWorkspace',
]);

/** Types of lines whose items are listed if they hold the text. Those of the first have others. */
const LISTED = [
  ['state.new', 'record.new', 'conv.new'],
  ['msg.new', 'trace.new', SESSION_TYPE, 'pin.new'],
] as const;

/**
 * Finds the lines of an item and all that an id or name links to it, and lists what else repeats
 * its text. `memory` comes from the lines. Throws a `Refusal` for none or several items.
 */
export function planForget(
  lines: readonly LogLine[],
  memory: Memory,
  request: ForgetRequest,
): ForgetPlan {
  const live = lines.filter(
    ({ event }) => isForgettable(event) && originalHash(event) === undefined,
  );
  const chats = fold(
    emptyMemory,
    live.flatMap(({ lane, event }) =>
      lane === 'chat' && (event.t === 'conv.new' || event.t === 'set') ? [event] : [],
    ),
  );
  const earlier =
    request.kind === 'workspace' ? earlierTextsOf(live, memory, request.name) : undefined;
  const named = new Set(earlier?.lines ?? namedLines(live, memory, chats, request));
  const linked = earlier ? withOwnCalls(live, earlier) : linkedLines(live, named);
  const namedIds = new Set([...named].map(({ event: { e } }) => e));
  const isPart = (line: LogLine) => named.has(line) || isIdIn(namedIds, line.event.d['conv']);
  const titleOf = ({ event: { t, e } }: LogLine) => {
    if (t === 'record.new') return textOf(entityOf(memory, e), 'title');
    return t === 'conv.new' ? conversationOf(entityOf(chats, e))?.title : undefined;
  };
  // A conversation's calls repeat what was said in it; other conversations may begin alike.
  const isConversation = request.kind === 'conversation';
  const found = earlier ? probesOf(earlier.texts) : undefined;
  const probes =
    found ??
    [...linked].flatMap((line) =>
      isConversation || (REPEATING.has(line.event.t) && !named.has(line)) ? [] : probesIn(line),
    );
  const excerptOf = (line: LogLine): string | undefined => {
    const { t, d } = line.event;
    if (!isConversation) return mentionIn({ t, d: { ...d, now: titleOf(line) ?? '' } }, probes);
    const by = t === 'state.new' || t === 'record.new' ? d['by'] : undefined;
    return isJsonObject(by) && isIdIn(namedIds, by['session']) ? '' : undefined;
  };
  const related = new Map<string, { item: RelatedItem; lines: Set<LogLine> }>();
  let covered = linked;
  for (const types of LISTED) {
    for (const line of live) {
      const { t, e } = line.event;
      const type = types.find((each) => each === t);
      if (!type || covered.has(line)) continue;
      const excerpt = excerptOf(line);
      if (excerpt === undefined) continue;
      const id = e || traceRef(line.event);
      const item = { ...itemOf(line, titleOf(line)), id, excerpt };
      const known = related.get(id);
      if (known) known.lines.add(line);
      else related.set(id, { item, lines: new Set([line]) });
    }
    // Their calls and messages need no place of their own in the list.
    const found = [...related.values()].flatMap((each) => [...each.lines]);
    covered = new Set([...linked, ...linkedLines(live, new Set(found))]);
  }
  const ownItem = earlier && earlierItem(earlier, memory, request.name);
  const others = earlier ? [...linked].filter((line) => !named.has(line)) : [...linked];
  const items = [...(ownItem ? [ownItem] : []), ...itemsOf(others, isPart, titleOf)];
  return {
    lines: [...linked],
    kept: earlier?.kept ?? [],
    items,
    related: [...related.values()].map(({ item }) => item),
    linesOf: (ids) => {
      const chosen = [...ids].flatMap((id) => [...(related.get(id)?.lines ?? [])]);
      return chosen.length > 0 ? [...linkedLines(live, new Set(chosen))] : [];
    },
  };
}

/** Throws a `Refusal` if a workspace contains all that it ever contained. */
function earlierTextsOf(lines: readonly LogLine[], memory: Memory, id: string): EarlierTexts {
  const found = earlierTexts(lines, memory, id);
  const name = clip(visibleText(entityName(entityOf(memory, id))));
  if (!found) throw new Refusal('There is no such workspace. Check the name.');
  if (found.texts.length > 0) return found;
  throw new Refusal(
    `Workspace "${name}" has no earlier texts. Change what it contains first; then forget what it contained before.`,
  );
}

/** Adds the calls that gave the workspace one of these texts. */
function withOwnCalls(
  lines: readonly LogLine[],
  { lines: own, texts }: EarlierTexts,
): Set<LogLine> {
  const probes = probesOf(texts);
  const calls = lines.filter(
    ({ event: { t, d } }) =>
      t === 'trace.new' && WORKSPACE_CALLS.has(d['tool']) && mentionIn({ t, d }, probes),
  );
  return new Set([...own, ...calls]);
}

function earlierItem({ lines }: EarlierTexts, memory: Memory, id: string): HoldingItem {
  const [first] = lines.map(({ event }) => stampTime(event)).sort();
  const title = visibleText(entityName(entityOf(memory, id)));
  return { type: 'ws.new', title, at: first ?? '', lines, isPart: true };
}

/** Returns the items that lines create, each with the lines that change it. */
function itemsOf(
  lines: readonly LogLine[],
  isPart: (line: LogLine) => boolean,
  titleOf: (line: LogLine) => string | undefined,
): HoldingItem[] {
  const changes = new Map<string, LogLine[]>();
  for (const line of lines) if (line.event.t === 'set') addToList(changes, line.event.e, line);
  return lines.flatMap((line) => {
    const { t, e } = line.event;
    if (t === 'set') return [];
    const changed = changes.get(e) ?? [];
    changes.delete(e);
    const item = itemOf(line, titleOf(line));
    return [{ ...item, lines: [line, ...changed], isPart: isPart(line) }];
  });
}

function namedLines(
  lines: readonly LogLine[],
  memory: Memory,
  chats: Memory,
  { kind, name, workspaceId, client, unwritten = [] }: ForgetRequest,
): LogLine[] {
  const idOf = (): string | undefined => {
    if (kind === 'state') {
      if (entityOf(memory, name).created?.t === 'state.new') return name;
      const found = lookupState(memory, workspaceId, name);
      if ('several' in found) throw severalError(kind, found.several, (each) => each.name);
      return 'item' in found ? found.item.item.id : undefined;
    }
    const found = lookupRecord(memory, workspaceId, name);
    if ('several' in found) throw severalError(kind, found.several, ({ id }) => id);
    return 'record' in found ? found.record.id : undefined;
  };
  const isOf = (app: string) => client === undefined || client === app;
  const isNamed = (event: LogEvent): boolean => {
    const { t, e, d } = event;
    if (kind === 'conversation')
      return t === 'conv.new' && (e === name || isTitled(entityOf(chats, e), name));
    const isCheckpoint = t === SESSION_TYPE || (t === 'pin.new' && d['kind'] === 'checkpoint');
    const isCall = !isCheckpoint && (t === 'trace.new' || t === 'pin.new');
    if (kind === 'session' ? !isCheckpoint : !isCall) return false;
    const isSession = isCheckpoint && d['session'] === name && isOf(textAt(d, 'client'));
    return isSession || (name.length > 3 && traceRef(event).startsWith(name));
  };
  const id = kind === 'state' || kind === 'record' ? idOf() : undefined;
  const found = lines.filter(({ event }) => (id === undefined ? isNamed(event) : event.e === id));
  // A session's id means all its versions.
  const several = found.filter(({ event: { d } }) => id === undefined && d['session'] !== name);
  if (new Set(several.map(({ event: { e } }) => e)).size > 1)
    throw severalError(kind, several, ({ event }) =>
      kind === 'conversation' ? event.e : traceRef(event),
    );
  const versions = found.filter(({ event: { d } }) => kind === 'session' && d['session'] === name);
  const apps = new Set([
    ...versions.map(({ event }) => textAt(event.d, 'client')),
    ...unwritten.filter(isOf),
  ]);
  if (apps.size > 1) {
    const names = new Intl.ListFormat('en-GB').format(
      [...apps].map((app) => app || 'the chat').sort(),
    );
    throw new Refusal(
      `There is a session "${clip(name)}" of ${names}. Pass --client with the name of one.`,
    );
  }
  if (found.length === 0 && apps.size === 0)
    throw new Refusal(
      `There is no ${kind} "${clip(name)}" to forget. Check the name, --kind and --workspace.`,
    );
  return found;
}

function isTitled(entity: Entity, name: string): boolean {
  const title = textOf(entity, 'title');
  return title === name || visibleText(title) === name;
}

function severalError<T>(
  kind: ForgetKind,
  items: readonly T[],
  nameOf: (item: T) => string,
): Refusal {
  const names = items.map(nameOf);
  return new Refusal(`There are several such ${kind}s: ${names.join(', ')}. Name one of them.`);
}

/** `current` is the item's title now, if that may change. */
function itemOf({ event }: Pick<LogLine, 'event'>, current?: string): LogItem {
  const { d, t } = event;
  const checkpoint = readCheckpoint(d['checkpoint']);
  const task = checkpoint && taskOf(checkpoint);
  const title = [current, d['name'], d['title'], task, d['tool']].find(
    (text) => typeof text === 'string',
  );
  const type = t === SESSION_TYPE ? 'session' : t;
  return { type, title: visibleText(title ?? ''), at: stampTime(event) };
}

/** Reads what `log.forget` events remove, by their keys, as far as this device still has it. */
export async function readForgotten(
  { files, root, copies }: { files: Files; root: VaultPath; copies?: Copies | undefined },
  keys: ReadonlySet<string>,
  scheduler?: Scheduler,
): Promise<ReadonlyMap<string, readonly LogItem[]>> {
  const choiceOf = (key: string) => (keys.has(key) ? 'refused' : undefined);
  const { lines, forgotten } = await readLogLines(files, root, scheduler, choiceOf);
  const ids = (await copies?.loadRecord())?.ids ?? [];
  const copied = copies ? await readCopies(copies, ids, scheduler) : [];
  const held = new Map<string, LogEvent>();
  for (const { event } of [...lines, ...copied])
    if (originalHash(event) === undefined) held.set(lineKey(event), event);
  const found = new Map<string, LogItem[]>();
  const all = [...held.values()];
  const staying = new Set(
    all.flatMap((event) =>
      event.t === 'ws.new' && forgotten.keysOf(event).length === 0 ? event.e : [],
    ),
  );
  for (const event of all)
    for (const key of forgotten.keysOf(event)) {
      // The built-in workspace has no line that creates it.
      if (event.t === 'set' && event.e !== DEFAULT_WORKSPACE) continue;
      const isWhole = event.t === 'ws.new' && !staying.has(event.e);
      const item = { ...itemOf({ event }), ...(isWhole && { type: 'workspace' }) };
      addToList(found, key, item);
    }
  return found;
}
