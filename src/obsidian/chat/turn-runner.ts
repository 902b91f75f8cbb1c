import type { ModelToolCall } from '../../chat/language-model.js';
import type { PanelEvent } from '../../chat/panel.js';
import { modelMessages, systemPrompt } from '../../chat/prompt.js';
import { runTurn, type TurnEvent, type TurnStep } from '../../chat/turn.js';
import { isJsonObject, type Json, type JsonObject } from '../../model/event.js';
import { workspaceById } from '../../model/lookup.js';
import type { Message, MessageContent, ToolPart } from '../../model/message.js';
import { Refusal } from '../../model/refusal.js';
import { createEntityId } from '../../platform/random.js';
import type { Answer } from '../../toolkit/answer.js';
import type { ApprovalDecision } from '../../toolkit/client-policy.js';
import { callTool } from '../../toolkit/call-tool.js';
import { toolNamed } from '../calls/labels.js';
import type { ChatAgentService } from '../chat-agents/chat-agent-service.js';
import { report } from '../host/logger.js';
import { text } from '../i18n/index.js';
import { CHAT_AGENT_PROVIDER, formatModelRef, type ModelRef } from '../models/model-ref.js';
import type { ModelRegistry } from '../models/model-registry.js';
import type { Savepoint } from '../savepoint.js';
import type { Store } from '../store.js';
import { toolDescriptions } from './chat-tools.js';
import { withImages, type ImageModels } from './images.js';
import { mustFail } from './must-fail.js';
import { withOpenNotes } from './sent-notes.js';
import { localDay } from '../../model/text/local-minute.js';

export interface TurnRunnerOptions {
  readonly savepoint: Savepoint;
  readonly models: Pick<ModelRegistry, 'open' | 'preferred' | 'openNoteChoice'> & ImageModels;
  /** Undefined where agents cannot run. */
  readonly chatAgents: ChatAgentService | undefined;
  /** Model of the conversation; undefined for the preferred one. */
  readonly model: Store<ModelRef | undefined>;
  readonly workspaceId: Store<string>;
  readonly enterWorkspace: (id: string) => Promise<void>;
  /** Returns the messages from the root to a leaf. */
  readonly path: (leafId: string) => readonly Message[];
  /** Resolves once the message is durable. */
  readonly store: (content: Omit<MessageContent, 'conversationId'>) => Promise<Message>;
  readonly dispatch: (event: PanelEvent) => void;
  /** Lets every conversation run the tool without approval from now on. */
  readonly allowAlways: (tool: string) => Promise<void>;
  readonly yieldToHost: () => Promise<void>;
}

interface CallOptions {
  /** Undefined for a call of the user. */
  readonly model?: string | undefined;
  readonly workspaceId?: string | undefined;
}

interface UserCall {
  readonly tool: string;
  readonly params: JsonObject;
  /** Undefined for the conversation's workspace. */
  readonly workspaceId: string | undefined;
}

/** Reason of a stop that nobody asked for: the plugin ends. */
export const INTERRUPTED = 'interrupted';

/** Runs the turns and tool calls of one conversation. The user approves calls that write. */
export class TurnRunner {
  readonly #options: TurnRunnerOptions;
  readonly #pendingApprovals = new Map<string, (isAllowed: boolean) => void>();
  readonly #allowedTools = new Set<string>();

  constructor(options: TurnRunnerOptions) {
    this.#options = options;
  }

