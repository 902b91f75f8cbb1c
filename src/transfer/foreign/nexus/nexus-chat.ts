import { compareText, isJsonObject, type JsonObject } from '../../../model/event.js';
import type { MessageEnd, MessagePart, ToolPart } from '../../../model/message.js';
import {
  numberIn,
  objectIn,
  objectsIn,
  parseJson,
  textIn,
} from '../../../model/text/json-fields.js';
import type { Scheduler } from '../../../platform/scheduler.js';
import {
  addLeftOut,
  type ForeignConversation,
  type ForeignMemory,
  type ForeignMessage,
  type ReadStats,
} from '../foreign-memory.js';
import { groupEvents, type NexusEvent } from './nexus-events.js';

export const CHAT_EVENTS = ['metadata', 'conversation_updated', 'message', 'message_updated'];

/** A tool's result becomes part of its call, an alternative to a message its sibling. */
export async function readNexusChats(
  events: readonly NexusEvent[],
  stats: ReadStats,
  scheduler: Scheduler,
): Promise<Pick<ForeignMemory, 'conversations' | 'messages'>> {
  const groups = groupEvents(events, ({ type, value, data }) =>
    textIn(type === 'metadata' ? data : value, type === 'metadata' ? 'id' : 'conversationId'),
  );
  const conversations: ForeignConversation[] = [];
  const messages: ForeignMessage[] = [];
  for (const [key, group] of groups) {
    await scheduler.yieldIfDue();
    conversations.push(conversationOf(key, group, stats));
    for (const message of messagesOf(key, group, stats)) messages.push(message);
  }
  return { conversations, messages };
}

function conversationOf(
  key: string,
  events: readonly NexusEvent[],
  stats: ReadStats,
): ForeignConversation {
  const created = events.find(({ type }) => type === 'metadata');
  const first = created ?? events[0]!;
  const changes = events
    .filter(({ type }) => type === 'conversation_updated')
    .map(({ at, data }) => ({
      at,
      title: textIn(data, 'title'),
      ...settingsIn(objectIn(data, 'settings')),
    }))
    .filter(
      ({ title, workspace, isArchived }) =>
        title !== undefined || workspace !== undefined || isArchived !== undefined,
    );
  const settings = objectIn(first.data, 'settings');
  if (settings) addLeftOut(stats, 'chatSettings');
  const { workspace, isArchived } = settingsIn(settings);
  const at = numberIn(created?.data, 'created') ?? first.at;
  const title = textIn(created?.data, 'title') ?? `Conversation ${key.slice(0, 40)}`;
  return {
    key,
    at,
    location: first.location,
    workspace,
    title,
    changes: [...(isArchived ? [{ at, isArchived }] : []), ...changes],
  };
}

