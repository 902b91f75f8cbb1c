import type { ChatConversation, Conversations } from '../../chat/conversations.js';
import {
  ModelFailure,
  type LanguageModel,
  type ModelFailureKind,
  type ModelToolCall,
  type ToolDescription,
} from '../../chat/language-model.js';
import { validatedMessageData } from '../../chat/log-conversations.js';
import { idlePanel, reducePanel, type PanelEvent, type PanelState } from '../../chat/panel.js';
import { modelMessages, systemPrompt } from '../../chat/prompt.js';
import { createThread, newestLeaf, pathTo, type Thread } from '../../chat/thread.js';
import { runTurn, type Step } from '../../chat/turn.js';
import { isJsonObject, type Json, type JsonObject } from '../../model/event.js';
import { workspaceById } from '../../model/lookup.js';
import type { Message, MessageContent, MessagePart, ToolPart } from '../../model/message.js';
import { Refusal } from '../../model/refusal.js';
import { createEntityId } from '../../platform/random.js';
import type { Answer } from '../../toolkit/answer.js';
import { callTool } from '../../toolkit/call-tool.js';
import { inputSchema } from '../../toolkit/schema.js';
import { allTools } from '../../toolkit/toolset.js';
import { parseModelRef, formatModelRef, type ModelRef, type ModelRegistry } from '../models/model-registry.js';
import { report } from '../host/logger.js';
import type { Savepoint } from '../savepoint.js';
import { createStore, type Store } from '../store.js';
import { text } from '../i18n/index.js';

/** What a person says to a call that asks for leave. */
export type Leave = 'once' | 'conversation' | 'always' | 'deny';

/** A message that is on its way to the log. */
export type PendingMessage = Pick<MessageContent, 'parentId' | 'parts'>;

/** One conversation while somebody has it open. Its turn goes on without a view, and all views show the same. */
export interface ConversationController {
  /** Tells this talk from others, also before it has an id. */
  readonly key: string;
  /** The conversation's id, which is the session of its calls; undefined until something is said in it. */
  readonly id: Store<string | undefined>;
  /** Undefined until it has been read. */
  readonly thread: Store<Thread | undefined>;
  /** Why it cannot be read, in words. */
  readonly trouble: Store<string | undefined>;
  readonly panel: Store<PanelState>;
  readonly pending: Store<PendingMessage | undefined>;
  /** Of what kind the last failure was. */
  readonly failureKind: Store<ModelFailureKind | undefined>;
  /** Where something new is said: in this workspace, with this model. */
  readonly workspaceId: Store<string>;
  /** The one that was chosen here, or answered last; undefined where new conversations' model is the one. */
  readonly model: Store<ModelRef | undefined>;
  enterWorkspace(id: string): Promise<void>;
  useModel(ref: ModelRef): void;
  /** The messages that are shown, from the first on. */
  path(): Message[];
  isBusy(): boolean;
  /** Says something, after the last message that is shown, or after `parentId`. Resolves once it is kept; the answer comes by itself. */
  send(
    parts: readonly MessagePart[],
    options?: { readonly parentId: string | undefined },
  ): Promise<void>;
  /** Keeps something as said without asking a model. */
  append(parts: readonly MessagePart[]): Promise<void>;
  /** Has the model's message made once more, beside the one that is there; of a person's message, has it answered. */
  retry(message: Message): void;
  /** Calls a tool with no model, as the person. */
  callTool(tool: string, params: JsonObject): Promise<Answer>;
  /** As `call`, without a word of it in the conversation. */
  callToolSilently(tool: string, params: JsonObject): Promise<Answer>;
  decideCall(callId: string, leave: Leave): void;
  stop(): void;
  showBranch(leafId: string): void;
  /** Reads what has come since. */
  refresh(): Promise<void>;
  /** Stops what is under way, and resolves once what was said is kept. */
  close(): Promise<void>;
}

/** What a talk works with. */
export interface ControllerOptions {
  readonly savepoint: Savepoint;
  readonly conversations: Conversations;
  readonly models: ModelRegistry;
  /** The conversation as it was last read. */
  readonly find: (id: string) => ChatConversation | undefined;
  readonly created: (conversation: ChatConversation, talk: ConversationController) => void;
  readonly allowAlways: (tool: string) => Promise<void>;
  /** Resolves once what has been shown is on the screen. */
  readonly painted: () => Promise<void>;
  /** Lets the window have its turn. */
  readonly yieldToHost: () => Promise<void>;
}

