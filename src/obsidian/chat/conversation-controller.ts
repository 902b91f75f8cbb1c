import type { ChatConversation, Conversations } from '../../chat/conversations.js';
import type { ModelFailureKind } from '../../chat/language-model.js';
import { validatedMessageData } from '../../chat/log-conversations.js';
import { idlePanel, reducePanel, type PanelEvent, type PanelState } from '../../chat/panel.js';
import { createThread, newestLeaf, pathTo, type Thread } from '../../chat/thread.js';
import type { TurnStep } from '../../chat/turn.js';
import type { JsonObject } from '../../model/event.js';
import type { Message, MessageContent, MessagePart, ToolPart } from '../../model/message.js';
import { Refusal } from '../../model/refusal.js';
import { createEntityId } from '../../platform/random.js';
import type { Answer } from '../../toolkit/answer.js';
import type { ApprovalDecision } from '../../toolkit/client-policy.js';
import type { ChatAgentService } from '../chat-agents/chat-agent-service.js';
import { faultText } from '../host/logger.js';
import { requestParts } from '../calls/call-sentence.js';
import { text } from '../i18n/index.js';
import { formatModelRef, parseModelRef, type ModelRef } from '../models/model-ref.js';
import type { Savepoint } from '../savepoint.js';
import { createStore, type Store, type WritableStore } from '../store.js';
import { titleOf } from './conversation-title.js';
import type { InterruptedAnswers } from './interrupted-answers.js';
import { INTERRUPTED, TurnRunner, type TurnRunnerOptions } from './turn-runner.js';

/** A user's message that is not stored yet. */
export type PendingMessage = Pick<MessageContent, 'parentId' | 'parts'>;

export interface ControllerOptions {
  readonly savepoint: Savepoint;
  readonly conversations: Conversations;
  readonly models: TurnRunnerOptions['models'];
  /** Undefined where agents cannot run. */
  readonly chatAgents?: ChatAgentService | undefined;
  /** Returns a conversation as it was last read. */
  readonly find: (id: string) => ChatConversation | undefined;
  readonly onCreated: (conversation: ChatConversation, controller: ConversationController) => void;
  readonly turnBegan?: (controller: ConversationController) => void;
  readonly asked?: (controller: ConversationController) => void;
  /** Called after each call of a model, with the workspace of its conversation. */
  readonly called?: ((call: ToolPart, workspaceId: string) => void) | undefined;
  /** Called after each turn, and after each message that starts none. */
  readonly turnEnded?: (controller: ConversationController) => void;
  /** Keeps answers while they are streamed. */
  readonly interrupted?: InterruptedAnswers | undefined;
  /** Lets every conversation run the tool without approval from now on. */
  readonly allowAlways: (tool: string) => Promise<void>;
  readonly whenPainted: () => Promise<void>;
  readonly yieldToHost: () => Promise<void>;
}

/** Position of a new message; a first message has no parent. */
interface SendOptions {
  readonly parentId: string | undefined;
}

/** One open conversation. Its turn continues while no view shows it; all views show one state. */
export class ConversationController {
  readonly #options: ControllerOptions;
  readonly #runner: TurnRunner;
  readonly #messages = new Map<string, Message>();
  readonly #id: WritableStore<string | undefined>;
  readonly #thread: WritableStore<Thread | undefined>;
  readonly #trouble = createStore<string | undefined>(undefined);
  readonly #panel = createStore<PanelState>(idlePanel);
  readonly #pending = createStore<PendingMessage | undefined>(undefined);
  readonly #failureKind = createStore<ModelFailureKind | undefined>(undefined);
  readonly #workspaceId: WritableStore<string>;
  readonly #model = createStore<ModelRef | undefined>(undefined);
  #isModelSelected = false;
  #writes = 0;
  #running: { readonly stop: AbortController; readonly done: Promise<void> } | undefined;

  /** Identifies the controller, even before the conversation has an id. */
  readonly key: string;
  /** Also the session id of its calls; undefined until the first message is sent. */
  readonly id: Store<string | undefined>;
  /** Undefined until the messages have been read. */
  readonly thread: Store<Thread | undefined>;
  /** Reason why the messages cannot be read, for the user. */
  readonly trouble: Store<string | undefined> = this.#trouble;
  readonly panel: Store<PanelState> = this.#panel;
  readonly pending: Store<PendingMessage | undefined> = this.#pending;
  readonly failureKind: Store<ModelFailureKind | undefined> = this.#failureKind;
  readonly workspaceId: Store<string>;
  /** The chosen model, else the one that answered last; undefined for the preferred one. */
  readonly model: Store<ModelRef | undefined> = this.#model;

