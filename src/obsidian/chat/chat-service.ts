import type { ChatConversation, Conversations } from '../../chat/conversations.js';
import { createThread, pathTo } from '../../chat/thread.js';
import type { MessagePart } from '../../model/message.js';
import { Refusal } from '../../model/refusal.js';
import { createEntityId } from '../../platform/random.js';
import { Scheduler } from '../../platform/scheduler.js';
import type { ChatAgentService } from '../chat-agents/chat-agent-service.js';
import {
  ConversationCheckpoints,
  type CapturedConversation,
} from '../checkpoints/conversation-checkpoints.js';
import type { DeviceCapture } from '../checkpoints/device-capture.js';
import { yieldToHost, yieldWhenIdle } from '../host/browser-ports.js';
import { faultText, report } from '../host/logger.js';
import { text } from '../i18n/index.js';
import type { ModelRegistry } from '../models/model-registry.js';
import type { Savepoint } from '../savepoint.js';
import type { Settings } from '../settings-schema.js';
import { createStore, type Store } from '../store.js';
import { ConversationController, type ControllerOptions } from './conversation-controller.js';
import { InterruptedAnswers } from './interrupted-answers.js';
import { MemoryRecall } from './memory-recall.js';
import { dropStateDrafts } from '../host/state-drafts.js';
import { emptyDraft, saveDraft } from '../host/composer-drafts.js';
import { searchConversations, type ConversationHit } from './search-conversations.js';
import { whenPainted } from '../ui/when-painted.js';

export interface ChatOptions {
  readonly savepoint: Savepoint;
  readonly conversations: Conversations;
  readonly models: ModelRegistry;
  /** Undefined where agents cannot run. */
  readonly chatAgents: ChatAgentService | undefined;
  readonly changeSettings: (change: (settings: Settings) => Settings) => Promise<void>;
  readonly capture: DeviceCapture;
  readonly called?: ControllerOptions['called'];
}

/** Delay of a refresh if the log changes while this device is writing a message. */
const REFRESH_DELAY_MS = 2000;

/** Returns the open chat. Throws a `Refusal` between closing one memory and opening the next. */
export function openedChat(chat: Store<ChatService | undefined>): ChatService {
  const opened = chat.get();
  if (!opened) throw new Refusal(text.commands.notOpen);
  return opened;
}

/** The conversations of a vault. Nothing is read until a view needs them. */
export class ChatService {
  /** Unique key of the service. Opening another data folder creates another service. */
  readonly key: string;
  readonly savepoint: Savepoint;
  readonly models: ModelRegistry;
  readonly chatAgents: ChatAgentService | undefined;
  readonly changeSettings: ChatOptions['changeSettings'];
  readonly #conversations = createStore<readonly ChatConversation[] | undefined>(undefined);
  /** Newest first; undefined until they have been read. */
  readonly conversations: Store<readonly ChatConversation[] | undefined> = this.#conversations;
  readonly #trouble = createStore<string | undefined>(undefined);
  /** Reason why the conversations cannot be read, for the user. */
  readonly trouble: Store<string | undefined> = this.#trouble;
  readonly capture: DeviceCapture;
  readonly checkpoints: ConversationCheckpoints;
  readonly recall: MemoryRecall;

  /** The conversation that asked last for approval, as a new object each time. */
  readonly asking = createStore<{ readonly controller: ConversationController } | undefined>(
    undefined,
  );

  readonly #port: Conversations;
  readonly #controllers = new Map<string, ConversationController>();
  readonly #controllerOptions: ControllerOptions;
  readonly #stopListening: () => void;
  /** Ids of conversations created here that no list has contained yet. */
  readonly #created = new Set<string>();
  /** Ids of the conversations that were read last; undefined until then. */
  #listed: ReadonlySet<string> | undefined;
  #isActive = false;
  #isReading = false;
  #isStale = false;
  #cancelRefresh: (() => void) | undefined;

