import { compareText, isJsonObject, type Json, type JsonObject } from '../../model/event.js';
import type { MessageEnd, MessagePart, ToolPart } from '../../model/message.js';
import type { Pause } from '../../platform/scheduler.js';
import {
  leaveOut,
  objectIn,
  rest,
  textIn,
  timeIn,
  type Account,
  type ForeignConversation,
  type ForeignMessage,
  type Gathered,
} from './foreign.js';
import { groupBy, type NexusEvent } from './nexus-events.js';

const CHAT_EVENTS = ['metadata', 'conversation_updated', 'message', 'message_updated'];

export function isChatEvent(type: string): boolean {
  return CHAT_EVENTS.includes(type);
}

/** The conversations of Nexus: what a tool answered stands with its call, and what could have stood in a message's place beside it. */
export async function conversationsOf(
  events: readonly NexusEvent[],
  account: Account,
  pause: Pause | undefined,
): Promise<Pick<Gathered, 'conversations' | 'messages'>> {
  const groups = groupBy(events, ({ type, value, data }) =>
    textIn(type === 'metadata' ? data : value, type === 'metadata' ? 'id' : 'conversationId'),
  );
  const conversations: ForeignConversation[] = [];
  const messages: ForeignMessage[] = [];
  for (const [key, group] of groups) {
    await rest(pause);
    conversations.push(conversationOf(key, group, account));
    messages.push(...messagesOf(key, group, account));
  }
  return { conversations, messages };
}

function conversationOf(
  key: string,
  events: readonly NexusEvent[],
  account: Account,
): ForeignConversation {
  const created = events.find(({ type }) => type === 'metadata');
  const first = created ?? events[0]!;
  const changes = events
    .filter(({ type }) => type === 'conversation_updated')
    .map(({ at, data }) => ({
      at,
      title: textIn(data, 'title'),
      ...belonging(objectIn(data, 'settings')),
    }))
    .filter(
      ({ title, workspace, isArchived }) =>
        title !== undefined || workspace !== undefined || isArchived !== undefined,
    );
  const settings = objectIn(first.data, 'settings');
  if (settings) leaveOut(account, 'chatSettings');
  const { workspace, isArchived } = belonging(settings);
  const at = timeIn(created?.data, 'created') ?? first.at;
  const title = textIn(created?.data, 'title') ?? `Conversation ${key.slice(0, 40)}`;
  return {
    key,
    at,
    place: first.place,
    workspace,
    title,
    changes: [...(isArchived ? [{ at, isArchived }] : []), ...changes],
  };
}

function belonging(settings: JsonObject | undefined): {
  workspace: string | undefined;
  isArchived: boolean | undefined;
} {
  const workspace =
    textIn(settings, 'workspaceId') ?? textIn(objectIn(settings, 'chatSettings'), 'workspaceId');
  const isArchived = settings?.['isArchived'];
  return {
    workspace: workspace === '' ? undefined : workspace,
    isArchived: typeof isArchived === 'boolean' ? isArchived : undefined,
  };
}

/** A message as it was last. */
interface Raw {
  readonly key: string;
  readonly event: NexusEvent;
  readonly data: JsonObject;
}

function messagesOf(
  conversation: string,
  events: readonly NexusEvent[],
  account: Account,
): ForeignMessage[] {
  const answers = new Map<string, string>();
  const raws: Raw[] = [];
  for (const raw of lastOfEach(events)) {
    const call = textIn(raw.data, 'role') === 'tool' ? textIn(raw.data, 'tool_call_id') : undefined;
    if (call === undefined) raws.push(raw);
    else answers.set(call, textIn(raw.data, 'content') ?? '');
  }
  const messages: ForeignMessage[] = [];
  let parent: string | undefined;
  for (const { key, event, data } of raws) {
    const others = Array.isArray(data['alternatives'])
      ? data['alternatives'].filter(isJsonObject)
      : [];
    const all = [
      { data, key, at: event.at },
      ...others.map((other, at) => ({
        data: { ...other, role: data['role']! },
        key: textIn(other, 'id') ?? `${key} ${at}`,
        at: timeIn(other, 'timestamp') ?? event.at,
      })),
    ];
    const made = all.flatMap(({ data: each, key: id, at }): ForeignMessage[] => {
      const content = contentOf(each, answers);
      return content ? [{ key: id, at, place: event.place, conversation, parent, content }] : [];
    });
    if (made.length === 0) leaveOut(account, 'emptyMessages');
    messages.push(...made);
    const chosen =
      all[typeof data['activeAlternativeIndex'] === 'number' ? data['activeAlternativeIndex'] : 0]
        ?.key;
    parent = (made.find((message) => message.key === chosen) ?? made[0])?.key ?? parent;
  }
  // An answer whose call is not here is told by itself.
  const [last] = messages.slice(-1);
  const stray: MessagePart[] = [...answers].map(([, text]) => ({
    type: 'data',
    source: 'An answer of a tool',
    text,
  }));
  if (stray.length > 0) {
    const event = events.at(-1)!;
    messages.push({
      key: `${conversation} answers`,
      at: last?.at ?? event.at,
      place: event.place,
      conversation,
      parent,
      content: { role: 'assistant', parts: stray },
    });
  }
  return messages;
}

