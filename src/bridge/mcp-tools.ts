import type { CallToolResult, ListToolsResult } from '@modelcontextprotocol/server';
import { isJsonObject, type JsonObject } from '../model/event.js';
import {
  resourceDescription,
  resourcesOf,
  resourceSchema,
  routeAction,
  type Resource,
} from '../toolkit/actions.js';
import type { Answer } from '../toolkit/answer.js';
import { fullDescription, type Tool } from '../toolkit/define-tool.js';
import { inputSchema, outputSchema } from '../toolkit/schema.js';
import type { Surface } from '../toolkit/surfaces.js';
import { allTools, findTool, formerName, unknownTool, type Toolset } from '../toolkit/toolset.js';

type Listed = ListToolsResult['tools'][number];

/** A tool as a client calls it: by which name, with which parameters. */
interface Routed<S> {
  readonly tool: Tool<S>;
  readonly name: string;
  readonly params: unknown;
}

interface Projection {
  /** Whether each tool costs the client's model its own schema. */
  readonly isByName: boolean;
  list<S>(tools: readonly Tool<S>[]): Listed[];
  /** What a call of a name is a call of; undefined where there is nothing of that name. Throws a `Refusal` in words. */
  route<S>(tools: readonly Tool<S>[], name: string, params: unknown): Routed<S> | undefined;
  /** How a model is told to call a tool. */
  howToCall(tool: Tool<never>, agent: string): string;
}

/** Lists the tools that `isListed`, and answers those that `isThere`, by their own names. */
function byName(
  isListed: (tool: Tool<never>) => boolean,
  isThere = isListed,
): Pick<Projection, 'list' | 'route'> {
  return {
    list: (tools) => tools.filter(isListed).map(describeTool),
    route(tools, name, params) {
      const there = tools.filter(isThere);
      const tool =
        there.find((other) => other.name === name) ??
        there.find((other) => formerName(other, name));
      return tool && { tool, name, params };
    },
  };
}

const isOwnOrUseTools = ({ isRelay, name }: Tool<never>) => !isRelay || name === 'useTools';

const PROJECTIONS: Record<Surface, Projection> = {
  full: {
    isByName: true,
    ...byName((tool) => isOwnOrUseTools(tool) && tool.isUnlisted !== true, isOwnOrUseTools),
    howToCall: ({ name }) => `the tool ${name}`,
  },
  compact: {
    isByName: false,
    ...byName(({ isRelay }) => isRelay),
    howToCall: ({ name }, agent) => `${name} (agent ${agent}) through the tool useTools`,
  },
  actions: {
    isByName: false,
    list: (tools) => resourcesOf(tools).map(describeResource),
    route(tools, name, params) {
      const resource = resourcesOf(tools).find((other) => other.name === name);
      if (!resource) return undefined;
      const routed = routeAction(resource, params);
      return { ...routed, name: routed.tool.name };
    },
    howToCall: ({ action }) => `the tool ${action?.resource}, with the action ${action?.name}`,
  },
};

/** Whether each tool of a surface costs the client's model its own schema. */
export function isByName(surface: Surface): boolean {
  return PROJECTIONS[surface].isByName;
}

/** The tools of a surface, in the order in which they are listed, for a client that is given these agents. */
export function listTools<S>(
  toolset: Toolset<S>,
  surface: Surface,
  agents?: readonly string[],
): Listed[] {
  return PROJECTIONS[surface].list(allTools(toolset, agents).map(({ tool }) => tool));
}

/** What a client's call is a call of, a tool that is switched off included. Throws a `Refusal` that names what is listed. */
export function routeCall<S>(
  toolset: Toolset<S>,
  surface: Surface,
  name: string,
  params: unknown,
  agents?: readonly string[],
): Routed<S> {
  const everything = allTools({ agents: toolset.agents }).map(({ tool }) => tool);
  const routed = PROJECTIONS[surface].route(everything, name, params);
  if (routed) return routed;
  throw unknownTool(
    name,
    listTools(toolset, surface, agents).map((tool) => tool.name),
  );
}

/** How a model is told to call the tool of that name. */
export function howToCall<S>(toolset: Toolset<S>, surface: Surface, name: string): string {
  const { agent, tool } = findTool(toolset, name);
  return PROJECTIONS[surface].howToCall(tool, agent.name);
}

/** A tool as `tools/list` shows it. */
export function describeTool<S>(tool: Tool<S>): Listed {
  const { name, title } = tool;
  const answer = answerSchema(tool);
  return {
    name,
    title,
    description: fullDescription(tool),
    inputSchema: { ...inputSchema(tool), type: 'object' },
    ...(answer && { outputSchema: { ...answer, type: 'object' } }),
    annotations: annotationsOf([tool]),
  };
}

/** Tools that are actions of one thing, as `tools/list` shows them. */
export function describeResource<S>(resource: Resource<S>): Listed {
  const { name, actions } = resource;
  return {
    name,
    title: `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    description: resourceDescription(resource),
    inputSchema: { ...resourceSchema(resource), type: 'object' },
    outputSchema: { ...wholeAnswer({ indexState: { type: 'object' } }), type: 'object' },
    annotations: annotationsOf(actions.map(({ tool }) => tool)),
  };
}

/** What holds for each of these tools. */
function annotationsOf(tools: readonly Tool<never>[]): Listed['annotations'] {
  const isReadOnly = tools.every(({ access }) => access === 'read');
  return {
    readOnlyHint: isReadOnly,
    destructiveHint: tools.some(({ access }) => access === 'destroy'),
    ...(isReadOnly && { idempotentHint: true }),
    openWorldHint: false,
  };
}

/**
 * The shape of the whole answer, failures too: some clients refuse what does not fit it. None for a tool that answers what the
 * tools it calls answer.
 */
function answerSchema<S>(tool: Tool<S>): JsonObject | undefined {
  const data = outputSchema(tool);
  if (!data && tool.isRelay) return undefined;
  const { $defs: shared, ...shape } = data ?? {};
  return {
    ...wholeAnswer(data ? { data: shape, indexState: { type: 'object' } } : {}),
    ...(JSON.stringify(shape).includes('"$ref"') && isJsonObject(shared) && { $defs: shared }),
  };
}

/** An answer, with these fields where it is a success. */
function wholeAnswer(fields: JsonObject): JsonObject {
  return {
    type: 'object',
    properties: {
      success: { type: 'boolean' },
      ...fields,
      error: { type: 'string' },
      notice: { type: 'string' },
    },
    required: ['success'],
  };
}

/** An answer as the protocol carries it: structured, and as the same JSON for clients that read text only. */
export function answerToResult(answer: Answer): CallToolResult {
  const structuredContent: JsonObject = { ...(answer as unknown as JsonObject) };
  return {
    content: [{ type: 'text', text: JSON.stringify(answer) }],
    structuredContent,
    isError: !answer.success,
  };
}