  /** Lets the model answer the message `leafId`, storing each step. Returns the last step. */
  async run(sessionId: string, leafId: string, signal: AbortSignal): Promise<TurnStep | undefined> {
    const { savepoint, models, chatAgents, model, dispatch, yieldToHost } = this.#options;
    await yieldToHost(); // drawing the sent message and building the request are separate tasks
    const ref = model.get() ?? models.preferred();
    const isAgent = ref?.provider === CHAT_AGENT_PROVIDER;
    const isOn = ref !== undefined && models.openNoteChoice(ref) === true;
    const path = this.#options.path(leafId);
    // an agent has what it answered since it was started, and gets only the last message
    const heard = chatAgents?.running(sessionId) && ref && formatModelRef(ref);
    const isHeard = (reply?: Message) => !isAgent || !reply || reply.model === heard;
    const noted = await withOpenNotes(savepoint, path, (at) => isOn && isHeard(path[at + 1]));
    const messages = await withImages(this.#options, noted, ref);
    let parentId = leafId;
    let last: TurnStep | undefined;
    const events = isAgent
      ? this.#agentTurn(ref.model, sessionId, messages, signal)
      : this.#modelTurn(ref, sessionId, messages, signal);
    for await (const event of events) {
      dispatch(event);
      if (event.type === 'callRequested' && this.#pendingApprovals.has(event.call.id))
        dispatch({ type: 'approvalRequested', id: event.call.id });
      if (event.type !== 'step') continue;
      const isInterrupted = event.step.end === 'stopped' && signal.reason === INTERRUPTED;
      const interrupted = { end: 'failed', error: { message: text.chat.interrupted } } as const;
      last = isInterrupted ? { ...event.step, ...interrupted } : event.step;
      const message = await this.#storeStep(last, parentId, ref);
      parentId = message.id;
      dispatch({ type: 'stored', message });
    }
    return last;
  }

  #modelTurn(
    ref: ModelRef | undefined,
    sessionId: string,
    messages: readonly Message[],
    signal: AbortSignal,
  ): AsyncIterable<TurnEvent> {
    const { savepoint, models, workspaceId } = this.#options;
    const { app, clock, memory } = savepoint;
    return runTurn({
      model: models.open(ref),
      system: systemPrompt({
        vaultName: app.vault.getName(),
        workspaceName: workspaceById(memory.get(), workspaceId.get()).name,
        today: localDay(new Date(clock.now()).toISOString()),
      }),
      messages: modelMessages(messages),
      tools: toolDescriptions(savepoint),
      call: ({ tool, params }) =>
        this.callTool(sessionId, tool, params, { model: ref && formatModelRef(ref) }),
      approve: (call) => this.#approve(call),
      signal,
      maxCalls: savepoint.settings.callLimit,
      now: () => clock.now(),
    });
  }

  async *#agentTurn(
    agentId: string,
    conversationId: string,
    path: readonly Message[],
    signal: AbortSignal,
  ): AsyncGenerator<TurnEvent> {
    const { chatAgents, workspaceId } = this.#options;
    if (!chatAgents) throw new Refusal(text.chatAgents.onlyDesktop);
    yield* chatAgents.run({
      agentId,
      conversationId,
      workspaceId: workspaceId.get(),
      path,
      signal,
      approve: (call) => (call.title === undefined ? this.#approve(call) : this.#ask(call)),
    });
  }

  /** Calls a tool for the user, without approval, and stores the call below `parentId`. */
  async runUserCall(
    sessionId: string,
    parentId: string,
    { tool, params, workspaceId }: UserCall,
  ): Promise<Answer> {
    const { savepoint, dispatch, store } = this.#options;
    const { clock, services } = savepoint;
    const id = `person_${createEntityId(services.random)}`;
    dispatch({ type: 'callRequested', call: { id, tool, params } });
    dispatch({ type: 'callStarted', id });
    const since = clock.now();
    const answer = await this.callTool(sessionId, tool, params, { workspaceId });
    const part: ToolPart = {
      type: 'tool',
      id,
      tool,
      params,
      answer: JSON.parse(JSON.stringify(answer)) as Json,
      status: answer.success ? 'done' : 'failed',
      ms: Math.max(0, clock.now() - since),
    };
    dispatch({ type: 'callFinished', part });
    const message = await store({ role: 'assistant', parentId, parts: [part], end: 'done' });
    dispatch({ type: 'stored', message });
    return answer;
  }

  /** Calls a tool, by default in the conversation's workspace, which the tool may switch. */
  async callTool(
    sessionId: string,
    tool: string,
    params: Json,
    { model, workspaceId = this.#options.workspaceId.get() }: CallOptions = {},
  ): Promise<Answer> {
    const { savepoint, enterWorkspace } = this.#options;
    const { toolkit } = savepoint;
    // the model must not choose session or workspace
    const { context: _, ...own } = isJsonObject(params) ? params : {};
    const answer = await callTool(toolkit, {
      tool,
      params: { ...own, context: { workspaceId } }, // named, so no answer repeats it
      defaults: { sessionId, model },
    });
    const entered = toolkit.sessions.get(sessionId);
    toolkit.sessions.delete(sessionId);
    // the views show the call's effect as soon as it is done
    await savepoint.refresh().catch(report);
    if (entered !== undefined) await enterWorkspace(entered);
    return answer;
  }

  /** Applies the user's decision. Does nothing unless the call is waiting for approval. */
  decide({ id, tool }: ModelToolCall, decision: ApprovalDecision): void {
    const settle = this.#pendingApprovals.get(id);
    if (!settle) return;
    this.#pendingApprovals.delete(id);
    if (decision === 'session' || decision === 'always') this.#allowedTools.add(tool);
    if (decision === 'always') void this.#options.allowAlways(tool).catch(report);
    this.#options.dispatch({ type: 'approvalDecided', id });
    settle(decision !== 'deny');
  }

  /** Clears the pending approvals of a turn that has ended. */
  clearApprovals(): void {
    this.#pendingApprovals.clear();
  }

  #storeStep(step: TurnStep, parentId: string, ref: ModelRef | undefined): Promise<Message> {
    const { parts, end, usage, error } = step;
    return this.#options.store({
      role: 'assistant',
      parentId,
      parts,
      end,
      ...(ref && { model: formatModelRef(ref) }),
      ...(usage && { usage }),
      ...(error && { error: error.message }),
    });
  }

  async #approve({
    id,
    tool,
    params,
  }: Pick<ModelToolCall, 'id' | 'tool' | 'params'>): Promise<boolean> {
    const { savepoint, workspaceId } = this.#options;
    const known = toolNamed(savepoint, tool);
    // an unknown tool fails with its own error
    if (!known || known.access === 'read') return true;
    if (savepoint.settings.allowedTools.includes(tool)) return true;
    if (mustFail(savepoint.memory.get(), workspaceId.get(), known, params)) return true;
    return this.#ask({ id, tool });
  }

  /** Asks the user, unless all calls of this tool are allowed in the conversation. */
  #ask({ id, tool }: Pick<ModelToolCall, 'id' | 'tool'>): Promise<boolean> {
    if (this.#allowedTools.has(tool)) return Promise.resolve(true);
    const decided = new Promise<boolean>((resolve) => this.#pendingApprovals.set(id, resolve));
    this.#options.dispatch({ type: 'approvalRequested', id });
    return decided;
  }
}
