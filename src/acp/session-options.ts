import type { Clock } from '../platform/clock.js';
import type { Scheduler } from '../platform/scheduler.js';
import type { AgentFailure } from './agent-failure.js';
import type { AgentPaths } from './agent-paths.js';
import type { AgentProcess } from './agent-process.js';
import type { AgentCall } from './agent-turn.js';
import type { AgentEntry } from './known-agents.js';

/** The MCP server that an agent starts. */
export interface MemoryServer {
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * How far an agent is with a change that it announces: it has named the file, it writes, it has
 * written.
 */
export type WriteStage = 'named' | 'writing' | 'written';

export interface AgentSessionOptions {
  readonly agent: AgentEntry;
  readonly process: AgentProcess;
  /** The vault's absolute path, in which the agent works. */
  readonly vault: string;
  readonly paths: AgentPaths;
  readonly memoryServer: MemoryServer;
  /** The agent's id of a session to continue. */
  readonly previousId: string | undefined;
  readonly toolNames: readonly string[];
  /** Version of this program. */
  readonly version: string;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  /** Writes a file for the agent. */
  readonly writeFile: (path: string, text: string) => Promise<void>;
  /**
   * Called when the agent says that it changes a file outside the vault or in a protected folder,
   * once in a turn for each stage, in order. `path` is inside the vault if possible.
   */
  readonly onForbiddenCall: (path: string, stage: WriteStage) => void;
  /** Called when the settings, commands or the context window have changed. */
  readonly onChange: () => void;
  readonly report: (error: unknown) => void;
}

export interface PromptOptions {
  readonly text: string;
  readonly signal: AbortSignal;
  /** Resolves to true if the user allows the call. */
  readonly approve: (call: AgentCall) => Promise<boolean>;
  /** Returns a failure as a sentence for the user. */
  readonly describe: (failure: AgentFailure) => string;
}
