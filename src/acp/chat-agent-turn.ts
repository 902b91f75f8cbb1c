import type { TurnEvent, TurnStep } from '../chat/turn.js';
import { isJsonObject, type Json, type JsonObject } from '../model/event.js';
import type { FileDiff, MessageEnd, MessagePart, TokenUsage, ToolPart } from '../model/message.js';
import { cutText, truncate } from '../model/text/truncate.js';
import { isText, objectsIn, textIn } from '../model/text/json-fields.js';
import { diffOf } from './line-diff.js';

export interface ChatAgentCall {
  readonly id: string;
  /** Name of a tool of this program, or else the kind of the call, such as `edit`. */
  tool: string;
  /** The agent's own title; undefined for a tool of this program. */
  title: string | undefined;
  params: Json;
  /** As the agent wrote them. */
  paths: readonly string[];
  changes: readonly FileDiff[];
  /** Files whose change cannot be undone, as the user sees them. */
  notUndoable: readonly string[];
  output: string;
  /** Why this program has denied it. */
  refusal: string | undefined;
  status: 'waiting' | 'running' | ToolPart['status'];
  startedAt: number;
}

export interface ChatAgentTurnOptions {
  /** Tools of this program, which an agent calls through its MCP server. */
  readonly toolNames: readonly string[];
  /** Returns a path as the user sees it. */
  readonly displayPath: (path: string) => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** A longer step is stored, and the next one begins: the log refuses messages of 900 KB. */
const MAX_STEP_CHARS = 200_000;
const MAX_OUTPUT_CHARS = 8000;
const MAX_PARAM_CHARS = 2000;
const MAX_PARAMS_DEPTH = 6;
const MAX_PARAM_ITEMS = 50;
const MAX_TITLE_CHARS = 300;

const SERVER_NAME = /savepoint/iu;
/** Call that shows the agent's plan. */
const PLAN_ID = 'plan';

/** Turns an agent's updates into events and steps like those of a model's turn. */
export class ChatAgentTurn {
  readonly #options: ChatAgentTurnOptions;
  #texts: { type: 'text' | 'reasoning'; text: string }[] = [];
  #chars = 0;
  #calls = new Map<string, ChatAgentCall>();
  #usage: TokenUsage | undefined;

  constructor(options: ChatAgentTurnOptions) {
    this.#options = options;
  }

  /** Returns the events of a `session/update`, none if it is unknown. */
  apply(update: JsonObject): TurnEvent[] {
    switch (update['sessionUpdate']) {
      case 'agent_message_chunk':
        return this.#addText('text', blockText(update['content']));
      case 'agent_thought_chunk':
        return this.#addText('reasoning', blockText(update['content']));
      case 'tool_call':
      case 'tool_call_update':
        return this.#updateCall(update);
      case 'plan':
        return this.#updatePlan(update['entries']);
      case 'usage_update':
        if (typeof update['used'] === 'number') this.#usage = { input: update['used'], output: 0 };
        return [];
      default:
        return [];
    }
  }

  /** Takes a `tool_call` or `tool_call_update`. */
  callOf(update: JsonObject): ChatAgentCall | undefined {
    return this.#calls.get(idOf(update));
  }

  /** Returns the call, and the events that show it to the user. */
  requestApproval(toolCall: JsonObject): { call: ChatAgentCall; events: TurnEvent[] } {
    const events = this.#updateCall({ ...toolCall, status: 'pending' });
    const call = this.#calls.get(idOf(toolCall));
    if (!call) throw new Error('The call has just been added');
    return { call, events };
  }

  /**
   * A denied call stays denied, whichever status the agent reports later.
   *
   * @param refusal Why this program has denied it; undefined if the user has decided.
   */
  decide(call: ChatAgentCall, isAllowed: boolean, refusal?: string): TurnEvent[] {
    if (isAllowed) return this.#startCall(call);
    call.refusal = refusal;
    return this.#finishCall(call, 'denied');
  }

  markNotUndoable(call: ChatAgentCall, path: string): TurnEvent[] {
    if (call.notUndoable.includes(path)) return [];
    call.notUndoable = [...call.notUndoable, path];
    return [{ type: 'callUpdated', call: toModelCall(call) }];
  }

