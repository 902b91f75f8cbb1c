import type { CallToolResult, ListToolsResult } from '@modelcontextprotocol/server';
import { isJsonObject, type JsonObject } from '../model/event.js';
import type { Answer } from '../toolkit/answer.js';
import type { Tool } from '../toolkit/define-tool.js';
import { inputSchema, outputSchema } from '../toolkit/schema.js';
import { allTools, findTool, type Toolset } from '../toolkit/toolset.js';

export const SURFACES = ['full', 'compact'] as const;

/** Which tools a client sees: each under its own name, or the two through which all others are reached. */
export type Surface = (typeof SURFACES)[number];

const RELAYS: Record<Surface, readonly string[]> = { full: ['useTools'], compact: ['getTools', 'useTools'] };

/** The tools of a surface, in the order in which they are listed. */
export function listedTools<S>(toolset: Toolset<S>, surface: Surface): Tool<S>[] {
  const own = surface === 'full' ? allTools(toolset).flatMap(({ tool }) => (tool.isRelay ? [] : [tool])) : [];
  return [...own, ...RELAYS[surface].map((name) => findTool(toolset, name).tool)];
}

/** A tool as `tools/list` shows it. */
export function describeTool<S>(tool: Tool<S>): ListToolsResult['tools'][number] {
  const { name, title, description, access } = tool;
  const answer = answerSchema(tool);
  return {
    ...{ name, title, description, inputSchema: { ...inputSchema(tool), type: 'object' } },
    ...(answer && { outputSchema: { ...answer, type: 'object' } }),
    annotations: {
      readOnlyHint: access === 'read',
      destructiveHint: access === 'destroy',
      ...(access === 'read' && { idempotentHint: true }),
      openWorldHint: false,
    },
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
    type: 'object',
    properties: {
      success: { type: 'boolean' },
      ...(data && { data: shape, indexState: { type: 'object' } }),
      ...{ error: { type: 'string' }, notice: { type: 'string' } },
    },
    required: ['success'],
    ...(JSON.stringify(shape).includes('"$ref"') && isJsonObject(shared) && { $defs: shared }),
  };
}

/** An answer as the protocol carries it: structured, and as the same JSON for clients that read text only. */
export function answerToResult(answer: Answer): CallToolResult {
  const structuredContent: JsonObject = { ...(answer as unknown as JsonObject) };
  return { content: [{ type: 'text', text: JSON.stringify(answer) }], structuredContent, isError: !answer.success };
}