function settingsIn(settings: JsonObject | undefined): {
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

/** A message with all its updates applied. */
interface MergedMessage {
  readonly key: string;
  readonly event: NexusEvent;
  readonly data: JsonObject;
}

function messagesOf(
  conversation: string,
  events: readonly NexusEvent[],
  stats: ReadStats,
): ForeignMessage[] {
  const answers = new Map<string, string>();
  const merged: MergedMessage[] = [];
  for (const message of mergeMessages(events)) {
    const call =
      textIn(message.data, 'role') === 'tool' ? textIn(message.data, 'tool_call_id') : undefined;
    if (call === undefined) merged.push(message);
    else answers.set(call, textIn(message.data, 'content') ?? '');
  }
  const messages: ForeignMessage[] = [];
  let parent: string | undefined;
  for (const { key, event, data } of merged) {
    const others = Array.isArray(data['alternatives'])
      ? data['alternatives'].filter(isJsonObject)
      : [];
    const all = [
      { data, key, at: event.at },
      ...others.map((other, at) => ({
        data: { ...other, role: data['role']! },
        key: textIn(other, 'id') ?? `${key} ${at}`,
        at: numberIn(other, 'timestamp') ?? event.at,
      })),
    ];
    const made = all.flatMap(({ data: each, key: id, at }): ForeignMessage[] => {
      const content = contentOf(each, answers);
      return content
        ? [{ key: id, at, location: event.location, conversation, parent, content }]
        : [];
    });
    if (made.length === 0) addLeftOut(stats, 'emptyMessages');
    for (const message of made) messages.push(message);
    const activeKey = all[numberIn(data, 'activeAlternativeIndex') ?? 0]?.key;
    parent = (made.find((message) => message.key === activeKey) ?? made[0])?.key ?? parent;
  }
  // A tool result whose call is missing becomes a message of its own.
  const [last] = messages.slice(-1);
  const unmatched: MessagePart[] = [...answers].map(([, text]) => ({
    type: 'data',
    source: 'An answer of a tool',
    text,
  }));
  if (unmatched.length > 0) {
    const event = events.at(-1)!;
    messages.push({
      key: `${conversation} answers`,
      at: last?.at ?? event.at,
      location: event.location,
      conversation,
      parent,
      content: { role: 'assistant', parts: unmatched },
    });
  }
  return messages;
}

/** Applies the updates to each message; returns the messages in the order of the conversation. */
function mergeMessages(events: readonly NexusEvent[]): MergedMessage[] {
  const merged = new Map<string, MergedMessage>();
  for (const event of events) {
    if (event.type !== 'message' && event.type !== 'message_updated') continue;
    const key = textIn(
      event.type === 'message' ? event.data : event.value,
      event.type === 'message' ? 'id' : 'messageId',
    );
    if (key === undefined) continue;
    const earlier = merged.get(key);
    merged.set(key, {
      key,
      event: earlier?.event ?? event,
      data: { ...earlier?.data, ...event.data },
    });
  }
  const rank = ({ data }: MergedMessage) => numberIn(data, 'sequenceNumber') ?? Infinity;
  return [...merged.values()].sort(
    (a, b) =>
      compareNumbers(rank(a), rank(b)) || a.event.at - b.event.at || compareText(a.key, b.key),
  );
}

function compareNumbers(a: number, b: number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Undefined if empty. Removes the results of the message's tool calls from `answers`. */
function contentOf(
  data: JsonObject,
  answers: Map<string, string>,
): ForeignMessage['content'] | undefined {
  const role = textIn(data, 'role');
  const text = textIn(data, 'content') ?? '';
  const reasoning = textIn(data, 'reasoning') ?? '';
  const calls = objectsIn(data['tool_calls']);
  const textPart: MessagePart =
    role === 'system' || role === 'tool'
      ? {
          type: 'data',
          source: role === 'system' ? 'System prompt' : 'An answer of a tool',
          text,
        }
      : { type: 'text', text };
  const parts: MessagePart[] = [
    ...(reasoning === '' ? [] : [{ type: 'reasoning', text: reasoning } as const]),
    ...(text === '' ? [] : [textPart]),
    ...calls.map((call) => toolPart(call, answers)),
  ];
  if (parts.length === 0) return undefined;
  const isFromModel = role === 'assistant' || role === 'tool';
  return {
    role: isFromModel ? 'assistant' : 'user',
    parts,
    ...(isFromModel && { end: endOf(textIn(data, 'state'), calls.length > 0) }),
  };
}

function toolPart(call: JsonObject, answers: Map<string, string>): ToolPart {
  const fn = objectIn(call, 'function');
  const id = textIn(call, 'id') ?? '';
  const given = textIn(fn, 'arguments') ?? '';
  const text = answers.get(id);
  answers.delete(id);
  const answer = text === undefined ? call['result'] : (parseJson(text) ?? text);
  const isFailed =
    call['success'] === false || (isJsonObject(answer) && answer['success'] === false);
  return {
    type: 'tool',
    id,
    tool: textIn(fn, 'name') ?? textIn(call, 'name') ?? 'unknown',
    params: given === '' ? (call['parameters'] ?? {}) : (parseJson(given) ?? given),
    ...(answer !== undefined && { answer }),
    status: isFailed ? 'failed' : answer === undefined ? 'stopped' : 'done',
  };
}

function endOf(state: string | undefined, hasCalls: boolean): MessageEnd {
  if (state === 'aborted') return 'stopped';
  if (state === 'invalid') return 'failed';
  return hasCalls ? 'tools' : 'done';
}
