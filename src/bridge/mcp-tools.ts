import type { CallToolResult, ListToolsResult } from '@modelcontextprotocol/server';
import { isJsonObject, type JsonObject } from '../model/event.js';
import {
  resourceDescription,
  groupByResource,
  resourceSchema,
  type Resource,
  type RoutedAction,
} from '../toolkit/actions.js';
import { routeAlias, routeResource } from '../toolkit/action-aliases.js';
import { inTermsOf, type Answer } from '../toolkit/answer.js';
import type { Tool, ToolAction } from '../toolkit/define-tool.js';
import { checkObject } from '../toolkit/explain.js';
import { inputSchemaWithWorkspace, listedSchema, outputSchema } from '../toolkit/schema.js';
import type { Surface } from '../toolkit/surfaces.js';
import {
  allTools,
  findTool,
  toolPhrases,
  unknownToolError,
  type Toolkit,
} from '../toolkit/toolkit.js';

type ListedTool = ListToolsResult['tools'][number];

interface Projection {
  list<S>(tools: readonly Tool<S>[]): ListedTool[];
  /**
   * Finds the tool that a call selects; undefined if the name is unknown. Throws a `Refusal` for an
   * invalid action.
   */
  route<S>(
    tools: readonly Tool<S>[],
    name: string,
    params: JsonObject,
  ): RoutedAction<S> | undefined;
  /** Returns a noun phrase that tells a model how to call a tool; undefined if it cannot. */
  phraseFor(tool: Tool<never>, toolset: string): string | undefined;
}

/** Lists tools by their own names. `isCallable` may include tools that are not listed. */
function byName(
  isListed: (tool: Tool<never>) => boolean,
  isCallable = isListed,
): Pick<Projection, 'list' | 'route'> {
  return {
    list: (tools) => tools.filter(isListed).map(describeTool),
    route(tools, name, params) {
      const callable = tools.filter(isCallable);
      const tool = callable.find((other) => other.name === name);
      return tool ? { tool, params } : routeAlias(callable, name, params);
    },
  };
}

function throughUseTools({ name, isRelay }: Tool<never>, toolset: string): string {
  return isRelay ? name : `useTools with ${name} of ${toolset}`;
}

function selectorsOf({ name, when = {} }: ToolAction): string {
  const selectors = Object.entries({ action: name, ...when });
  return selectors.map(([key, value]) => `${key} ${JSON.stringify(value)}`).join(', ');
}

const isOwnOrUseTools = ({ isRelay, name }: Tool<never>) => !isRelay || name === 'useTools';

const PROJECTIONS: Record<Surface, Projection> = {
  full: {
    ...byName((tool) => isOwnOrUseTools(tool) && tool.isUnlisted !== true, isOwnOrUseTools),
    phraseFor(tool, toolset) {
      if (!isOwnOrUseTools(tool)) return undefined;
      return tool.isUnlisted ? throughUseTools(tool, toolset) : tool.name;
    },
  },
  compact: {
    ...byName(({ isRelay }) => isRelay),
    phraseFor: throughUseTools,
  },
  actions: {
    list: (tools) => groupByResource(tools).map(describeResource),
    route: routeResource,
    phraseFor: ({ action }) => action && `${action.resource} with ${selectorsOf(action)}`,
  },
};

/**
 * Returns the tools of a surface in display order. `enabled` lists the switch names of the optional
 * toolsets that the client may use; all if absent. With `isAlwaysLoaded`, Claude Code does not hide
 * the tools behind a search.
 */
export function listTools<S>(
  toolkit: Toolkit<S>,
  surface: Surface,
  enabled?: readonly string[],
  isAlwaysLoaded = false,
): ListedTool[] {
  const tools = PROJECTIONS[surface].list(allTools(toolkit, enabled).map(({ tool }) => tool));
  if (!isAlwaysLoaded) return tools;
  return tools.map((tool) => ({ ...tool, _meta: { 'anthropic/alwaysLoad': true } }));
}

/**
 * Finds the tool that a client's call selects, including disabled tools. Throws a `Refusal` that
 * lists the valid names.
 */
export function routeCall<S>(
  toolkit: Toolkit<S>,
  surface: Surface,
  name: string,
  params: unknown,
  enabled?: readonly string[],
): RoutedAction<S> {
  const all = allTools({ toolsets: toolkit.toolsets }).map(({ tool }) => tool);
  const given = params ?? {};
  checkObject(given, 'parameter');
  const routed = PROJECTIONS[surface].route(all, name, given);
  if (routed) return routed;
  throw unknownToolError(
    name,
    listTools(toolkit, surface, enabled).map((tool) => tool.name),
  );
}

