import type { ChatAgentCall } from '../../acp/chat-agent-turn.js';
import type { ChatAgentChange, UndoResult } from '../../acp/changes/change-tracker.js';
import type { ChatAgent, KnownChatAgent } from '../../acp/known-chat-agents.js';
import type { ChatAgentCommand, SessionSetting } from '../../acp/session-settings.js';
import type { TurnEvent } from '../../chat/turn.js';
import type { FileDiff, Message } from '../../model/message.js';
import type { Store } from '../store.js';

export interface ChatAgentTurnRequest {
  readonly agentId: string;
  readonly conversationId: string;
  readonly workspaceId: string;
  /** The messages from the root to the user's message that the agent answers. */
  readonly path: readonly Message[];
  readonly signal: AbortSignal;
  /** Resolves to true if the user allows the call. */
  readonly approve: (call: ChatAgentCall) => Promise<boolean>;
}

/** The agent of a conversation while its program runs. */
export interface RunningChatAgent {
  readonly settings: readonly SessionSetting[];
  readonly commands: readonly ChatAgentCommand[];
  /** The mode in which the agent works, which decides what it asks for. */
  readonly mode: string | undefined;
  readonly contextLimit: number | undefined;
  /** False if the agent has not started the memory server. */
  readonly hasMemory: boolean;
}

/** Agents that answer in conversations, on desktop only. Failures throw a `Refusal`. */
export interface ChatAgentService {
  /** Counts what has changed: the running agents, and the changes that they made. */
  readonly revision: Store<number>;
  /** Returns the known agents and their programs on this device. */
  find(): Promise<
    readonly { readonly agent: KnownChatAgent; readonly program: string | undefined }[]
  >;
  /** Starts and ends an agent to see whether it works. */
  verify(agent: ChatAgent): Promise<void>;
  /** Yields the agent's turn. Never throws: a failure ends the last step. */
  run(request: ChatAgentTurnRequest): AsyncGenerator<TurnEvent>;
  /** Returns undefined if the agent is not running. */
  running(conversationId: string): RunningChatAgent | undefined;
  changeSetting(conversationId: string, id: string, value: string): Promise<void>;
  /** Reads the changes of a conversation from earlier starts. */
  loadChanges(conversationId: string): Promise<void>;
  changes(conversationId: string): readonly ChatAgentChange[];
  /** Returns the changed lines; undefined if the copies are no longer kept. */
  diff(change: ChatAgentChange): Promise<FileDiff | undefined>;
  undo(conversationId: string, changes: readonly ChatAgentChange[]): Promise<UndoResult>;
}
