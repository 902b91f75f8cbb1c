import * as z from 'zod';
import { isJsonObject, type Json, type JsonObject } from '../model/event.js';
import { didYouMean, isMisspelt } from '../model/names.js';
import { clip, Refusal } from '../model/refusal.js';
import { parseJson } from '../model/text/json-fields.js';

const MAX_DEPTH = 32;
const MAX_PROBLEMS = 4;

/**
 * Returns the parameters as parsed by the schema. Throws a `Refusal` that explains each invalid
 * field, called `noun`.
 */
export function readInput(schema: z.ZodObject, given: unknown, noun = 'parameter'): JsonObject {
  checkData(given, noun); // may have been in JSON text until now
  const result = schema.safeParse(given);
  if (result.success) return result.data as JsonObject;
  const sentences = [
    ...new Set(result.error.issues.flatMap((issue) => explainIssue(issue, schema, given, noun))),
  ];
  const more = sentences.length - MAX_PROBLEMS;
  throw new Refusal(
    [...sentences.slice(0, MAX_PROBLEMS), ...(more > 0 ? [`And ${more} more.`] : [])].join(' '),
  );
}

function explainIssue(
  issue: z.core.$ZodIssue,
  schema: z.ZodObject,
  given: JsonObject,
  noun: string,
): string[] {
  if (issue.code === 'unrecognized_keys') {
    const owner = issue.path.length > 0 ? schemaAt(schema, issue.path) : schema;
    const valid = owner instanceof z.ZodObject ? Object.keys(owner.shape) : [];
    const known = owner === schema && noun === 'parameter' ? namesAt(schema.shape) : valid;
    return issue.keys.map(
      (key) =>
        `Unknown ${noun} "${fieldName([...issue.path, key])}".${didYouMean(key, known)} Valid: ${valid.join(', ')}.`,
    );
  }
  const field = fieldName(issue.path);
  if (issue.code === 'custom') return [`"${field}" ${issue.message}.`];
  const expected = schemaAt(schema, issue.path);
  const type = typeName(expected);
  const value = valueAt(given, issue.path);
  if (value === undefined)
    return [`Missing required ${noun} "${field}" (${type})${hintOf(expected)}.`];
  return [`"${field}" must be ${withArticle(type)}, got ${describe(value)}.`];
}

/**
 * Returns the parameters as meant, because clients rewrite what a model sends. Leaves out null and
 * blanks that an optional field does not accept, converts other types that arrive as text and
 * texts that arrive as numbers, and leaves out names unlike any of the schema's; one that is close
 * to a real name stays, to be refused. `ignored`: names left out, unless clients add them.
 */
export function acceptInput(schema: z.ZodObject, given: JsonObject) {
  const known = namesAt(schema.shape);
  const ignored = Object.keys(given).filter(
    (name) => !isClientName(name) && !known.some((real) => isMisspelt(name, real)),
  );
  const meant = Object.entries(given).filter(([name]) => !ignored.includes(name));
  return { params: acceptFields(schema, Object.fromEntries(meant)), ignored };
}

/** Accepts the fields of an object like `acceptInput`, but unknown names stay, to be refused. */
export function acceptFields({ shape }: z.ZodObject, given: JsonObject): JsonObject {
  const fields = Object.entries(given).flatMap(([name, value]): [string, Json][] => {
    if (!Object.hasOwn(shape, name)) return isClientName(name) ? [] : [[name, value]];
    const accepted = acceptValue(shape[name] as z.ZodType, value);
    return accepted === undefined ? [] : [[name, accepted]];
  });
  return Object.fromEntries(fields);
}

/** Returns true for a value that clients fill in for a missing parameter. */
export function isBlank(value: unknown): boolean {
  const isEmptyList = Array.isArray(value) && value.length === 0;
  return value === undefined || value === null || value === '' || isEmptyList;
}

export function withoutBlanks(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => !isBlank(value)));
}

/** Some clients mark their own calls with such names. */
function isClientName(name: string): boolean {
  return name.startsWith('_') || name === 'toolCallId';
}

/** Returns undefined if the value stands for none. */
function acceptValue(field: z.ZodType, given: Json): Json | undefined {
  const value = convertValue(field, given);
  const accepts = (other: Json | undefined) => field.safeParse(other).success;
  const isNone = value === null || (isBlank(value) && accepts(undefined) && !accepts(value));
  return isNone ? undefined : value;
}

function convertValue(field: z.ZodType, given: Json): Json {
  const expected = unwrap(field);
  const value = typeof given === 'string' ? parseText(field, given) : given;
  if (expected instanceof z.ZodArray && Array.isArray(value))
    return value.map((entry) => convertValue(expected.element as z.ZodType, entry));
  if (expected instanceof z.ZodObject && isJsonObject(value)) return acceptFields(expected, value);
  const text = scalarText(value);
  const isText = value !== text && !field.safeParse(value).success && field.safeParse(text).success;
  return isText ? text : value;
}

