import * as z from 'zod';
import { isJsonObject, type Json, type JsonObject } from '../model/event.js';
import { contextInput } from './context.js';
import type { Tool } from './define-tool.js';

/** Without a description: the server's instructions have it, and that of `context`. */
export const WORKSPACE_ID_SCHEMA: JsonObject = { type: 'string' };

/** `context` in a list of tools. */
const CONTEXT_SCHEMA: JsonObject = {
  type: 'object',
  properties: Object.fromEntries(
    Object.keys(contextInput.shape).map((field) => [field, { type: 'string' }]),
  ),
};

/** Returns what every MCP client understands: flat objects of simple types. */
export function inputSchema({ input }: Pick<Tool<never>, 'input'>): JsonObject {
  return toSchema(input, 'input');
}

/** Adds `workspaceId` if the tool works in a workspace, for callers that may choose it. */
export function inputSchemaWithWorkspace(
  tool: Pick<Tool<never>, 'input' | 'usesWorkspace'>,
): JsonObject {
  const schema = inputSchema(tool);
  if (!tool.usesWorkspace || 'workspaceId' in tool.input.shape) return schema;
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  return { ...schema, properties: { ...properties, workspaceId: WORKSPACE_ID_SCHEMA } };
}

/**
 * Removes what would cost tokens in each conversation: limits, since a call outside them fails with
 * a sentence that names them, empty defaults, and the descriptions of the context's fields.
 */
export function listedSchema(schema: JsonObject): JsonObject {
  const { properties, ...rest } = schema;
  if (!isJsonObject(properties)) return schema;
  const entries = Object.entries(properties).map(([key, property]): [string, Json] => {
    if (key === 'context') return [key, CONTEXT_SCHEMA];
    if (!isJsonObject(property)) return [key, property];
    const kept = Object.entries(property).filter(
      ([name, value]) => !BOUNDS.has(name) && !(name === 'default' && isEmpty(value)),
    );
    return [key, Object.fromEntries(kept)];
  });
  return { ...rest, properties: Object.fromEntries(entries) };
}

const BOUNDS = new Set(['minimum', 'maximum', 'minItems', 'maxItems']);

/** Such a default is the same as leaving the parameter out. */
function isEmpty(value: Json): boolean {
  return value === false || (Array.isArray(value) && value.length === 0);
}

/** Returns the schema of `data`; undefined if the tool declares none. */
export function outputSchema({ output }: Pick<Tool<never>, 'output'>): JsonObject | undefined {
  return output && toSchema(output, 'output');
}

/** A lookup is about a thousand times faster than a conversion. */
const cache = {
  input: new WeakMap<z.ZodType, JsonObject>(),
  output: new WeakMap<z.ZodType, JsonObject>(),
};

function toSchema(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
  const converted = cache[io].get(schema) ?? convert(schema, io);
  cache[io].set(schema, converted);
  return converted;
}

function convert(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    override({ jsonSchema }) {
      delete jsonSchema.additionalProperties;
      delete jsonSchema.propertyNames;
    },
  });
  return rest as JsonObject;
}
