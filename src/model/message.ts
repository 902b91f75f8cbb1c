import { isJsonObject, stampTime, type Json, type JsonObject, type LogEvent } from './event.js';

/** One piece of a message, in the order in which it came. */
export type MessagePart =
  | { readonly type: 'text' | 'reasoning'; readonly text: string }
  /** A note or a state that was laid beside the words, as it was at that moment: data, never words of the person. */
  | {
      readonly type: 'data';
      readonly source: string;
      readonly text: string;
      readonly path?: string;
      readonly stateId?: string;
    }
  | ToolPart;

/** A call of a tool that the model asked for, and what came of it. */
export interface ToolPart {
  readonly type: 'tool';
  /** The model's own id of the call. */
  readonly id: string;
  readonly tool: string;
  readonly params: Json;
  /** What the tool answered, as JSON; absent where it was not run. */
  readonly answer?: Json;
  readonly status: 'done' | 'failed' | 'denied' | 'stopped';
  /** Milliseconds that it took. */
  readonly ms?: number;
}

/** How a model's message came to its end. */
export type MessageEnd = 'done' | 'tools' | 'stopped' | 'failed' | 'length' | 'steps';

/** One message of a conversation. It never changes: what is edited or asked again is another, beside it under the same parent. */
export interface Message {
  readonly id: string;
  readonly conversationId: string;
  /** The message before it; undefined for a first one. */
  readonly parentId: string | undefined;
  readonly role: 'user' | 'assistant';
  readonly parts: readonly MessagePart[];
  readonly createdAt: string;
  /** Of a model's message: which one, what it read and wrote in tokens as its provider says, and how it ended. */
  readonly model?: string | undefined;
  readonly usage?: TokenUsage | undefined;
  readonly end?: MessageEnd | undefined;
  /** What failed, in words. */
  readonly error?: string | undefined;
}

export interface TokenUsage {
  readonly input: number;
  readonly output: number;
}

export type MessageContent = Omit<Message, 'id' | 'createdAt'>;

/** The data of a `msg.new` event. */
export function messageData(message: MessageContent): JsonObject {
  const { conversationId, parentId, role, parts, model, usage, end, error } = message;
  return {
    conv: conversationId,
    parent: parentId ?? '',
    role,
    parts: parts.map((part) => ({ ...part })),
    ...(model !== undefined && { model }),
    ...(usage && { usage: { ...usage } }),
    ...(end && { end }),
    ...(error !== undefined && { error }),
  };
}

/** The message that an event carries; undefined for any other event. Parts of a kind that is not known here are left out. */
export function messageOf(event: LogEvent): Message | undefined {
  const { conv, parent, role, parts, model, usage, end, error } = event.d;
  if (
    event.t !== 'msg.new' ||
    typeof conv !== 'string' ||
    (role !== 'user' && role !== 'assistant') ||
    !Array.isArray(parts)
  )
    return undefined;
  return {
    id: event.e,
    conversationId: conv,
    parentId: typeof parent === 'string' && parent !== '' ? parent : undefined,
    role,
    parts: (parts as unknown[]).filter(isPart),
    createdAt: stampTime(event),
    ...(typeof model === 'string' && { model }),
    ...(isUsage(usage) && { usage }),
    ...(isEnd(end) && { end }),
    ...(typeof error === 'string' && { error }),
  };
}

/** The words of a message, without what was thought, called or laid beside them. */
export function wordsOfMessage({ parts }: Pick<Message, 'parts'>): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n');
}

function isPart(value: unknown): value is MessagePart {
  if (!isJsonObject(value)) return false;
  const { type, text, id, tool, source, status } = value;
  if (type === 'tool')
    return (
      typeof id === 'string' &&
      typeof tool === 'string' &&
      typeof status === 'string' &&
      'params' in value
    );
  if (type === 'data') return typeof text === 'string' && typeof source === 'string';
  return (type === 'text' || type === 'reasoning') && typeof text === 'string';
}

function isUsage(value: unknown): value is TokenUsage & JsonObject {
  return (
    isJsonObject(value) && typeof value['input'] === 'number' && typeof value['output'] === 'number'
  );
}

function isEnd(value: unknown): value is MessageEnd {
  return ['done', 'tools', 'stopped', 'failed', 'length', 'steps'].includes(value as string);
}