  /** Returns the last step. Calls that have not ended count as stopped. */
  end(end: MessageEnd, error?: TurnStep['error']): TurnEvent[] {
    const open = [...this.#calls.values()].filter((call) => !isFinished(call));
    const isDone = ({ id }: ChatAgentCall) => id === PLAN_ID && end === 'done';
    const events = open.flatMap((call) =>
      this.#finishCall(call, isDone(call) ? 'done' : 'stopped'),
    );
    return [...events, this.#takeStep(end, error)];
  }

  #addText(type: 'text' | 'reasoning', text: string): TurnEvent[] {
    if (text === '') return [];
    const isNewStep = this.#isStepDone() || this.#chars > MAX_STEP_CHARS;
    const events: TurnEvent[] = isNewStep ? [this.#takeStep('tools')] : [];
    const last = this.#texts.at(-1);
    if (last?.type === type) last.text += text;
    else this.#texts.push({ type, text });
    this.#chars += text.length;
    return [...events, { type, text }];
  }

  /** True if all calls of the step have ended, except the plan, which stays open for the turn. */
  #isStepDone(): boolean {
    const calls = [...this.#calls.values()].filter(({ id }) => id !== PLAN_ID);
    return calls.length > 0 && calls.every(isFinished);
  }

  #takeStep(end: MessageEnd, error?: TurnStep['error']): TurnEvent {
    const plan = this.#calls.get(PLAN_ID);
    const calls = [...this.#calls.values()].filter(isFinished);
    const parts: MessagePart[] = [...this.#texts, ...calls.map((call) => this.#partOf(call))];
    const usage = end === 'tools' ? undefined : this.#usage;
    this.#texts = [];
    this.#chars = 0;
    this.#calls = new Map(plan && !isFinished(plan) ? [[PLAN_ID, plan]] : []);
    return { type: 'step', step: { parts, end, usage, ...(error && { error }) } };
  }

  #updateCall(update: JsonObject): TurnEvent[] {
    const id = idOf(update);
    if (id === '') return [];
    const known = this.#calls.get(id);
    const call = known ?? newCall(id);
    const isChanged = this.#merge(call, update) || !known;
    this.#calls.set(id, call);
    const shown = toModelCall(call);
    const events: TurnEvent[] = [];
    if (isChanged) events.push({ type: known ? 'callUpdated' : 'callRequested', call: shown });
    if (isFinished(call)) return events;
    switch (update['status']) {
      case 'in_progress':
        return [...events, ...this.#startCall(call)];
      case 'completed':
        return [...events, ...this.#finishCall(call, 'done')];
      case 'failed':
        return [...events, ...this.#finishCall(call, 'failed')];
      default:
        return events;
    }
  }

  /** Copies the fields of an update. Returns true if the call looks different now. */
  #merge(call: ChatAgentCall, update: JsonObject): boolean {
    const before = JSON.stringify(toModelCall(call));
    const { title, name, kind, rawInput, rawOutput, content, locations } = update;
    const words = [name, title].filter((word) => typeof word === 'string');
    const tool = this.#ownTool(words);
    if (tool !== undefined) {
      call.tool = tool;
      call.title = undefined;
    } else if (typeof kind === 'string' && call.title !== undefined) call.tool = kind;
    if (tool === undefined && call.title !== undefined && typeof title === 'string')
      call.title = cutText(title, MAX_TITLE_CHARS);
    if (isJsonObject(rawInput)) call.params = compact(ownArguments(call, rawInput));
    const items = objectsIn(content);
    const diffs = items.filter(({ type }) => type === 'diff');
    if (diffs.length > 0) call.changes = diffs.map((diff) => this.#changeOf(diff));
    const paths = [...objectsIn(locations), ...diffs].flatMap(
      (place) => textIn(place, 'path') ?? [],
    );
    if (paths.length > 0) call.paths = [...new Set([...call.paths, ...paths])];
    const shown = items.map(({ content: block }) => blockText(block)).join('');
    const raw = typeof rawOutput === 'string' ? rawOutput : '';
    const output = shown === '' ? raw : shown;
    if (output !== '') call.output = cutText(output, MAX_OUTPUT_CHARS);
    return JSON.stringify(toModelCall(call)) !== before;
  }

  /** Returns the tool of this program that an agent's name or title for a call contains. */
  #ownTool(words: readonly string[]): string | undefined {
    const word = words.find((each) => SERVER_NAME.test(each));
    if (word === undefined) return undefined;
    const parts = word.split(/[^\p{L}\p{N}]+/u);
    return this.#options.toolNames.find((tool) => parts.includes(tool));
  }

  #changeOf({ path, oldText, newText }: JsonObject): FileDiff {
    const [before, after] = [oldText, newText].map((text) => (isText(text) ? text : ''));
    const shown = typeof path === 'string' ? this.#options.displayPath(path) : '';
    return diffOf(shown, before ?? '', after ?? '');
  }

  #updatePlan(entries: Json | undefined): TurnEvent[] {
    const lines = objectsIn(entries).flatMap((entry) => {
      const { status, content } = entry;
      if (typeof content !== 'string') return [];
      const mark = typeof status === 'string' ? PLAN_MARKS[status] : undefined;
      return [`${mark ?? '○'} ${content}`];
    });
    const known = this.#calls.get(PLAN_ID);
    const call = known ?? { ...newCall(PLAN_ID), tool: PLAN_ID, status: 'running' };
    call.output = cutText(lines.join('\n'), MAX_OUTPUT_CHARS);
    call.params = { plan: call.output };
    this.#calls.set(PLAN_ID, call);
    const shown = toModelCall(call);
    if (known) return [{ type: 'callUpdated', call: shown }];
    return [
      { type: 'callRequested', call: shown },
      { type: 'callStarted', id: PLAN_ID },
    ];
  }

  #startCall(call: ChatAgentCall): TurnEvent[] {
    if (call.status !== 'waiting') return [];
    call.status = 'running';
    call.startedAt = this.#options.now();
    return [{ type: 'callStarted', id: call.id }];
  }

  #finishCall(call: ChatAgentCall, status: ToolPart['status']): TurnEvent[] {
    if (isFinished(call)) return [];
    call.status = status;
    return [{ type: 'callFinished', part: this.#partOf(call) }];
  }

  #partOf(call: ChatAgentCall): ToolPart {
    const { output, status, startedAt, refusal } = call;
    const error = status === 'failed' ? output : refusal;
    let answer: JsonObject | undefined;
    if (status === 'done') answer = { success: true, data: output };
    else if (error !== undefined) answer = { success: false, error };
    return {
      type: 'tool',
      ...toModelCall(call),
      ...(answer && { answer }),
      status: status === 'waiting' || status === 'running' ? 'stopped' : status,
      ...(startedAt > 0 && { ms: Math.max(0, this.#options.now() - startedAt) }),
    };
  }
}

const PLAN_MARKS: Readonly<Record<string, string>> = { completed: '✓', in_progress: '→' };

function newCall(id: string): ChatAgentCall {
  return {
    id,
    tool: 'other',
    title: '',
    params: {},
    paths: [],
    changes: [],
    notUndoable: [],
    output: '',
    refusal: undefined,
    status: 'waiting',
    startedAt: 0,
  };
}

function toModelCall({ id, tool, title, params, changes, notUndoable }: ChatAgentCall) {
  return {
    id,
    tool,
    params,
    ...(title !== undefined && { title }),
    ...(changes.length > 0 && { changes }),
    ...(notUndoable.length > 0 && { notUndoable }),
  };
}

function isFinished({ status }: ChatAgentCall): boolean {
  return status !== 'waiting' && status !== 'running';
}

function idOf({ toolCallId }: JsonObject): string {
  return typeof toolCallId === 'string' ? toolCallId : '';
}

/** Returns the text of a block; for other blocks, what they are or refer to. */
function blockText(block: Json | undefined): string {
  if (!isJsonObject(block)) return '';
  const { type, text, uri, resource } = block;
  if (type === 'text') return typeof text === 'string' ? text : '';
  if (type === 'resource_link' && typeof uri === 'string') return uri;
  if (isJsonObject(resource) && typeof resource['text'] === 'string') return resource['text'];
  return typeof type === 'string' ? `[${type}]` : '';
}

/** Unwraps the arguments, which some agents put in an object with the server's name. */
function ownArguments({ title }: ChatAgentCall, input: JsonObject): JsonObject {
  const inner = input['arguments'];
  return title === undefined && isJsonObject(inner) ? inner : input;
}

/** Shortens parameters, because they are stored with the conversation. */
function compact(value: Json, depth = 0): Json {
  if (typeof value === 'string') return truncate(value, MAX_PARAM_CHARS);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_PARAMS_DEPTH) return '…';
  if (Array.isArray(value))
    return value.slice(0, MAX_PARAM_ITEMS).map((item) => compact(item, depth + 1));
  const entries = Object.entries(value).slice(0, MAX_PARAM_ITEMS);
  return Object.fromEntries(entries.map(([key, item]) => [key, compact(item, depth + 1)]));
}