  constructor({
    savepoint,
    conversations,
    models,
    chatAgents,
    changeSettings,
    capture,
    called,
  }: ChatOptions) {
    this.key = createEntityId(savepoint.services.random);
    this.savepoint = savepoint;
    this.models = models;
    this.chatAgents = chatAgents;
    this.changeSettings = changeSettings;
    this.capture = capture;
    this.checkpoints = new ConversationCheckpoints(savepoint, capture);
    this.recall = new MemoryRecall(savepoint, this.checkpoints);
    this.#port = conversations;
    this.#stopListening = conversations.onChange(() => this.#onChange());
    this.#controllerOptions = {
      savepoint,
      conversations,
      models,
      chatAgents,
      interrupted: new InterruptedAnswers(savepoint.app, savepoint.clock),
      whenPainted,
      yieldToHost,
      find: (id) => this.#conversations.get()?.find((conversation) => conversation.id === id),
      onCreated: (conversation, controller) => {
        this.#controllers.set(conversation.id, controller);
        this.#created.add(conversation.id);
        this.#conversations.set([conversation, ...(this.#conversations.get() ?? [])]);
      },
      turnBegan: (controller) => this.checkpoints.turnBegan(controller.id.get()),
      asked: (controller) => this.asking.set({ controller }),
      called,
      turnEnded: (controller) => {
        const captured = this.#captured(controller);
        if (captured) this.checkpoints.turnEnded(captured).catch(report);
      },
      allowAlways: (tool) =>
        changeSettings((settings) => ({
          ...settings,
          allowedTools: [...new Set([...settings.allowedTools, tool])],
        })),
    };
  }

  /** Opens a new conversation, which its first message creates. */
  openNew(): ConversationController {
    if (!this.#isActive) void this.#refresh();
    this.#isActive = true;
    return new ConversationController(this.#controllerOptions);
  }

  /** Returns the controller of a conversation; all views share it. */
  open(id: string): ConversationController {
    const known = this.#controllers.get(id);
    if (known) return known;
    const controller = new ConversationController(this.#controllerOptions, id);
    this.#controllers.set(id, controller);
    void this.#refresh();
    this.#isActive = true;
    return controller;
  }

  /** Creates a conversation whose first message has these parts, without a request to the model. */
  async startWith(
    parts: readonly MessagePart[],
    workspaceId: string,
  ): Promise<ConversationController> {
    const controller = this.openNew();
    await controller.enterWorkspace(workspaceId);
    await controller.append(parts);
    return controller;
  }

  async change(id: string, fields: Parameters<Conversations['change']>[1]): Promise<void> {
    const controller = this.#controllers.get(id);
    if (controller && fields.isArchived === true) await this.leave(controller);
    await this.#port.change(id, fields);
  }

  /** Stops a conversation's turn, and what would write about it once it is left. */
  async settle(id: string): Promise<void> {
    await this.#controllers.get(id)?.close();
    await this.checkpoints.discard(id);
  }

  /** Returns true if a conversation was deleted, on this device or another. */
  isDeleted(id: string): boolean {
    return this.#listed !== undefined && !this.#listed.has(id) && !this.#created.has(id);
  }

  /** Writes the checkpoint of a conversation that the user leaves. */
  async leave(controller: ConversationController): Promise<void> {
    const captured = this.#captured(controller);
    if (captured) await this.checkpoints.seal(captured);
  }

  /** Returns the messages and titles with every word of the query, newest conversations first. */
  async search(query: string, signal: AbortSignal): Promise<ConversationHit[]> {
    const scheduler = new Scheduler(this.savepoint.clock, yieldToHost);
    const conversations = this.#conversations.get() ?? (await this.#port.list());
    const messagesOf = (id: string) => this.#port.messages(id);
    return searchConversations(query, conversations, messagesOf, scheduler, signal);
  }

  /** Stops every turn, and resolves once all messages are stored. */
  async close(): Promise<void> {
    this.#stopListening();
    this.#cancelRefresh?.();
    this.recall.close();
    this.#isActive = false;
    const controllers = [...this.#controllers.values()];
    await Promise.all(controllers.map((controller) => controller.close()));
    for (const controller of controllers) await this.leave(controller);
  }

  /** Returns undefined before the first message, and for an imported conversation. */
  #captured(controller: ConversationController): CapturedConversation | undefined {
    const id = controller.id.get();
    const conversation = this.#conversations.get()?.find((each) => each.id === id);
    if (!conversation || conversation.importedFrom !== undefined) return undefined;
    return {
      conversation: { ...conversation, workspaceId: controller.workspaceId.get() },
      path: controller.path(),
    };
  }

  #onChange(): void {
    if (!this.#isActive) return;
    this.#cancelRefresh?.();
    if (![...this.#controllers.values()].some((controller) => controller.isWriting())) {
      void this.#refresh();
      return;
    }
    // The change is most likely that message; the later refresh finds anything else.
    this.#cancelRefresh = this.savepoint.clock.after(REFRESH_DELAY_MS, () => {
      void this.#refreshWhenIdle();
    });
  }

  async #refreshWhenIdle(): Promise<void> {
    await yieldWhenIdle();
    if (this.#isActive) await this.#refresh();
  }

  #take(conversations: readonly ChatConversation[]): void {
    this.#listed = new Set(conversations.map(({ id }) => id));
    for (const id of this.#listed) this.#created.delete(id);
    for (const id of this.#controllers.keys()) {
      if (!this.isDeleted(id)) continue;
      this.#controllers.delete(id);
      this.#controllerOptions.interrupted?.drop(id);
      saveDraft(this.savepoint.app, id, emptyDraft);
      dropStateDrafts(this.savepoint.app, (_, place) => place === id);
    }
    this.savepoint.sentTexts.remove((id) => this.isDeleted(id)).catch(report);
    this.#conversations.set(conversations);
  }

  /** Reads conversations and open threads again, and once more if they change meanwhile. */
  async #refresh(): Promise<void> {
    this.#isStale = true;
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      while (this.#isStale) {
        this.#isStale = false;
        await this.savepoint.whenReady();
        this.#take(await this.#port.list());
        this.#trouble.set(undefined);
        const controllers = [...this.#controllers.values()];
        await Promise.all(controllers.map((controller) => controller.refresh()));
      }
      await this.checkpoints.sealLeft(this.#conversations.get() ?? [], async (id) =>
        pathTo(createThread(await this.#port.messages(id))),
      );
    } catch (error) {
      this.#trouble.set(faultText(error));
    } finally {
      this.#isReading = false;
    }
  }
}
