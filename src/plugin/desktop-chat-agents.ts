import type { ChatAgentChange, UndoResult } from '../acp/changes/change-tracker.js';
import type { ChatAgent } from '../acp/known-chat-agents.js';
import type { TurnEvent } from '../chat/turn.js';
import type { FileDiff } from '../model/message.js';
import type {
  ChatAgentService,
  ChatAgentTurnRequest,
  RunningChatAgent,
} from '../obsidian/chat-agents/chat-agent-service.js';
import { createStore, type Store } from '../obsidian/store.js';
import type { ChatAgentHost, ChatAgentHostOptions } from './chat-agent-host.js';

/** The agents of a desktop. Their code is evaluated when the first one is used. */
export class DesktopChatAgents implements ChatAgentService {
  readonly revision: Store<number>;
  readonly #options: ChatAgentHostOptions;
  readonly #revision = createStore(0);
  #opening: Promise<ChatAgentHost> | undefined;
  #host: ChatAgentHost | undefined;

  constructor(options: ChatAgentHostOptions) {
    this.#options = options;
    this.revision = this.#revision;
  }

  async find() {
    return (await this.#open()).find();
  }

  async verify(agent: ChatAgent): Promise<void> {
    await (await this.#open()).verify(agent);
  }

  async *run(request: ChatAgentTurnRequest): AsyncGenerator<TurnEvent> {
    yield* (await this.#open()).run(request);
  }

  running(conversationId: string): RunningChatAgent | undefined {
    return this.#host?.running(conversationId);
  }

  async changeSetting(conversationId: string, id: string, value: string): Promise<void> {
    await this.#host?.changeSetting(conversationId, id, value);
  }

  async loadChanges(conversationId: string): Promise<void> {
    await (await this.#open()).loadChanges(conversationId);
  }

  changes(conversationId: string): readonly ChatAgentChange[] {
    return this.#host?.changes(conversationId) ?? [];
  }

  async diff(change: ChatAgentChange): Promise<FileDiff | undefined> {
    return (await this.#open()).diff(change);
  }

  async undo(conversationId: string, changes: readonly ChatAgentChange[]): Promise<UndoResult> {
    return (await this.#open()).undo(conversationId, changes);
  }

  async close(): Promise<void> {
    await (await this.#opening)?.close();
  }

  #open(): Promise<ChatAgentHost> {
    this.#opening ??= this.#load();
    return this.#opening;
  }

  async #load(): Promise<ChatAgentHost> {
    const { ChatAgentHost: Host } = await import('./chat-agent-host.js');
    const host = new Host(this.#options);
    host.revision.subscribe(() => this.#revision.set(host.revision.get()));
    this.#host = host;
    return host;
  }
}