function parseText(field: z.ZodType, text: string): Json {
  const expected = unwrap(field);
  if (expected instanceof z.ZodNumber) return /^\s*-?\d+\s*$/.test(text) ? Number(text) : text;
  if (expected instanceof z.ZodString || expected instanceof z.ZodEnum) return text;
  const parsed = parseJson(text);
  const isMeant =
    isBlank(parsed) ||
    (expected instanceof z.ZodArray && Array.isArray(parsed)) ||
    (expected instanceof z.ZodObject && isJsonObject(parsed)) ||
    field.safeParse(parsed).success;
  return parsed !== undefined && isMeant ? parsed : text;
}

/** Returns a boolean or number as text, unless parsing it may have lost digits. */
export function scalarText<T>(value: T): T | string {
  const isExact = typeof value === 'number' && (value % 1 !== 0 || Number.isSafeInteger(value));
  return isExact || typeof value === 'boolean' ? String(value) : value;
}

/** Includes what every call may have. */
function namesAt(shape: z.ZodObject['shape']): string[] {
  return [...Object.keys(shape), 'workspaceId', 'sessionId', 'context'];
}

/** Throws a `Refusal` unless the value is an object of `noun`s. */
export function checkObject(given: unknown, noun: string): asserts given is JsonObject {
  if (!isJsonObject(given))
    throw new Refusal(
      `The ${noun}s must be an object, got ${describe(given)}. Send {"name": value, ...}.`,
    );
}

/** Refuses what schemas do not catch: `__proto__`, lone surrogates, nesting over `MAX_DEPTH`. */
export function checkData(given: unknown, noun: string): asserts given is JsonObject {
  checkObject(given, noun);
  const open: { value: Json; path: string; depth: number }[] = [
    { value: given, path: '', depth: 0 },
  ];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, path, depth } = next;
    if (typeof value === 'string' && !isWellFormed(value)) {
      throw new Refusal(
        `"${path}" contains half a character (a lone surrogate), which cannot be stored. Send the complete text, or leave it out.`,
      );
    }
    if (typeof value !== 'object' || value === null) continue;
    if (depth > MAX_DEPTH)
      throw new Refusal(
        `The ${noun}s are nested more than ${MAX_DEPTH} levels deep. Send a flatter value.`,
      );
    for (const [key, inner] of Object.entries(value)) {
      if (key === '__proto__')
        throw new Refusal(
          `"${fieldName([path, key])}" cannot be used as a name here. Choose another key.`,
        );
      if (!isWellFormed(key))
        throw new Refusal(
          `A key in "${path}" contains half a character (a lone surrogate). Send the complete key.`,
        );
      open.push({ value: inner, path: fieldName([path, key]), depth: depth + 1 });
    }
  }
}

function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}

function fieldName(path: readonly PropertyKey[]): string {
  const parts = path.map(String).filter((part) => part !== '');
  return clip(parts.join('.'));
}

function schemaAt(schema: z.ZodType, path: readonly PropertyKey[]): z.ZodType | undefined {
  let at: z.ZodType | undefined = schema;
  for (const key of path) {
    const owner: z.ZodType | undefined = at && unwrap(at);
    if (owner instanceof z.ZodObject)
      at = (owner.shape as Record<string, z.ZodType | undefined>)[String(key)];
    else if (owner instanceof z.ZodArray) at = owner.element as z.ZodType;
    else return undefined;
  }
  return at && unwrap(at);
}

/** Removes optional and default wrappers and preprocessing. */
function unwrap(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodPipe) return unwrap(schema.out as z.ZodType);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return unwrap(schema.unwrap() as z.ZodType);
  return schema;
}

function valueAt(given: Json, path: readonly PropertyKey[]): Json | undefined {
  let at: Json | undefined = given;
  for (const key of path)
    at = typeof at === 'object' && at !== null ? (at as JsonObject)[String(key)] : undefined;
  return at;
}

function typeName(schema: z.ZodType | undefined): string {
  if (schema instanceof z.ZodString) return 'string';
  if (schema instanceof z.ZodBoolean) return 'boolean';
  if (schema instanceof z.ZodNumber) return `integer from ${schema.minValue} to ${schema.maxValue}`;
  if (schema instanceof z.ZodEnum)
    return `one of ${schema.options.map((option) => `"${option}"`).join(', ')}`;
  if (schema instanceof z.ZodArray)
    return schema.element instanceof z.ZodObject
      ? 'non-empty array of objects'
      : 'array of strings, such as ["one", "two"]';
  return 'object, such as {"key": "value"}';
}

function withArticle(type: string): string {
  if (type.startsWith('one of')) return type;
  return /^[aeiou]/u.test(type) ? `an ${type}` : `a ${type}`;
}

function hintOf(schema: z.ZodType | undefined): string {
  return schema?.description ? `: ${schema.description.replace(/[.]$/, '')}` : '';
}

/** Describes a value briefly. */
function describe(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : 'an array';
  if (typeof value === 'object') return 'an object';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const shown = clip(text, 40);
  return `${typeof value} ${typeof value === 'string' ? `"${shown}"` : shown}`;
}