const TITLE_ROOM = 60;

export function createTalk(host: ControllerOptions, existingId?: string): ConversationController {
  const { savepoint, conversations, models } = host;
  const { toolset, services, clock } = savepoint;
  const id = createStore(existingId);
  const messages = new Map<string, Message>();
  const thread = createStore<Thread | undefined>(
    existingId === undefined ? createThread([]) : undefined,
  );
  const trouble = createStore<string | undefined>(undefined);
  const panel = createStore<PanelState>(idlePanel);
  const pending = createStore<PendingMessage | undefined>(undefined);
  const failureKind = createStore<ModelFailureKind | undefined>(undefined);
  const workspaceId = createStore(placeOf(existingId) ?? savepoint.workspace().id);
  const model = createStore<ModelRef | undefined>(undefined);
  const asking = new Map<string, (isAllowed: boolean) => void>();
  const allowed = new Set<string>();
  let hasChosenModel = false;
  let running: { readonly stop: AbortController; readonly done: Promise<void> } | undefined;

  function placeOf(conversationId: string | undefined): string | undefined {
    return conversationId === undefined ? undefined : host.find(conversationId)?.workspaceId;
  }

  const dispatch = (event: PanelEvent) => panel.set(reducePanel(panel.get(), event));

  function path(): Message[] {
    const read = thread.get();
    return read ? pathTo(read, panel.get().leafId) : [];
  }

  function take(list: readonly Message[]): void {
    const before = messages.size;
    // None ever changes: the one that is here stays the same object, so that nobody has it drawn or counted anew.
    for (const message of list) if (!messages.has(message.id)) messages.set(message.id, message);
    if (messages.size === before && thread.get()) return;
    const { leafId, phase } = panel.get();
    const wasEnd = leafId !== undefined && thread.get()?.children.has(leafId) === false;
    const now = createThread(messages.values());
    thread.set(now);
    // Who looks at the end of a branch goes with it when somebody goes on elsewhere.
    if (wasEnd && phase === 'idle' && now.children.has(leafId))
      dispatch({ type: 'show', leafId: newestLeaf(now, leafId) });
  }

  async function refresh(): Promise<void> {
    const own = id.get();
    if (own === undefined) return;
    try {
      take(await conversations.messages(own));
      trouble.set(undefined);
    } catch (error) {
      if (!(error instanceof Refusal)) report(error);
      trouble.set(error instanceof Refusal ? error.message : text.general.fault);
    }
    const place = placeOf(own);
    if (place !== undefined) workspaceId.set(place);
    followModel();
  }

  /** What is said must follow what was said before. Throws a `Refusal` where that cannot be read. */
  async function mustBeRead(): Promise<void> {
    if (!thread.get()) await refresh();
    if (!thread.get()) throw new Refusal(trouble.get() ?? text.chat.cannotRead);
  }

  /** Who comes back to a conversation goes on with the model that answered last in it. */
  function followModel(): void {
    if (hasChosenModel) return;
    const ref = parseModelRef(path().findLast((message) => message.model !== undefined)?.model);
    const now = model.get();
    if (ref && !(now && formatModelRef(now) === formatModelRef(ref))) model.set(ref);
  }

  async function keep(content: Omit<MessageContent, 'conversationId'>): Promise<Message> {
    if (id.get() === undefined) validatedMessageData({ ...content, conversationId: '' }); // before anything is begun for it
    const message = await conversations.add({
      ...content,
      conversationId: await ownId(content.parts),
    });
    take([message]);
    return message;
  }

  /** The conversation begins with the first thing that is said in it: one that was only opened leaves nothing behind. */
  async function ownId(parts: readonly MessagePart[]): Promise<string> {
    const own = id.get();
    if (own !== undefined) return own;
    const conversation = await conversations.create({
      workspaceId: workspaceId.get(),
      title: titleOf(parts),
    });
    id.set(conversation.id);
    host.created(conversation, talk);
    return conversation.id;
  }

  async function say(
    parts: readonly MessagePart[],
    parentId: string | undefined,
  ): Promise<Message> {
    if (pending.get()) throw new Refusal(text.chat.stillSending);
    const source = host.find(id.get() ?? '')?.importedFrom;
    if (source !== undefined) throw new Refusal(text.chat.readOnly(source));
    pending.set({ parts, parentId });
    try {
      await host.painted(); // whoever sends sees it sent, however much there is to do now
      const message = await keep({ role: 'user', parentId, parts });
      dispatch({ type: 'sent', leafId: message.id });
      return message;
    } finally {
      pending.set(undefined);
    }
  }

  function begin(task: (signal: AbortSignal) => Promise<Step | undefined>): Promise<void> {
    const stop = new AbortController();
    failureKind.set(undefined);
    const done = task(stop.signal)
      .catch((error: unknown): Step => {
        if (!(error instanceof Refusal)) report(error);
        return {
          parts: [],
          end: 'failed',
          usage: undefined,
          error: error instanceof Refusal ? error.message : text.general.fault,
        };
      })
      .then((step) => {
        running = undefined;
        asking.clear();
        dispatch({ type: 'ended', step });
      });
    running = { stop, done };
    return done;
  }

  async function turn(leafId: string, signal: AbortSignal): Promise<Step | undefined> {
    await host.yieldToHost(); // what was sent is drawn in one task, what is asked of the model made in another
    const ref = model.get() ?? models.preferred();
    const own = id.get() ?? '';
    const facts = {
      vaultName: savepoint.app.vault.getName(),
      workspaceName: workspaceById(savepoint.memory.get(), workspaceId.get()).name,
      today: new Date(clock.now()).toISOString().slice(0, 10),
    };
    const read = thread.get();
    let parentId = leafId;
    let last: Step | undefined;
    for await (const event of runTurn({
      model: watched(models.open(ref)),
      system: systemPrompt(facts),
      signal,
      tools: toolDescriptions(),
      now: () => clock.now(),
      messages: modelMessages(read ? pathTo(read, leafId) : []),
      call: ({ tool, params }) => run(own, tool, params),
      approve,
    })) {
      dispatch(event);
      if (event.type !== 'step') continue;
      const { parts, end, usage, error } = event.step;
      const said = {
        role: 'assistant' as const,
        parentId,
        parts,
        end,
        ...(ref && { model: formatModelRef(ref) }),
        ...(usage && { usage }),
      };
      const message = await keep({ ...said, ...(error !== undefined && { error }) });
      parentId = message.id;
      last = event.step;
      dispatch({ type: 'kept', message });
    }
    return last;
  }

  /** The model, with what kind of failure it ran into taken note of. */
  function watched(inner: LanguageModel): LanguageModel {
    return {
      ...inner,
      async *stream(request, signal) {
        try {
          yield* inner.stream(request, signal);
        } catch (error) {
          failureKind.set(error instanceof ModelFailure ? error.kind : undefined);
          throw error;
        }
      },
    };
  }

  function toolDescriptions(): ToolDescription[] {
    return chatTools(savepoint).map((tool) => ({
      name: tool.name,
      description: tool.description,
      inputSchema: schemaWithoutContext(tool),
    }));
  }

  async function run(sessionId: string, tool: string, params: Json): Promise<Answer> {
    const { context: _, ...own } = isJsonObject(params) ? params : {}; // the session and the workspace are not the model's to name
    const answer = await callTool(toolset, {
      tool,
      params: own,
      defaults: { sessionId, workspaceId: workspaceId.get() },
    });
    const entered = toolset.sessions.get(sessionId);
    toolset.sessions.delete(sessionId);
    await savepoint.refresh().catch(report); // who asked for it looks at the memory next
    if (entered !== undefined) await enterWorkspace(entered);
    return answer;
  }

  async function approve({ id: callId, tool }: ModelToolCall): Promise<boolean> {
    const known = allTools(toolset).find((each) => each.tool.name === tool);
    const isFree = !known || known.tool.access === 'read' || allowed.has(tool);
    if (isFree || savepoint.settings.allowedTools.includes(tool)) return true; // one that is unknown is refused in words by itself
    const answer = new Promise<boolean>((resolve) => asking.set(callId, resolve));
    dispatch({ type: 'askPerson', id: callId });
    return answer;
  }

  function answerCall(callId: string, leave: Leave): void {
    const call = panel.get().live?.calls.find((each) => each.id === callId);
    const answer = asking.get(callId);
    if (!call || !answer) return;
    asking.delete(callId);
    if (leave === 'conversation' || leave === 'always') allowed.add(call.tool);
    if (leave === 'always') void host.allowAlways(call.tool).catch(report);
    dispatch({ type: 'personAnswered', id: callId });
    answer(leave !== 'deny');
  }

  async function call(tool: string, params: JsonObject): Promise<Answer> {
    if (running || pending.get()) throw new Refusal(text.chat.stillSending);
    await mustBeRead();
    const said = await say([{ type: 'text', text: `/${tool}` }], path().at(-1)?.id);
    const callId = `person_${createEntityId(services.random)}`;
    let answer: Answer = { success: false };
    await begin(async () => {
      dispatch({ type: 'asked', call: { id: callId, tool, params } });
      dispatch({ type: 'running', id: callId });
      const since = clock.now();
      answer = await run(said.conversationId, tool, params);
      const part: ToolPart = {
        type: 'tool',
        id: callId,
        tool,
        params,
        answer: JSON.parse(JSON.stringify(answer)) as Json,
        status: answer.success ? 'done' : 'failed',
        ms: Math.max(0, clock.now() - since),
      };
      dispatch({ type: 'answered', part });
      dispatch({
        type: 'kept',
        message: await keep({ role: 'assistant', parentId: said.id, parts: [part], end: 'done' }),
      });
      return undefined;
    });
    return answer;
  }

  async function enterWorkspace(to: string): Promise<void> {
    workspaceId.set(to);
    const own = id.get();
    if (own !== undefined && placeOf(own) !== to)
      await conversations.change(own, { workspaceId: to });
  }

  const talk: ConversationController = {
    key: createEntityId(services.random),
    id,
    thread,
    trouble,
    panel,
    pending,
    failureKind,
    workspaceId,
    model,
    path,
    refresh,
    callTool: call,
    decideCall: answerCall,
    enterWorkspace,
    isBusy: () => running !== undefined || pending.get() !== undefined,
    useModel(ref) {
      hasChosenModel = true;
      model.set(ref);
    },
    async send(parts, options) {
      if (running) throw new Refusal(text.chat.stillSending);
      await mustBeRead();
      const { id: leafId } = await say(parts, options ? options.parentId : path().at(-1)?.id);
      void begin((signal) => turn(leafId, signal));
    },
    async append(parts) {
      await say(parts, path().at(-1)?.id);
      dispatch({ type: 'ended', step: undefined });
    },
    retry({ role, id: messageId, parentId }) {
      const leafId = role === 'user' ? messageId : parentId;
      if (running || leafId === undefined) return;
      dispatch({ type: 'sent', leafId });
      void begin((signal) => turn(leafId, signal));
    },
    async callToolSilently(tool, params) {
      return run(id.get() ?? createEntityId(services.random), tool, params);
    },
    stop() {
      dispatch({ type: 'stop' });
      running?.stop.abort();
    },
    showBranch: (leafId) => dispatch({ type: 'show', leafId }),
    async close() {
      running?.stop.abort();
      await running?.done;
    },
  };
  return talk;
}

/** The tools that a chat has: all but those about tools, which are there for clients that cannot list many. */
export function chatTools({ toolset }: Pick<Savepoint, 'toolset'>) {
  return allTools(toolset).flatMap(({ agent, tool }) =>
    agent.name === 'toolManager' ? [] : [tool],
  );
}

/** A tool's input without the context, which the chat fills in. */
export function schemaWithoutContext(tool: Parameters<typeof inputSchema>[0]): JsonObject {
  const schema = inputSchema(tool);
  const { context: _, ...properties } = isJsonObject(schema['properties'])
    ? schema['properties']
    : {};
  return { ...schema, properties };
}

/** What a conversation is called at first: its first words. */
function titleOf(parts: readonly MessagePart[]): string {
  const words = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const sources = parts.flatMap((part) =>
    part.type === 'data' ? [/"(.+?)"/u.exec(part.source)?.[1] ?? part.source] : [],
  );
  const line =
    [...words, ...sources, text.chat.untitled]
      .map((each) => each.replace(/\s+/gu, ' ').trim())
      .find((each) => each !== '') ?? '';
  const letters = Array.from(line);
  return letters.length <= TITLE_ROOM
    ? line
    : `${letters.slice(0, TITLE_ROOM).join('').trimEnd()}…`;
}
