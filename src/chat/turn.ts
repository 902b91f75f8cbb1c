import { isJsonObject, type Json } from '../model/event.js';
import type { MessageEnd, MessagePart, TokenUsage, ToolPart } from '../model/message.js';
import type { Answer } from '../toolkit/answer.js';
import {
  ModelFailure,
  type LanguageModel,
  type ModelFailureKind,
  type ModelMessage,
  type ModelToolCall,
  type ToolDescription,
} from './language-model.js';
import { toolMessage } from './prompt.js';

/** A `step` is a complete message, which can be stored before the next one begins. */
export type TurnEvent =
  | { readonly type: 'text' | 'reasoning'; readonly text: string }
  | { readonly type: 'callRequested' | 'callUpdated'; readonly call: ModelToolCall }
  | { readonly type: 'callStarted'; readonly id: string }
  | { readonly type: 'callFinished'; readonly part: ToolPart }
  | { readonly type: 'step'; readonly step: TurnStep };

/** One message of the model with the tool calls it made. */
export interface TurnStep {
  readonly parts: readonly MessagePart[];
  readonly end: MessageEnd;
  readonly usage: TokenUsage | undefined;
  readonly error?: StepError;
}

export interface StepError {
  /** For the user; says what to do. */
  readonly message: string;
  /** Undefined if the failure is not the provider's. */
  readonly kind?: ModelFailureKind | undefined;
  /** Milliseconds to wait before a retry, if the provider gives them. */
  readonly retryAfterMs?: number | undefined;
}

