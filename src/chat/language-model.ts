import type { Json, JsonObject } from '../model/event.js';
import type { SentImage, TokenUsage, ToolPart } from '../model/message.js';

/** A tool as a model sees it. */
export interface ToolDescription {
  readonly name: string;
  readonly description: string;
  /** JSON Schema. */
  readonly inputSchema: JsonObject;
}

export type ModelMessage =
  | { readonly role: 'user'; readonly text: string; readonly images?: readonly SentImage[] }
  | { readonly role: 'assistant'; readonly text: string; readonly calls: readonly ModelToolCall[] }
  | {
      readonly role: 'tool';
      readonly answers: readonly (Pick<ToolPart, 'id' | 'tool'> & { readonly answer: Json })[];
    };

export type ModelToolCall = Pick<
  ToolPart,
  'id' | 'tool' | 'params' | 'title' | 'changes' | 'notUndoable'
>;

export interface ModelRequest {
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolDescription[];
}

/** Tool calls arrive complete; `problem` is set if the parameters are not valid JSON. */
export type ModelEvent =
  | { readonly type: 'text' | 'reasoning'; readonly text: string }
  | ({ readonly type: 'call'; readonly problem?: string } & ModelToolCall)
  | {
      readonly type: 'end';
      readonly reason: 'done' | 'tools' | 'length';
      readonly usage: TokenUsage | undefined;
    };

export type ModelFailureKind =
  | 'key'
  | 'network'
  | 'cors'
  | 'quota'
  | 'busy'
  | 'model'
  | 'context'
  | 'images'
  | 'refused'
  | 'broken'
  | 'silent';

/** Its message tells the user what is wrong and what to do. */
export class ModelFailure extends Error {
  override readonly name = 'ModelFailure';

  constructor(
    readonly kind: ModelFailureKind,
    message: string,
    /** Milliseconds to wait before a retry, if the provider gives them. */
    readonly retryAfterMs?: number,
  ) {
    super(message);
  }
}

export interface LanguageModel {
  readonly name: string;
  /** Context window in tokens, if known. */
  readonly contextLimit: number | undefined;
  /** Ends with an `end` event. Throws a `ModelFailure`, or the reason of an aborted signal. */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}
