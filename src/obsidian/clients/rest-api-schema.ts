import * as z from 'zod/v3';
import { isJsonObject, type Json, type JsonObject } from '../../model/event.js';

/** Converts JSON schema properties to zod 3 for "Local REST API". The tools validate again. */
export function shapeOf({ properties, required }: JsonObject): Record<string, z.ZodTypeAny> {
  const names = Array.isArray(required) ? required : [];
  const entries = Object.entries(isJsonObject(properties) ? properties : {});
  return Object.fromEntries(
    entries.map(([name, property]) => [name, fieldOf(property, names.includes(name))]),
  );
}

function fieldOf(property: Json, isRequired: boolean): z.ZodTypeAny {
  const schema = isJsonObject(property) ? property : {};
  const type = isRequired ? typeOf(schema) : typeOf(schema).optional();
  return typeof schema['description'] === 'string' ? type.describe(schema['description']) : type;
}

function typeOf(schema: JsonObject): z.ZodTypeAny {
  const { type, items, properties, enum: choices = [] } = schema;
  const [first, ...others] = [choices]
    .flat()
    .filter((choice): choice is string => typeof choice === 'string');
  if (first !== undefined) return z.enum([first, ...others]);
  if (type === 'string') return z.string();
  if (type === 'boolean') return z.boolean();
  if (type === 'integer') return z.number().int();
  if (type === 'number') return z.number();
  if (type === 'array') return z.array(fieldOf(items ?? {}, true));
  if (type === 'object')
    return isJsonObject(properties)
      ? z.object(shapeOf(schema)).passthrough()
      : z.object({}).passthrough();
  return z.unknown();
}
