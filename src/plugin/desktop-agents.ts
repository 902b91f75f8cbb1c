import type { AgentChange, UndoResult } from '../acp/changes/change-tracker.js';
import type { AgentEntry } from '../acp/known-agents.js';
import type { TurnEvent } from '../chat/turn.js';
import type { FileDiff } from '../model/message.js';
import type {
  AgentService,
  AgentTurnRequest,
  RunningAgent,
} from '../obsidian/agents/agent-service.js';
import { createStore, type Store } from '../obsidian/store.js';
import type { AgentHost, AgentHostOptions } from './agent-host.js';

/** The agents of a desktop. Their code is evaluated when the first one is used. */
export class DesktopAgents implements AgentService {
  readonly revision: Store<number>;
  readonly #options: AgentHostOptions;
  readonly #revision = createStore(0);
  #opening: Promise<AgentHost> | undefined;
  #host: AgentHost | undefined;

  constructor(options: AgentHostOptions) {
    this.#options = options;
    this.revision = this.#revision;
  }

  async find() {
    return (await this.#open()).find();
  }

  async verify(agent: AgentEntry): Promise<void> {
    await (await this.#open()).verify(agent);
  }

  async *run(request: AgentTurnRequest): AsyncGenerator<TurnEvent> {
    yield* (await this.#open()).run(request);
  }

  running(conversationId: string): RunningAgent | undefined {
    return this.#host?.running(conversationId);
  }

  async changeSetting(conversationId: string, id: string, value: string): Promise<void> {
    await this.#host?.changeSetting(conversationId, id, value);
  }

  async loadChanges(conversationId: string): Promise<void> {
    await (await this.#open()).loadChanges(conversationId);
  }

  changes(conversationId: string): readonly AgentChange[] {
    return this.#host?.changes(conversationId) ?? [];
  }

  async diff(change: AgentChange): Promise<FileDiff | undefined> {
    return (await this.#open()).diff(change);
  }

  async undo(conversationId: string, changes: readonly AgentChange[]): Promise<UndoResult> {
    return (await this.#open()).undo(conversationId, changes);
  }

  async close(): Promise<void> {
    await (await this.#opening)?.close();
  }

  #open(): Promise<AgentHost> {
    this.#opening ??= this.#load();
    return this.#opening;
  }

  async #load(): Promise<AgentHost> {
    const { AgentHost: Host } = await import('./agent-host.js');
    const host = new Host(this.#options);
    host.revision.subscribe(() => this.#revision.set(host.revision.get()));
    this.#host = host;
    return host;
  }
}