export interface TurnOptions {
  readonly model: LanguageModel;
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolDescription[];
  /** Never throws. */
  readonly call: (call: ModelToolCall) => Promise<Answer>;
  /** Resolves to true if the call may be made; waits for the user's decision if one is needed. */
  readonly approve: (call: ModelToolCall) => Promise<boolean>;
  readonly signal: AbortSignal;
  /** Number of tool calls after which the turn ends, even if the model requests more. */
  readonly maxCalls: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** A turn ends after this many identical tool calls in a row. */
const MAX_IDENTICAL_CALLS = 3;

const STREAM_ENDED_EARLY = 'The answer broke off in the middle. Try again.';

/** Runs requested tool calls until there are none. Never throws: a failure ends the last step. */
export async function* runTurn(options: TurnOptions): AsyncGenerator<TurnEvent> {
  const messages = [...options.messages];
  const recentCalls: string[] = [];
  let remaining = options.maxCalls;
  for (;;) {
    const draft = createStepDraft();
    try {
      yield* streamStep(options, messages, draft);
    } catch (error) {
      yield { type: 'step', step: failedStep(draft, error, options.signal) };
      return;
    }
    const allowed = isLooping(recentCalls, draft.calls) ? 0 : remaining;
    const results = yield* runCalls(options, draft, allowed);
    const end = stepEnd(options.signal, draft, allowed);
    remaining -= draft.calls.length;
    const parts = [...draft.parts(), ...results];
    yield { type: 'step', step: { parts, end, usage: draft.usage } };
    if (end !== 'tools') return;
    messages.push({ role: 'assistant', text: draft.text(), calls: draft.calls });
    messages.push(toolMessage(results));
  }
}

function stepEnd(signal: AbortSignal, { calls, reason }: StepDraft, allowed: number): MessageEnd {
  if (signal.aborted) return 'stopped';
  if (calls.length === 0) return reason;
  return calls.length > allowed ? 'steps' : 'tools';
}

/** The part of a model's message received so far. */
type StepDraft = ReturnType<typeof createStepDraft>;

function createStepDraft() {
  const texts: { type: 'text' | 'reasoning'; text: string }[] = [];
  return {
    texts,
    calls: [] as (ModelToolCall & { readonly problem?: string })[],
    usage: undefined as TokenUsage | undefined,
    reason: 'done' as 'done' | 'length',
    parts: (): MessagePart[] => texts.filter(({ text }) => text !== ''),
    text: () => texts.flatMap(({ type, text }) => (type === 'text' ? [text] : [])).join(''),
  };
}

async function* streamStep(
  { model, system, tools, signal }: TurnOptions,
  messages: ModelMessage[],
  draft: StepDraft,
): AsyncGenerator<TurnEvent> {
  let hasEnded = false;
  for await (const event of model.stream({ system, messages, tools }, signal)) {
    if (event.type === 'end') {
      hasEnded = true;
      draft.usage = event.usage;
      draft.reason = event.reason === 'length' ? 'length' : 'done';
    } else if (event.type === 'call') {
      const { id, tool, params, problem } = event;
      draft.calls.push({ id, tool, params, ...(problem !== undefined && { problem }) });
      yield { type: 'callRequested', call: { id, tool, params } };
    } else {
      const last = draft.texts.at(-1);
      if (last?.type === event.type) last.text += event.text;
      else draft.texts.push({ type: event.type, text: event.text });
      yield { type: event.type, text: event.text };
    }
  }
  signal.throwIfAborted();
  if (draft.texts.length === 0 && draft.calls.length === 0)
    throw new ModelFailure(
      'silent',
      'The model returned an empty answer. Try again, or choose another model.',
    );
  if (!hasEnded) throw new ModelFailure('broken', STREAM_ENDED_EARLY);
}

/** Makes as many of the calls as are allowed. */
async function* runCalls(
  options: TurnOptions,
  { calls }: StepDraft,
  allowed: number,
): AsyncGenerator<TurnEvent, ToolPart[]> {
  const parts: ToolPart[] = [];
  for (const call of calls) {
    const isSkipped = parts.length >= allowed || options.signal.aborted;
    const part = isSkipped ? skippedCall(call, 'stopped') : yield* runCall(options, call);
    parts.push(part);
    yield { type: 'callFinished', part };
  }
  return parts;
}

async function* runCall(
  { call: callTool, approve, signal, now }: TurnOptions,
  { problem, ...call }: StepDraft['calls'][number],
): AsyncGenerator<TurnEvent, ToolPart> {
  if (problem !== undefined || !isJsonObject(call.params)) {
    const error =
      problem ?? 'The parameters are not a JSON object. Call the tool again with an object.';
    return { type: 'tool', ...call, answer: { success: false, error }, status: 'failed' };
  }
  const isAllowed = await unlessAborted(approve(call), signal);
  if (isAllowed !== true) return skippedCall(call, isAllowed === false ? 'denied' : 'stopped');
  yield { type: 'callStarted', id: call.id };
  const since = now();
  // Not cancelled by the signal, because a write that has begun must have a known outcome.
  const answer = await callTool(call);
  return {
    type: 'tool',
    ...call,
    answer: JSON.parse(JSON.stringify(answer)) as Json,
    status: answer.success ? 'done' : 'failed',
    ms: Math.max(0, now() - since),
  };
}

function skippedCall({ id, tool, params }: ModelToolCall, status: 'denied' | 'stopped'): ToolPart {
  return { type: 'tool', id, tool, params, status };
}

function failedStep(draft: StepDraft, error: unknown, signal: AbortSignal): TurnStep {
  const skipped = draft.calls.map((call) => skippedCall(call, 'stopped'));
  const parts = [...draft.parts(), ...skipped];
  const { usage } = draft;
  return signal.aborted
    ? { parts, end: 'stopped', usage }
    : { parts, end: 'failed', usage, error: stepError(error, parts) };
}

function stepError(error: unknown, parts: readonly MessagePart[]): StepError {
  if (error instanceof ModelFailure) {
    const { kind, retryAfterMs } = error;
    const isPartial = kind === 'broken' && parts.length > 0;
    return { message: isPartial ? STREAM_ENDED_EARLY : error.message, kind, retryAfterMs };
  }
  const reason = error instanceof Error ? error.message : String(error);
  return { message: `The request to the model failed: ${reason}. Try again.` };
}

/** Adds the calls, and returns true if the last `MAX_IDENTICAL_CALLS` are identical. */
function isLooping(recentCalls: string[], calls: readonly ModelToolCall[]): boolean {
  for (const { tool, params } of calls) {
    const call = JSON.stringify([tool, params]);
    if (recentCalls[0] !== call) recentCalls.length = 0;
    recentCalls.push(call);
  }
  return recentCalls.length >= MAX_IDENTICAL_CALLS;
}

/** Resolves to undefined if the signal is aborted first. */
function unlessAborted<T>(task: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  if (signal.aborted) return Promise.resolve(undefined);
  return new Promise((resolve, reject) => {
    const stop = () => resolve(undefined);
    signal.addEventListener('abort', stop, { once: true });
    task.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
