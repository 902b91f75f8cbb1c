import * as z from 'zod';
import { isJsonObject, type JsonObject } from '../model/event.js';
import type { Tool } from './define-tool.js';

/**
 * The tool's input as JSON schema, in the subset that every MCP client reads: flat objects of simple types.
 * `context` stands in it as a bare object; its fields are described once, in the server's instructions and in `useTools`.
 */
export function inputSchema(tool: Pick<Tool<never>, 'input' | 'isRelay'>): JsonObject {
  const schema = toSchema(tool.input, 'input');
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  return {
    ...schema,
    properties:
      'context' in properties || tool.isRelay
        ? properties
        : { ...properties, context: { type: 'object' } },
  };
}

/** The shape of the answer's `data` as JSON schema. */
export function outputSchema({ output }: Pick<Tool<never>, 'output'>): JsonObject | undefined {
  return output && toSchema(output, 'output');
}

/** To convert a schema takes a thousand times as long as to find it here. */
const converted = {
  input: new WeakMap<z.ZodType, JsonObject>(),
  output: new WeakMap<z.ZodType, JsonObject>(),
};

function toSchema(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
  const found = converted[io].get(schema) ?? convert(schema, io);
  converted[io].set(schema, found);
  return found;
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
