import type { Json, JsonObject } from '../model/event.js';
import type { TokenUsage } from '../model/message.js';

/** What a model is told of a tool. */
export interface ToolDescription {
  readonly name: string;
  readonly description: string;
  /** JSON Schema. */
  readonly inputSchema: JsonObject;
}

/** One message as a model reads it. */
export type ModelMessage =
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly calls: readonly ModelToolCall[] }
  | { readonly role: 'tool'; readonly answers: readonly ModelToolAnswer[] };

export interface ModelToolCall {
  readonly id: string;
  readonly tool: string;
  readonly params: Json;
}

export interface ModelToolAnswer {
  readonly id: string;
  readonly tool: string;
  readonly answer: Json;
}

export interface ModelRequest {
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolDescription[];
}

/** What a model says, piece by piece. A call comes whole; where its parameters are no JSON object, `problem` says so instead. */
export type ModelEvent =
  | { readonly type: 'text' | 'reasoning'; readonly text: string }
  | ({ readonly type: 'call'; readonly problem?: string } & ModelToolCall)
  | {
      readonly type: 'end';
      readonly reason: 'done' | 'tools' | 'length';
      readonly usage: TokenUsage | undefined;
    };

/** Why a provider did not answer; the text says what to do. */
export type ModelFailureKind =
  | 'key'
  | 'network'
  | 'cors'
  | 'quota'
  | 'busy'
  | 'model'
  | 'context'
  | 'refused'
  | 'broken'
  | 'silent';

export class ModelFailure extends Error {
  override readonly name = 'ModelFailure';

  constructor(
    readonly kind: ModelFailureKind,
    message: string,
    /** After so many milliseconds it may be tried again, where the provider says so. */
    readonly retryAfter?: number,
  ) {
    super(message);
  }
}

/** A model of some provider, for one conversation. */
export interface LanguageModel {
  /** How it is called, for people. */
  readonly name: string;
  /** How much it reads at most, in tokens, where that is known. */
  readonly contextLimit: number | undefined;
  /** Ends with an `end` event. Throws a `ModelFailure`, or what `signal` was aborted with. */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}
