import type { JsonObject } from '../model/event.js';
import type { Memory } from '../model/memory.js';
import { didYouMean } from '../model/names.js';
import { clip, Refusal } from '../model/refusal.js';
import type { Trace } from '../model/trace.js';
import type { Workspace } from '../model/workspace.js';
import type { Sessions } from './context.js';
import type { Agent, FormerName, Tool } from './define-tool.js';

/** What a toolset stands on: the host's side of every call. */
export interface ToolHost<S> {
  /** What the handlers work with. */
  readonly services: S;
  /** The memory as it is now. */
  readonly memory: () => Promise<Memory>;
  /** Why a call may not be made, in words; undefined when it may. `client`: the name that the calling program gave itself. */
  readonly refuse: (
    tool: Tool<S>,
    client: string | undefined,
    call: PendingCall,
  ) => Promise<string | undefined>;
  /** Keeps a trace of a call. */
  readonly keepTrace: (trace: Omit<Trace, 'createdAt'>) => Promise<void>;
  /** The switches of the agents that the person has switched off, as it is now; none where absent. */
  readonly agentsOff?: () => readonly string[];
  /** Hears of a bug, or of a trace that could not be kept. */
  readonly report: (error: unknown) => void;
}

/** A call that is whole and valid, and has not begun. */
export interface PendingCall {
  readonly params: JsonObject;
  readonly workspace: Workspace;
  readonly sessionId: string;
  readonly key: string | undefined;
  readonly signal: AbortSignal | undefined;
}

/** The tools of one vault, and all that their calls share. */
export interface Toolset<S> {
  readonly agents: readonly Agent<S>[];
  readonly host: ToolHost<S>;
  readonly sessions: Sessions;
}

type AgentsOfHost<S> = Pick<Toolset<S>, 'agents'> & {
  readonly host?: Pick<ToolHost<S>, 'agentsOff'>;
};

/** The tools that are on, for a caller that is given these agents beside those that are always there. */
export function allTools<S>(
  toolset: AgentsOfHost<S>,
  given?: readonly string[],
): { agent: Agent<S>; tool: Tool<S> }[] {
  const on = toolset.agents.filter((agent) => whyOff(agent, toolset.host, given) === undefined);
  return on.flatMap((agent) => agent.tools.map((tool) => ({ agent, tool })));
}

/** Why the tools of an agent cannot be called, in words; undefined where they can. */
export function whyOff<S>(
  agent: Agent<S>,
  host: AgentsOfHost<S>['host'],
  given?: readonly string[],
): string | undefined {
  const { name, switch: by } = agent;
  if (by === undefined) return undefined;
  if (host?.agentsOff?.().includes(by))
    return `The tools of ${name} are switched off. The person can turn them on in Obsidian under Settings, Savepoint, Further tools.`;
  return given?.includes(by) === false
    ? `The tools of ${name} are switched off for this connection. The person can turn them on by starting Savepoint with --agents ${[...given, by].join(',')}.`
    : undefined;
}

/**
 * The tool of that name (and agent, where one is named), one that it had before or that is switched off included.
 * Throws a `Refusal` that names the nearest of those that are on for a caller that is given these agents.
 */
export function findTool<S>(
  toolset: AgentsOfHost<S>,
  name: string,
  agentName?: string,
  given?: readonly string[],
): { agent: Agent<S>; tool: Tool<S> } {
  const agents = toolset.agents.filter(
    ({ name: other }) => agentName === undefined || other === agentName,
  );
  if (agentName !== undefined && agents.length === 0) {
    const names = toolset.agents
      .filter((agent) => whyOff(agent, toolset.host, given) === undefined)
      .map((agent) => agent.name);
    throw new Refusal(
      `Agent "${clip(agentName)}" does not exist.${didYouMean(agentName, names)} Valid agents: ${names.join(', ')}.`,
    );
  }
  const found =
    firstTool(agents, (tool) => tool.name === name) ??
    firstTool(agents, (tool) => formerName(tool, name) !== undefined);
  if (found) return found;
  throw unknownTool(
    name,
    allTools({ ...toolset, agents }, given).map(({ tool }) => tool.name),
  );
}

function firstTool<S>(
  agents: readonly Agent<S>[],
  isWanted: (tool: Tool<S>) => boolean,
): { agent: Agent<S>; tool: Tool<S> } | undefined {
  for (const agent of agents) {
    const tool = agent.tools.find(isWanted);
    if (tool) return { agent, tool };
  }
  return undefined;
}

/** The name that a tool had, where it is this one. */
export function formerName(
  { formerly }: Pick<Tool<never>, 'formerly'>,
  name: string,
): FormerName | undefined {
  return formerly?.find((former) => former.name === name);
}

export function unknownTool(name: string, names: readonly string[]): Refusal {
  return new Refusal(
    `Tool "${clip(name)}" does not exist.${didYouMean(name, names)} Valid tools: ${names.join(', ')}.`,
  );
}
