import type { SentImage } from '../model/message.js';
import type { VaultPath } from '../model/paths.js';
import type { Clock } from '../platform/clock.js';
import type { Scheduler } from '../platform/scheduler.js';
import type { ChatAgentFailure } from './chat-agent-failure.js';
import type { ChatAgentPaths } from './chat-agent-paths.js';
import type { ChatAgentProcess } from './chat-agent-process.js';
import type { ChatAgentCall } from './chat-agent-turn.js';
import type { ChatAgent } from './known-chat-agents.js';

/** The MCP server that an agent starts. */
export interface MemoryServer {
  readonly command: string;
  readonly args: readonly string[];
}

/** Progress of a change that an agent announces. */
export type WriteStage = 'named' | 'writing' | 'written';

export interface ChatAgentSessionOptions {
  readonly agent: ChatAgent;
  readonly process: ChatAgentProcess;
  /** Absolute path, in which the agent works. */
  readonly vault: string;
  readonly paths: ChatAgentPaths;
  readonly memoryServer: MemoryServer;
  /** The agent's id of a session to continue. */
  readonly previousId: string | undefined;
  readonly toolNames: readonly string[];
  readonly version: string;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly writeFile: (path: VaultPath, text: string) => Promise<void>;
  /** Keeps a file before the agent changes it. Returns false if that cannot be undone. */
  readonly keepFile: (path: VaultPath) => Promise<boolean>;
  /** Receives a change outside the vault or in a protected folder, once per turn and stage. */
  readonly onForbiddenCall: (path: string, stage: WriteStage) => void;
  /** Called when settings, commands or the context window have changed. */
  readonly onChange: () => void;
  readonly report: (error: unknown) => void;
}

export interface PromptOptions {
  readonly text: string;
  readonly images: readonly SentImage[];
  readonly signal: AbortSignal;
  /** Resolves to true if the user allows the call. */
  readonly approve: (call: ChatAgentCall) => Promise<boolean>;
  /** Returns a failure as a sentence for the user. */
  readonly describe: (failure: ChatAgentFailure) => string;
}
