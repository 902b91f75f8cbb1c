import type { Memory } from '../model/memory.js';
import { didYouMean } from '../model/names.js';
import { clip, Refusal } from '../model/refusal.js';
import type { Trace } from '../model/trace.js';
import type { Sessions } from './context.js';
import type { Agent, Tool } from './define-tool.js';

/** What a toolset stands on: the host's side of every call. */
export interface ToolHost<S> {
  /** What the handlers work with. */
  readonly services: S;
  /** The memory as it is now. */
  readonly memory: () => Promise<Memory>;
  /** Why a call may not be made, in words; undefined when it may. `client`: the name that the calling program gave itself. */
  readonly refuse: (tool: Tool<S>, client?: string) => Promise<string | undefined>;
  /** Keeps a trace of a call. */
  readonly keepTrace: (trace: Omit<Trace, 'createdAt'>) => Promise<void>;
  /** Hears of a bug, or of a trace that could not be kept. */
  readonly report: (error: unknown) => void;
}

/** The tools of one vault, and all that their calls share. */
export interface Toolset<S> {
  readonly agents: readonly Agent<S>[];
  readonly host: ToolHost<S>;
  readonly sessions: Sessions;
}

export function allTools<S>({ agents }: Pick<Toolset<S>, 'agents'>): { agent: Agent<S>; tool: Tool<S> }[] {
  return agents.flatMap((agent) => agent.tools.map((tool) => ({ agent, tool })));
}

/** The tool of that name (and agent, where one is named). Throws a `Refusal` that names the nearest real ones. */
export function findTool<S>(toolset: Pick<Toolset<S>, 'agents'>, name: string, agentName?: string): { agent: Agent<S>; tool: Tool<S> } {
  const agents = toolset.agents.filter(({ name: other }) => agentName === undefined || other === agentName);
  if (agentName !== undefined && agents.length === 0) {
    const names = toolset.agents.map((agent) => agent.name);
    throw new Refusal(`Agent "${clip(agentName)}" does not exist.${didYouMean(agentName, names)} Valid agents: ${names.join(', ')}.`);
  }
  const found = allTools({ agents }).find(({ tool }) => tool.name === name);
  if (found) return found;
  const names = allTools({ agents }).map(({ tool }) => tool.name);
  throw new Refusal(`Tool "${clip(name)}" does not exist.${didYouMean(name, names)} Valid tools: ${names.join(', ')}.`);
}
