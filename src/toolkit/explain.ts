import * as z from 'zod';
import { isJsonObject, type Json, type JsonObject } from '../model/event.js';
import { didYouMean } from '../model/names.js';
import { clip, Refusal } from '../model/refusal.js';

const DEPTH_LIMIT = 32;
const TOLD_AT_ONCE = 4;

/** Parameters that fit the schema, or a `Refusal` that says of each field what was given and what is wanted. */
export function readInput(schema: z.ZodObject, given: unknown, what = 'parameter'): JsonObject {
  checkData(given, what);
  const result = schema.safeParse(given);
  if (result.success) return result.data as JsonObject;
  const sentences = [
    ...new Set(result.error.issues.flatMap((issue) => explainIssue(issue, schema, given, what))),
  ];
  const more = sentences.length - TOLD_AT_ONCE;
  throw new Refusal(
    [...sentences.slice(0, TOLD_AT_ONCE), ...(more > 0 ? [`And ${more} more.`] : [])].join(' '),
  );
}

function explainIssue(
  issue: z.core.$ZodIssue,
  schema: z.ZodObject,
  given: JsonObject,
  what: string,
): string[] {
  if (issue.code === 'unrecognized_keys') {
    const owner = issue.path.length > 0 ? schemaAt(schema, issue.path) : schema;
    const known = owner instanceof z.ZodObject ? Object.keys(owner.shape) : [];
    return issue.keys.map(
      (key) =>
        `Unknown ${what} "${fieldName([...issue.path, key])}".${didYouMean(key, known)} Valid: ${known.join(', ')}.`,
    );
  }
  const field = fieldName(issue.path);
  if (issue.code === 'custom') return [`"${field}" ${issue.message}.`];
  const wanted = wantedText(schemaAt(schema, issue.path));
  const value = valueAt(given, issue.path);
  if (value === undefined)
    return [`"${field}" is missing. Give ${wanted}${hintOf(schemaAt(schema, issue.path))}.`];
  return [`"${field}" must be ${wanted}, but ${describe(value)} was given.`];
}

/** Refuses what no schema can: what is no object, keys that reach for a program's objects, broken text, bottomless nesting. */
export function checkData(given: unknown, what: string): asserts given is JsonObject {
  if (!isJsonObject(given))
    throw new Refusal(
      `The ${what}s must be an object, but ${describe(given)} was given. Send {"name": value, ...}.`,
    );
  const open: { value: Json; path: string; depth: number }[] = [
    { value: given, path: '', depth: 0 },
  ];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, path, depth } = next;
    if (typeof value === 'string' && !isWellFormed(value)) {
      throw new Refusal(
        `"${path}" holds half of a character (a lone surrogate), which cannot be stored. Send the text whole, or without it.`,
      );
    }
    if (typeof value !== 'object' || value === null) continue;
    if (depth > DEPTH_LIMIT)
      throw new Refusal(
        `The ${what}s are nested more than ${DEPTH_LIMIT} levels deep. Send a flatter value.`,
      );
    for (const [key, inner] of Object.entries(value)) {
      if (key === '__proto__')
        throw new Refusal(
          `"${fieldName([path, key])}" cannot be used as a name here. Choose another key.`,
        );
      if (!isWellFormed(key))
        throw new Refusal(
          `A key in "${path}" holds half of a character (a lone surrogate). Send the key whole.`,
        );
      open.push({ value: inner, path: fieldName([path, key]), depth: depth + 1 });
    }
  }
}

function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}

function fieldName(path: readonly PropertyKey[]): string {
  return clip(
    path
      .map(String)
      .filter((part) => part !== '')
      .join('.'),
  );
}

function schemaAt(schema: z.ZodType, path: readonly PropertyKey[]): z.ZodType | undefined {
  let at: z.ZodType | undefined = schema;
  for (const key of path) {
    const owner: z.ZodType | undefined = at && bare(at);
    if (owner instanceof z.ZodObject)
      at = (owner.shape as Record<string, z.ZodType | undefined>)[String(key)];
    else if (owner instanceof z.ZodArray) at = owner.element as z.ZodType;
    else return undefined;
  }
  return at && bare(at);
}

/** The schema inside optional and default. */
function bare(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return bare(schema.unwrap() as z.ZodType);
  return schema;
}

function valueAt(given: Json, path: readonly PropertyKey[]): Json | undefined {
  let at: Json | undefined = given;
  for (const key of path)
    at = typeof at === 'object' && at !== null ? (at as JsonObject)[String(key)] : undefined;
  return at;
}

function wantedText(schema: z.ZodType | undefined): string {
  if (schema instanceof z.ZodString) return 'text';
  if (schema instanceof z.ZodBoolean) return 'true or false';
  if (schema instanceof z.ZodNumber)
    return `a whole number from ${schema.minValue} to ${schema.maxValue}`;
  if (schema instanceof z.ZodEnum)
    return `one of ${schema.options.map((option) => `"${option}"`).join(', ')}`;
  if (schema instanceof z.ZodArray)
    return schema.element instanceof z.ZodObject
      ? 'a list of objects with at least one entry'
      : 'a list of texts, such as ["one", "two"]';
  return 'an object, such as {"key": "value"}';
}

function hintOf(schema: z.ZodType | undefined): string {
  return schema?.description ? `: ${schema.description.replace(/[.]$/, '')}` : '';
}

/** What was given, in a few words: never the whole of it. */
function describe(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value === 'string') return `the text "${clip(value, 40)}"`;
  if (typeof value === 'object') return 'an object';
  return `the ${typeof value} ${clip(JSON.stringify(value), 40)}`;
}
