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
import { inTermsOf, type Answer, type SuggestedCall } from '../toolkit/answer.js';
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
  /** Returns undefined for an unknown name, and throws a `Refusal` for an invalid action. */
  route<S>(
    tools: readonly Tool<S>[],
    name: string,
    params: JsonObject,
  ): RoutedAction<S> | undefined;
  /** Returns a call as a client of the surface makes it. */
  callOf(tool: Tool<never>, toolset: string, params: JsonObject): JsonObject;
  /** Tells a model how to call a tool, as a noun phrase; undefined if it cannot. */
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

function callThroughUseTools({ name: tool }: Tool<never>, agent: string, given: JsonObject) {
  const { context, ...params } = given;
  const calls = [{ agent, tool, params }];
  return { name: 'useTools', arguments: { ...(context !== undefined && { context }), calls } };
}

function selectorsOf({ name, when = {} }: ToolAction): string {
  const selectors = Object.entries({ action: name, ...when });
  return selectors.map(([key, value]) => `${key} ${JSON.stringify(value)}`).join(', ');
}

const isOwnOrUseTools = ({ isRelay, name }: Tool<never>) => !isRelay || name === 'useTools';

const PROJECTIONS: Record<Surface, Projection> = {
  full: {
    ...byName((tool) => isOwnOrUseTools(tool) && tool.isUnlisted !== true, isOwnOrUseTools),
    callOf: (tool, toolset, params) =>
      tool.isUnlisted
        ? callThroughUseTools(tool, toolset, params)
        : { name: tool.name, arguments: params },
    phraseFor(tool, toolset) {
      if (!isOwnOrUseTools(tool)) return undefined;
      return tool.isUnlisted ? throughUseTools(tool, toolset) : tool.name;
    },
  },
  compact: {
    ...byName(({ isRelay }) => isRelay),
    callOf: callThroughUseTools,
    phraseFor: throughUseTools,
  },
  actions: {
    list: (tools) => groupByResource(tools).map(describeResource),
    route: routeResource,
    callOf: ({ name, action }, _, params) => ({
      name: action?.resource ?? name,
      arguments: { action: action?.name ?? name, ...action?.when, ...params },
    }),
    phraseFor: ({ action }) => action && `${action.resource} with ${selectorsOf(action)}`,
  },
};

/**
 * Returns a surface's tools in display order. `enabled` has the switch names of optional toolsets;
 * all if absent. `isAlwaysLoaded` keeps Claude Code from hiding tools behind a search.
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

/** Includes disabled tools. Throws a `Refusal` that lists the valid names. */
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

/** Tells a model how to call the tool with this name, as a phrase. */
export function howToCall<S>(toolkit: Toolkit<S>, surface: Surface, name: string): string {
  const { toolset, tool } = findTool(toolkit, name);
  return PROJECTIONS[surface].phraseFor(tool, toolset.name) ?? name;
}

/**
 * Puts the error and notice in a surface's terms, without advice to call what the client cannot.
 * `enabled` is as in `listTools`. `isRelayed`: the data may be the answers of several calls.
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
  const adapt = (each: Answer) => withCall(inTermsOf(each, phrases), toolkit, surface);
  if (!Array.isArray(results)) return adapt(answer);
  const each = results.map((result) => adapt(result as unknown as Answer));
  return { ...adapt(answer), data: { results: each } };
}

function withCall<S>(answer: Answer, toolkit: Toolkit<S>, surface: Surface): Answer {
  if (!answer.success || !isSuggestedCall(answer.call)) return answer;
  const { tool, toolset } = findTool(toolkit, answer.call.tool);
  const call = PROJECTIONS[surface].callOf(tool, toolset.name, answer.call.params);
  return { ...answer, call };
}

function isSuggestedCall(call: SuggestedCall | JsonObject | undefined): call is SuggestedCall {
  return call !== undefined && 'params' in call;
}

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

export function describeResource<S>(resource: Resource<S>): ListedTool {
  const { name, actions } = resource;
  const schema = answerEnvelope({ indexState: { type: 'object' } });
  return {
    name,
    title: `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    description: resourceDescription(resource),
    inputSchema: { ...resourceSchema(resource), type: 'object' },
    ...(!actions.some(({ tool }) => tool.isTextOnly) && {
      outputSchema: { ...schema, type: 'object' },
    }),
    annotations: annotationsOf(actions.map(({ tool }) => tool)),
  };
}

/** Read-only if all of the tools are, destructive if any of them is. */
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
 * Returns the schema of every answer, even failures, because some clients reject others. Undefined
 * for a text, and for a relay without an output schema, which returns the answers of other tools.
 */
function answerSchema<S>(tool: Tool<S>): JsonObject | undefined {
  const data = outputSchema(tool);
  if (tool.isTextOnly || (!data && tool.isRelay)) return undefined;
  const { $defs: shared, ...shape } = data ?? {};
  return {
    ...answerEnvelope(data ? { data: shape, indexState: { type: 'object' } } : {}),
    ...(JSON.stringify(shape).includes('"$ref"') && isJsonObject(shared) && { $defs: shared }),
  };
}

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
      call: { type: 'object' },
      error: { type: 'string' },
      notice: { type: 'string' },
    },
    required: ['success'],
  };
}

/** Contains the JSON as text and, unless the tool is `isTextOnly`, also structured. */
export function answerToResult(
  answer: Answer,
  tool?: Pick<Tool<never>, 'isTextOnly'>,
): CallToolResult {
  const structuredContent: JsonObject = { ...(answer as unknown as JsonObject) };
  return {
    content: [{ type: 'text', text: JSON.stringify(answer) }],
    ...(!tool?.isTextOnly && { structuredContent }),
    isError: !answer.success,
  };
}
