import * as z from 'zod';
import { isJsonObject, type Json, type JsonObject } from '../model/event.js';
import type { Tool } from './define-tool.js';

/** The schema of `context` in each tool, as short as possible. */
export const CONTEXT_SCHEMA: JsonObject = {
  type: 'object',
  description: '{workspaceId}',
};

/**
 * Returns the tool's input as JSON schema, in the subset that every MCP client understands: flat objects of simple types.
 * The fields of `context` are described once, in the server's instructions and in `useTools`.
 */
export function inputSchema(tool: Pick<Tool<never>, 'input' | 'isRelay'>): JsonObject {
  const schema = toSchema(tool.input, 'input');
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  return {
    ...schema,
    properties:
      'context' in properties || tool.isRelay
        ? properties
        : { ...properties, context: CONTEXT_SCHEMA },
  };
}

/**
 * Returns an input schema without the limits of its numbers, which would cost tokens in each conversation. A call with a number
 * outside of its limits fails with a sentence that names them.
 */
export function withoutBounds(schema: JsonObject): JsonObject {
  const { properties, ...rest } = schema;
  if (!isJsonObject(properties)) return schema;
  const entries = Object.entries(properties).map(([key, property]): [string, Json] => {
    if (!isJsonObject(property)) return [key, property];
    const { minimum: _minimum, maximum: _maximum, ...unbounded } = property;
    return [key, unbounded];
  });
  return { ...rest, properties: Object.fromEntries(entries) };
}

/** Returns the JSON schema of the answer's `data`, or undefined if the tool declares none. */
export function outputSchema({ output }: Pick<Tool<never>, 'output'>): JsonObject | undefined {
  return output && toSchema(output, 'output');
}

/** Converted schemas, because a lookup is about a thousand times faster than a conversion. */
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