/** Returns a phrase that tells a model how to call the tool with this name. */
export function howToCall<S>(toolkit: Toolkit<S>, surface: Surface, name: string): string {
  const { toolset, tool } = findTool(toolkit, name);
  return PROJECTIONS[surface].phraseFor(tool, toolset.name) ?? name;
}

/**
 * Returns the answer with its error and notice in the terms of a surface: with what a client calls
 * there, and without advice to call what it cannot. `enabled` is as in `listTools`. `isRelayed` is
 * true if its data may be the answers of several calls.
 */
export function inTermsOfSurface<S>(
  answer: Answer,
  toolkit: Toolkit<S>,
  surface: Surface,
  enabled?: readonly string[],
  isRelayed = false,
): Answer {
  const phrases = () =>
    toolPhrases(toolkit, enabled, (tool, toolset) => PROJECTIONS[surface].phraseFor(tool, toolset));
  const { data } = answer;
  const results = isRelayed && isJsonObject(data) ? data['results'] : undefined;
  if (!Array.isArray(results)) return inTermsOf(answer, phrases);
  const each = results.map((result) => inTermsOf(result as unknown as Answer, phrases));
  return { ...inTermsOf(answer, phrases), data: { results: each } };
}

/** Returns a tool as `tools/list` shows it. */
export function describeTool<S>(tool: Tool<S>): ListedTool {
  const { name, title } = tool;
  const answer = answerSchema(tool);
  return {
    name,
    title,
    description: tool.description,
    inputSchema: { ...listedSchema(inputSchemaWithWorkspace(tool)), type: 'object' },
    ...(answer && { outputSchema: { ...answer, type: 'object' } }),
    annotations: annotationsOf([tool]),
  };
}

/** Returns a resource with its actions as `tools/list` shows it. */
export function describeResource<S>(resource: Resource<S>): ListedTool {
  const { name, actions } = resource;
  return {
    name,
    title: `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    description: resourceDescription(resource),
    inputSchema: { ...resourceSchema(resource), type: 'object' },
    outputSchema: { ...answerEnvelope({ indexState: { type: 'object' } }), type: 'object' },
    annotations: annotationsOf(actions.map(({ tool }) => tool)),
  };
}

/**
 * Returns the hints for these tools: read-only if all of them are, destructive if any of them is.
 */
function annotationsOf(tools: readonly Tool<never>[]): ListedTool['annotations'] {
  const isReadOnly = tools.every(({ access }) => access === 'read');
  return {
    readOnlyHint: isReadOnly,
    destructiveHint: tools.some(({ access }) => access === 'destroy'),
    ...(isReadOnly && { idempotentHint: true }),
    openWorldHint: false,
  };
}

/**
 * Returns the schema of every possible answer. It includes failures, because some clients reject
 * answers that do not match. Undefined for a relaying tool without an output schema, because it
 * returns the answers of the tools that it calls.
 */
function answerSchema<S>(tool: Tool<S>): JsonObject | undefined {
  const data = outputSchema(tool);
  if (!data && tool.isRelay) return undefined;
  const { $defs: shared, ...shape } = data ?? {};
  return {
    ...answerEnvelope(data ? { data: shape, indexState: { type: 'object' } } : {}),
    ...(JSON.stringify(shape).includes('"$ref"') && isJsonObject(shared) && { $defs: shared }),
  };
}

/** Returns the schema of an answer with these additional fields. */
function answerEnvelope(fields: JsonObject): JsonObject {
  return {
    type: 'object',
    properties: {
      success: { type: 'boolean' },
      workspace: { type: 'string' },
      ...fields,
      more: {
        type: 'object',
        properties: { total: { type: 'number' }, after: { type: 'string' } },
      },
      error: { type: 'string' },
      notice: { type: 'string' },
    },
    required: ['success'],
  };
}

/**
 * Converts an answer to the protocol's result. The result contains the JSON twice: structured, and
 * as text for clients that read only text.
 */
export function answerToResult(answer: Answer): CallToolResult {
  const structuredContent: JsonObject = { ...(answer as unknown as JsonObject) };
  return {
    content: [{ type: 'text', text: JSON.stringify(answer) }],
    structuredContent,
    isError: !answer.success,
  };
}
