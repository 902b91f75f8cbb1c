import type { JsonObject } from '../model/event.js';
import type { Memory } from '../model/memory.js';
import { didYouMean } from '../model/names.js';
import { clip, Refusal } from '../model/refusal.js';
import type { Trace } from '../model/trace.js';
import type { Workspace } from '../model/workspace.js';
import type { Toolset, Tool } from './define-tool.js';
import type { Sessions } from './sessions.js';

/** What a host provides to every call. */
export interface ToolHost<S> {
  readonly services: S;
  readonly memory: () => Promise<Memory>;
  /** Resolves with the reason to refuse the call, if any. `client` is the name it gave itself. */
  readonly refuse: (
    tool: Tool<S>,
    client: string | undefined,
    call: PendingCall,
  ) => Promise<string | undefined>;
  readonly writeTrace: (trace: Omit<Trace, 'createdAt'>, tool: Tool<S>) => Promise<void>;
  /** Current workspace in Obsidian, for calls that lead to none. */
  readonly currentWorkspaceId?: () => string | undefined;
  /** Switch names of toolsets that the user has disabled. */
  readonly disabledToolsets?: () => readonly string[];
  /**
   * Returns problems of the memory that the answer must mention. `isFirst` returns true the first
   * time that the session is to get a notice.
   */
  readonly notices?: (tool: Tool<S>, isFirst: (notice: string) => boolean) => readonly string[];
  /** Receives bugs, and errors of traces that could not be stored. */
  readonly report: (error: unknown) => void;
}

/** A validated call that has not started yet. */
export interface PendingCall {
  readonly params: JsonObject;
  readonly workspace: Workspace;
  readonly sessionId: string;
  readonly key: string | undefined;
  readonly signal: AbortSignal | undefined;
}

export interface Toolkit<S> {
  readonly toolsets: readonly Toolset<S>[];
  readonly host: ToolHost<S>;
  readonly sessions: Sessions;
}

type ToolsetsOfHost<S> = Pick<Toolkit<S>, 'toolsets'> & {
  readonly host?: Pick<ToolHost<S>, 'disabledToolsets'>;
};

/** Returns the enabled tools. `enabled`: switch names of optional toolsets; all if absent. */
export function allTools<S>(
  toolkit: ToolsetsOfHost<S>,
  enabled?: readonly string[],
): { toolset: Toolset<S>; tool: Tool<S> }[] {
  const on = toolkit.toolsets.filter(
    (toolset) => disabledReason(toolset, toolkit.host, enabled) === undefined,
  );
  return on.flatMap((toolset) => toolset.tools.map((tool) => ({ toolset, tool })));
}

/** Returns phrases to call tools by name; undefined if not callable. `enabled` as in `allTools`. */
export function toolPhrases<S>(
  toolkit: ToolsetsOfHost<S>,
  enabled?: readonly string[],
  phraseFor: (tool: Tool<S>, toolset: string) => string | undefined = ({ name }) => name,
): Map<string, string | undefined> {
  const callable = new Set(allTools(toolkit, enabled).map(({ tool }) => tool));
  const phrases = allTools({ toolsets: toolkit.toolsets }).map(
    ({ toolset, tool }): [string, string | undefined] => [
      tool.name,
      callable.has(tool) ? phraseFor(tool, toolset.name) : undefined,
    ],
  );
  return new Map(phrases);
}

/** Returns why a toolset's tools cannot be called, if so. `enabled` as in `allTools`. */
export function disabledReason<S>(
  toolset: Toolset<S>,
  host: ToolsetsOfHost<S>['host'],
  enabled?: readonly string[],
): string | undefined {
  const { switchName } = toolset;
  if (switchName === undefined) return undefined;
  if (host?.disabledToolsets?.().includes(switchName))
    return `The toolset "${switchName}" is disabled. The user can enable it in Obsidian under Settings, Savepoint, Extra tools.`;
  return enabled?.includes(switchName) === false
    ? `The toolset "${switchName}" is disabled for this connection. The user can enable it by starting Savepoint with --toolsets ${[...enabled, switchName].join(',')}.`
    : undefined;
}

/**
 * Returns the tool with this name, even if disabled, of one toolset if given. Throws a `Refusal`
 * that suggests similar enabled names. `enabled` is as in `allTools`.
 */
export function findTool<S>(
  toolkit: ToolsetsOfHost<S>,
  name: string,
  toolsetName?: string,
  enabled?: readonly string[],
): { toolset: Toolset<S>; tool: Tool<S> } {
  const toolsets = toolkit.toolsets.filter(
    ({ name: other }) => toolsetName === undefined || other === toolsetName,
  );
  if (toolsetName !== undefined && toolsets.length === 0) {
    const names = toolkit.toolsets
      .filter((toolset) => disabledReason(toolset, toolkit.host, enabled) === undefined)
      .map((toolset) => toolset.name);
    throw new Refusal(
      `Toolset "${clip(toolsetName)}" does not exist.${didYouMean(toolsetName, names)} Valid toolsets: ${names.join(', ')}.`,
    );
  }
  for (const toolset of toolsets) {
    const tool = toolset.tools.find((other) => other.name === name);
    if (tool) return { toolset, tool };
  }
  const owner = toolkit.toolsets.find(({ tools }) => tools.some((tool) => tool.name === name));
  if (owner) throw new Refusal(`"${name}" is a tool of "${owner.name}".`);
  throw unknownToolError(
    name,
    allTools({ ...toolkit, toolsets }, enabled).map(({ tool }) => tool.name),
  );
}

/** Suggests similar names and lists all. */
export function unknownToolError(name: string, names: readonly string[]): Refusal {
  return new Refusal(
    `Tool "${clip(name)}" does not exist.${didYouMean(name, names)} Valid tools: ${names.join(', ')}.`,
  );
}