/** Each message with all that was changed in it, in the order in which they stand. */
function lastOfEach(events: readonly NexusEvent[]): Raw[] {
  const raws = new Map<string, Raw>();
  for (const event of events) {
    if (event.type !== 'message' && event.type !== 'message_updated') continue;
    const key = textIn(
      event.type === 'message' ? event.data : event.value,
      event.type === 'message' ? 'id' : 'messageId',
    );
    if (key === undefined) continue;
    const earlier = raws.get(key);
    raws.set(key, {
      key,
      event: earlier?.event ?? event,
      data: { ...earlier?.data, ...event.data },
    });
  }
  const rank = ({ data }: Raw) => timeIn(data, 'sequenceNumber') ?? Infinity;
  return [...raws.values()].sort(
    (a, b) =>
      compareNumbers(rank(a), rank(b)) || a.event.at - b.event.at || compareText(a.key, b.key),
  );
}

function compareNumbers(a: number, b: number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** What a message says; undefined where it says nothing. Takes the answers that belong to it out of `answers`. */
function contentOf(
  data: JsonObject,
  answers: Map<string, string>,
): ForeignMessage['content'] | undefined {
  const role = textIn(data, 'role');
  const words = textIn(data, 'content') ?? '';
  const reasoning = textIn(data, 'reasoning') ?? '';
  const calls = Array.isArray(data['tool_calls']) ? data['tool_calls'].filter(isJsonObject) : [];
  const said: MessagePart =
    role === 'system' || role === 'tool'
      ? {
          type: 'data',
          source: role === 'system' ? 'System prompt' : 'An answer of a tool',
          text: words,
        }
      : { type: 'text', text: words };
  const parts: MessagePart[] = [
    ...(reasoning === '' ? [] : [{ type: 'reasoning', text: reasoning } as const]),
    ...(words === '' ? [] : [said]),
    ...calls.map((call) => toolPart(call, answers)),
  ];
  if (parts.length === 0) return undefined;
  const isModels = role === 'assistant' || role === 'tool';
  return {
    role: isModels ? 'assistant' : 'user',
    parts,
    ...(isModels && { end: endOf(textIn(data, 'state'), calls.length > 0) }),
  };
}

function toolPart(call: JsonObject, answers: Map<string, string>): ToolPart {
  const fn = objectIn(call, 'function');
  const id = textIn(call, 'id') ?? '';
  const given = textIn(fn, 'arguments') ?? '';
  const text = answers.get(id);
  answers.delete(id);
  const answer = text === undefined ? call['result'] : jsonOr(text);
  const isFailed =
    call['success'] === false || (isJsonObject(answer) && answer['success'] === false);
  return {
    type: 'tool',
    id,
    tool: textIn(fn, 'name') ?? textIn(call, 'name') ?? 'unknown',
    params: given === '' ? (call['parameters'] ?? {}) : jsonOr(given),
    ...(answer !== undefined && { answer }),
    status: isFailed ? 'failed' : answer === undefined ? 'stopped' : 'done',
  };
}

/** What a text is as JSON, else the text. */
function jsonOr(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

function endOf(state: string | undefined, hasCalls: boolean): MessageEnd {
  if (state === 'aborted') return 'stopped';
  if (state === 'invalid') return 'failed';
  return hasCalls ? 'tools' : 'done';
}