  /** @param existingId Id of a stored conversation; without it, the first message creates one. */
  constructor(options: ControllerOptions, existingId?: string) {
    const { savepoint, models, chatAgents, allowAlways, yieldToHost } = options;
    this.#options = options;
    this.id = this.#id = createStore(existingId);
    this.thread = this.#thread = createStore<Thread | undefined>(
      existingId ? undefined : createThread([]),
    );
    this.workspaceId = this.#workspaceId = createStore(
      this.#storedWorkspace() ?? savepoint.workspaceOfOpenNote().id,
    );
    this.key = createEntityId(savepoint.services.random);
    this.#runner = new TurnRunner({
      savepoint,
      models,
      chatAgents,
      allowAlways,
      yieldToHost,
      model: this.#model,
      workspaceId: this.#workspaceId,
      enterWorkspace: (id) => this.enterWorkspace(id),
      path: (leafId) => this.#pathTo(leafId),
      store: (content) => this.#store(content),
      dispatch: (event) => this.#dispatch(event),
    });
  }

  /** Returns true while a message is being sent or answered. */
  isBusy(): boolean {
    return this.#running !== undefined || this.#pending.get() !== undefined;
  }

  /** Returns true while a message is being written to the log. */
  isWriting(): boolean {
    return this.#writes > 0;
  }

  /** Returns the messages of the branch shown, from the root on. */
  path(): Message[] {
    return this.#pathTo(this.#panel.get().leafId);
  }

  async enterWorkspace(to: string): Promise<void> {
    this.#workspaceId.set(to);
    const id = this.#id.get();
    if (id !== undefined && this.#storedWorkspace() !== to)
      await this.#options.conversations.change(id, { workspaceId: to });
  }

  useModel(ref: ModelRef): void {
    this.#isModelSelected = true;
    this.#model.set(ref);
  }

  /** Sends a message below `parentId` or the last one. Resolves when stored; the answer follows. */
  async send(parts: readonly MessagePart[], options?: SendOptions): Promise<void> {
    if (this.#running) throw new Refusal(text.chat.stillSending);
    const { id, conversationId } = await this.#addUserMessage(parts, options);
    if (!this.#currentModel()) return this.#dispatch({ type: 'ended', step: undefined });
    void this.#run((signal) => this.#runner.run(conversationId, id, signal));
  }

  /** Stores a user's message without a request to the model. */
  async append(parts: readonly MessagePart[]): Promise<void> {
    await this.#addUserMessage(parts);
    this.#dispatch({ type: 'ended', step: undefined });
  }

  /** Requests another answer: a sibling of a model's message, or a reply to a user's message. */
  retry({ role, id, parentId, conversationId }: Message): void {
    const leafId = role === 'user' ? id : parentId;
    if (this.#running || leafId === undefined || !this.#currentModel()) return;
    this.#dispatch({ type: 'sent', leafId });
    void this.#run((signal) => this.#runner.run(conversationId, leafId, signal));
  }

  /** Calls a tool for the user, by default in the conversation's workspace, and stores the call. */
  async callTool(tool: string, params: JsonObject, workspaceId?: string): Promise<Answer> {
    if (this.isBusy()) throw new Refusal(text.chat.stillSending);
    const { id, conversationId } = await this.#addUserMessage(requestParts(tool, params));
    let answer: Answer = { success: false };
    await this.#run(async () => {
      answer = await this.#runner.runUserCall(conversationId, id, { tool, params, workspaceId });
      return undefined;
    });
    return answer;
  }

  /** Calls a tool in the session, by default in its workspace, without storing a message. */
  callToolSilently(tool: string, params: JsonObject, workspaceId?: string): Promise<Answer> {
    const sessionId = this.#id.get() ?? createEntityId(this.#options.savepoint.services.random);
    return this.#runner.callTool(sessionId, tool, params, { workspaceId });
  }

  decideCall(callId: string, decision: ApprovalDecision): void {
    const call = this.#panel.get().live?.calls.find(({ id }) => id === callId);
    if (call) this.#runner.decide(call, decision);
  }

  /** Stops the running turn; the part of the answer received so far is stored. */
  stop(): void {
    this.#dispatch({ type: 'stop' });
    this.#running?.stop.abort();
  }

  showBranch(leafId: string): void {
    this.#dispatch({ type: 'showBranch', leafId });
  }

  /** Reads the conversation again. A failure sets `trouble`. */
  async refresh(): Promise<void> {
    const id = this.#id.get();
    if (id === undefined) return;
    try {
      const known = [...this.#messages.keys()];
      const messages = await this.#options.conversations.messages(id);
      await this.#options.yieldToHost(); // reading and drawing are separate tasks
      this.#addMessages(messages, known);
      await this.#restoreInterrupted(id);
      this.#trouble.set(undefined);
    } catch (error) {
      this.#trouble.set(faultText(error));
    }
    this.#workspaceId.set(this.#storedWorkspace() ?? this.#workspaceId.get());
    this.#followModel();
  }

  /** Stops the running turn, and resolves once its message is stored. */
  async close(): Promise<void> {
    this.#running?.stop.abort(INTERRUPTED);
    await this.#running?.done;
  }

  #currentModel(): ModelRef | undefined {
    return this.#model.get() ?? this.#options.models.preferred();
  }

  #dispatch(event: PanelEvent): void {
    this.#panel.set(reducePanel(this.#panel.get(), event));
    const model = () => this.#currentModel();
    this.#options.interrupted?.follow(this.#id.get(), this.#panel.get(), model);
    if (event.type === 'sent') this.#options.turnBegan?.(this);
    if (event.type === 'approvalRequested') this.#options.asked?.(this);
    if (event.type === 'callFinished') this.#options.called?.(event.part, this.#workspaceId.get());
    if (event.type === 'ended') this.#options.turnEnded?.(this);
  }

  /** Stores an answer that a crash has interrupted, and says so. */
  async #restoreInterrupted(id: string): Promise<void> {
    if (this.#running) return;
    const left = this.#options.interrupted?.takeUnanswered(id, this.#messages);
    if (left) await this.#store({ ...left, end: 'failed', error: text.chat.interrupted });
  }

  #pathTo(leafId: string | undefined): Message[] {
    const thread = this.#thread.get();
    return thread ? pathTo(thread, leafId) : [];
  }

  #storedWorkspace(): string | undefined {
    const id = this.#id.get();
    return id === undefined ? undefined : this.#options.find(id)?.workspaceId;
  }

  #addMessages(messages: readonly Message[], knownBefore: readonly string[] = []): void {
    const known = this.#messages;
    const read = new Set(messages.map(({ id }) => id));
    const isLess = knownBefore.filter((id) => !read.has(id) && known.delete(id)).length > 0;
    // messages never change, and a known object that stays is not rendered or measured again
    for (const message of messages) if (!known.has(message.id)) known.set(message.id, message);
    if (known.size === this.#thread.get()?.messages.size && !isLess) return;
    const { leafId, phase } = this.#panel.get();
    const wasLeaf = leafId !== undefined && this.#thread.get()?.children.has(leafId) === false;
    const thread = createThread(known.values());
    this.#thread.set(thread);
    // A panel that shows the end of a branch follows it when another device continues the branch.
    if (wasLeaf && phase === 'idle' && thread.children.has(leafId))
      this.#dispatch({ type: 'showBranch', leafId: newestLeaf(thread, leafId) });
  }

  /** Selects the model that answered last, unless the user has chosen one. */
  #followModel(): void {
    if (this.#isModelSelected) return;
    const ref = parseModelRef(this.path().findLast(({ model }) => model !== undefined)?.model);
    const current = this.#model.get();
    if (ref && !(current && formatModelRef(current) === formatModelRef(ref))) this.#model.set(ref);
  }

  async #addUserMessage(parts: readonly MessagePart[], options?: SendOptions): Promise<Message> {
    // A message must have a parent, so earlier messages have to be readable.
    if (!this.#thread.get()) await this.refresh();
    if (!this.#thread.get()) throw new Refusal(this.#trouble.get() ?? text.chat.cannotRead);
    if (this.#pending.get()) throw new Refusal(text.chat.stillSending);
    const source = this.#options.find(this.#id.get() ?? '')?.importedFrom;
    if (source !== undefined) throw new Refusal(text.chat.readOnly(source));
    const parentId = options ? options.parentId : this.path().at(-1)?.id;
    this.#pending.set({ parts, parentId });
    try {
      // the user sees the message at once, even if storing it takes long
      await this.#options.whenPainted();
      const message = await this.#store({ role: 'user', parentId, parts });
      this.#dispatch({ type: 'sent', leafId: message.id });
      return message;
    } finally {
      this.#pending.set(undefined);
    }
  }

  async #store(content: Omit<MessageContent, 'conversationId'>): Promise<Message> {
    const { conversations } = this.#options;
    const conversationId = this.#id.get() ?? (await this.#create(content));
    this.#writes++;
    try {
      const message = await conversations.add({ ...content, conversationId });
      this.#addMessages([message]);
      return message;
    } finally {
      this.#writes--;
    }
  }

  /** Creates the conversation just before its first message, so that none is stored empty. */
  async #create(content: Omit<MessageContent, 'conversationId'>): Promise<string> {
    validatedMessageData({ ...content, conversationId: '' }); // throws before it exists
    const { conversations, onCreated } = this.#options;
    const conversation = await conversations.create({
      workspaceId: this.#workspaceId.get(),
      title: titleOf(content.parts),
    });
    this.#id.set(conversation.id);
    onCreated(conversation, this);
    return conversation.id;
  }

  #run(task: (signal: AbortSignal) => Promise<TurnStep | undefined>): Promise<void> {
    const stop = new AbortController();
    this.#failureKind.set(undefined);
    const done = task(stop.signal)
      .catch(failedStep)
      .then((step) => {
        this.#running = undefined;
        this.#runner.clearApprovals();
        this.#failureKind.set(step?.error?.kind);
        this.#dispatch({ type: 'ended', step });
      });
    this.#running = { stop, done };
    return done;
  }
}

function failedStep(error: unknown): TurnStep {
  return { parts: [], end: 'failed', usage: undefined, error: { message: faultText(error) } };
}
