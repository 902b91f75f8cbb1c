import { isJsonObject, stampTime, type Json, type JsonObject, type LogEvent } from './event.js';

/** One part of a message, in its original order. */
export type MessagePart =
  | { readonly type: 'text' | 'reasoning'; readonly text: string }
  /** A note or state attached to the message, as it was then. It is data, not the user's words. */
  | {
      readonly type: 'data';
      readonly source: string;
      readonly text: string;
      readonly path?: string;
      readonly stateId?: string;
      /** SHA-256 of the open note or of the selection in it, whose `text` the log does not keep. */
      readonly hash?: string;
      /** The image at `path`, only in a message that is being sent. The log keeps no images. */
      readonly image?: SentImage;
    }
  | ToolPart;

export type DataPart = Extract<MessagePart, { type: 'data' }>;

export interface SentImage {
  readonly mimeType: string;
  /** In Base64. */
  readonly data: string;
}

/** A tool call that the model requested, with its result. */
export interface ToolPart {
  readonly type: 'tool';
  /** The id that the model gave this call. */
  readonly id: string;
  readonly tool: string;
  /** The caller's own title; absent for a call of one of this program's tools. */
  readonly title?: string;
  readonly params: Json;
  /** Changes to files that the caller announced. */
  readonly changes?: readonly FileDiff[];
  /** Paths of files whose change cannot be undone. */
  readonly notUndoable?: readonly string[];
  /** Absent if the tool was not run. */
  readonly answer?: Json;
  readonly status: 'done' | 'failed' | 'denied' | 'stopped';
  /** Duration. */
  readonly ms?: number;
}

/** Changed lines of a file. */
export interface FileDiff {
  /** Path inside the vault, or an absolute path. */
  readonly path: string;
  /** Each line begins with `+`, `-` or a space. */
  readonly lines: readonly string[];
  /** True if lines are missing: too many, or those of a file that is no text in UTF-8. */
  readonly isCut: boolean;
}

export type MessageEnd = 'done' | 'tools' | 'stopped' | 'failed' | 'length' | 'steps';

/** An immutable message: an edited or regenerated one is another child of the same parent. */
export interface Message {
  readonly id: string;
  readonly conversationId: string;
  /** Id of the preceding message; undefined for a first message. */
  readonly parentId: string | undefined;
  readonly role: 'user' | 'assistant';
  readonly parts: readonly MessagePart[];
  readonly createdAt: string;
  /** Name of the model, in its messages only. */
  readonly model?: string | undefined;
  /** Reported by the provider, in a model's messages only. */
  readonly usage?: TokenUsage | undefined;
  readonly end?: MessageEnd | undefined;
  readonly error?: string | undefined;
  /** True for an imported message outside the branch that was shown at the source. */
  readonly isAside?: boolean | undefined;
}

export interface TokenUsage {
  readonly input: number;
  readonly output: number;
}

export type MessageContent = Omit<Message, 'id' | 'createdAt'>;

/** Returns the data of a `msg.new` event. */
export function messageData(message: MessageContent): JsonObject {
  const { conversationId, parentId, role, parts, model, usage, end, error, isAside } = message;
  return {
    conv: conversationId,
    parent: parentId ?? '',
    role,
    parts: parts as unknown as Json,
    ...(model !== undefined && { model }),
    ...(usage && { usage: { ...usage } }),
    ...(end && { end }),
    ...(error !== undefined && { error }),
    ...(isAside && { isAside }),
  };
}

/** Returns the message in an event, without parts of unknown types; undefined if it has none. */
export function messageOf(event: LogEvent): Message | undefined {
  const { conv, parent, role, parts, model, usage, end, error, isAside } = event.d;
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
    ...(isAside === true && { isAside }),
  };
}

/** Returns the text of a message, without reasoning, tool calls and attachments. */
export function textOfMessage({ parts }: Pick<Message, 'parts'>): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n');
}

function isPart(value: unknown): value is MessagePart {
  if (!isJsonObject(value)) return false;
  const { type, text, id, tool, title = '', source, status } = value;
  const { changes = [], notUndoable = [] } = value;
  if (type === 'tool')
    return (
      isTexts([id, tool, title, status]) &&
      Array.isArray(changes) &&
      changes.every(isFileDiff) &&
      isTexts(notUndoable) &&
      'params' in value
    );
  if (type === 'data') return isTexts([text, source]);
  return (type === 'text' || type === 'reasoning') && isTexts([text]);
}

function isFileDiff(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const { path, lines } = value;
  return typeof path === 'string' && isTexts(lines);
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

function isUsage(value: unknown): value is TokenUsage & JsonObject {
  return (
    isJsonObject(value) && typeof value['input'] === 'number' && typeof value['output'] === 'number'
  );
}

function isEnd(value: unknown): value is MessageEnd {
  return ['done', 'tools', 'stopped', 'failed', 'length', 'steps'].includes(value as string);
}
