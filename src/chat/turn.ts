import { isJsonObject, type Json } from '../model/event.js';
import type { MessageEnd, MessagePart, TokenUsage, ToolPart } from '../model/message.js';
import type { Answer } from '../toolkit/answer.js';
import {
  ModelFailure,
  type LanguageModel,
  type ModelMessage,
  type ModelToolCall,
  type ToolDescription,
} from './language-model.js';
import { toolAnswer } from './prompt.js';

/** What happens while a model answers. A `step` is a message that is whole: it can be kept before the next begins. */
export type TurnEvent =
  | { readonly type: 'text' | 'reasoning'; readonly text: string }
  | { readonly type: 'asked'; readonly call: ModelToolCall }
  | { readonly type: 'running'; readonly id: string }
  | { readonly type: 'answered'; readonly part: ToolPart }
  | { readonly type: 'step'; readonly step: Step };

export interface Step {
  readonly parts: readonly MessagePart[];
  readonly end: MessageEnd;
  readonly usage: TokenUsage | undefined;
  readonly error?: string;
  /** After so many milliseconds it may be tried again. */
  readonly retryAfter?: number | undefined;
}

export interface TurnOptions {
  readonly model: LanguageModel;
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolDescription[];
  /** Calls a tool. Never throws. */
  readonly call: (call: ModelToolCall) => Promise<Answer>;
  /** Whether a call may be made; resolves when the person has said so. */
  readonly approve: (call: ModelToolCall) => Promise<boolean>;
  readonly signal: AbortSignal;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** A model that goes on calling tools is stopped after so many of its messages. */
const STEP_LIMIT = 25;
/** And after so many calls in a row that are all the same. */
const SAME_CALLS_LIMIT = 3;

const BROKEN_OFF = 'The answer broke off in the middle. Try again.';

/** Lets the model answer, calls the tools that it asks for, and so on until it is done. Never throws: a failure ends the last step. */
export async function* runTurn(options: TurnOptions): AsyncGenerator<TurnEvent> {
  const messages = [...options.messages];
  const recent: string[] = [];
  for (let steps = 1; ; steps++) {
    const draft = createDraft();
    try {
      yield* streamStep(options, messages, draft);
    } catch (error) {
      yield { type: 'step', step: failedStep(draft, error, options.signal) };
      return;
    }
    const isLast = steps === STEP_LIMIT || isGoingRound(recent, draft.calls);
    const answered = yield* runCalls(options, draft, isLast);
    const end: MessageEnd = options.signal.aborted
      ? 'stopped'
      : draft.calls.length === 0
        ? draft.reason
        : isLast
          ? 'steps'
          : 'tools';
    yield {
      type: 'step',
      step: { parts: [...draft.parts(), ...answered], end, usage: draft.usage },
    };
    if (end !== 'tools') return;
    messages.push(
      { role: 'assistant', text: draft.text(), calls: draft.calls },
      {
        role: 'tool',
        answers: answered.map((part) => ({
          id: part.id,
          tool: part.tool,
          answer: toolAnswer(part),
        })),
      },
    );
  }
}

/** What a model has said in one message so far. */
interface Draft {
  readonly said: { type: 'text' | 'reasoning'; text: string }[];
  readonly calls: (ModelToolCall & { readonly problem?: string })[];
  usage: TokenUsage | undefined;
  reason: 'done' | 'length';
  parts(): MessagePart[];
  text(): string;
}

function createDraft(): Draft {
  const said: Draft['said'] = [];
  return {
    said,
    calls: [],
    usage: undefined,
    reason: 'done',
    parts: () => said.filter(({ text }) => text !== ''),
    text: () => said.flatMap(({ type, text }) => (type === 'text' ? [text] : [])).join(''),
  };
}

async function* streamStep(
  { model, system, tools, signal }: TurnOptions,
  messages: ModelMessage[],
  draft: Draft,
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
      yield { type: 'asked', call: { id, tool, params } };
    } else {
      const last = draft.said.at(-1);
      if (last?.type === event.type) last.text += event.text;
      else draft.said.push({ type: event.type, text: event.text });
      yield { type: event.type, text: event.text };
    }
  }
  signal.throwIfAborted();
  if (draft.said.length === 0 && draft.calls.length === 0)
    throw new ModelFailure(
      'silent',
      'The model answered nothing. Try again, or choose another model.',
    );
  if (!hasEnded) throw new ModelFailure('broken', BROKEN_OFF);
}

async function* runCalls(
  options: TurnOptions,
  { calls }: Draft,
  isLast: boolean,
): AsyncGenerator<TurnEvent, ToolPart[]> {
  const parts: ToolPart[] = [];
  for (const call of calls) {
    const part: ToolPart =
      isLast || options.signal.aborted ? unmade(call, 'stopped') : yield* runCall(options, call);
    parts.push(part);
    yield { type: 'answered', part };
  }
  return parts;
}

async function* runCall(
  { call: callTool, approve, signal, now }: TurnOptions,
  { problem, ...call }: Draft['calls'][number],
): AsyncGenerator<TurnEvent, ToolPart> {
  if (problem !== undefined || !isJsonObject(call.params)) {
    const error =
      problem ?? 'The parameters are no JSON object. Call the tool again with an object.';
    return { type: 'tool', ...call, answer: { success: false, error }, status: 'failed' };
  }
  const isAllowed = await orAborted(approve(call), signal);
  if (isAllowed !== true) return unmade(call, isAllowed === false ? 'denied' : 'stopped');
  yield { type: 'running', id: call.id };
  const since = now();
  const answer = await callTool(call); // a write that has begun is never left in doubt: stopping waits for it
  const status = answer.success ? 'done' : 'failed';
  return {
    type: 'tool',
    ...call,
    answer: JSON.parse(JSON.stringify(answer)) as Json,
    status,
    ms: Math.max(0, now() - since),
  };
}

function unmade({ id, tool, params }: ModelToolCall, status: 'denied' | 'stopped'): ToolPart {
  return { type: 'tool', id, tool, params, status };
}

function failedStep(draft: Draft, error: unknown, signal: AbortSignal): Step {
  const parts = [...draft.parts(), ...draft.calls.map((call) => unmade(call, 'stopped'))];
  if (signal.aborted) return { parts, end: 'stopped', usage: draft.usage };
  const isKnown = error instanceof ModelFailure;
  return {
    parts,
    end: 'failed',
    usage: draft.usage,
    error: whyOf(error, parts),
    retryAfter: isKnown ? error.retryAfter : undefined,
  };
}

/** Why an answer failed of which so much has come. */
function whyOf(error: unknown, parts: readonly MessagePart[]): string {
  if (error instanceof ModelFailure)
    return error.kind === 'broken' && parts.length > 0 ? BROKEN_OFF : error.message;
  return `The model could not be asked: ${error instanceof Error ? error.message : String(error)}. Try again.`;
}

/** Whether the model asks for the very same thing again and again. */
function isGoingRound(recent: string[], calls: readonly ModelToolCall[]): boolean {
  for (const { tool, params } of calls) {
    const call = JSON.stringify([tool, params]);
    if (recent[0] !== call) recent.length = 0;
    recent.push(call);
  }
  return recent.length >= SAME_CALLS_LIMIT;
}

/** The task's answer; undefined where the signal is aborted first. */
function orAborted<T>(task: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  if (signal.aborted) return Promise.resolve(undefined);
  return new Promise((resolve, reject) => {
    const stop = () => resolve(undefined);
    signal.addEventListener('abort', stop, { once: true });
    task.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
