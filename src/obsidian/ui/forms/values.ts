import type * as z from 'zod';
import { isJsonObject, type Json, type JsonObject } from '../../../model/event.js';
import { cutText } from '../../../model/text/truncate.js';
import { withoutHidden } from '../../../model/text/visible-text.js';
import { text } from '../../i18n/index.js';

/** A problem with one field or with the whole form. */
export interface FormProblem<Field extends string> {
  readonly field?: Field;
  readonly text: string;
}

export type Labels<Field extends string> = Readonly<Record<Field, string>>;

/** Returns the trimmed non-empty lines. */
export function typedLines(typed: string): string[] {
  return typed
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** Parses comma-separated tags, without the `#` that the app shows. */
export function readTags(typed: string): string[] {
  return typed
    .split(',')
    .map((tag) => tag.trim().replace(/^#/u, ''))
    .filter((tag) => tag !== '');
}

/** Returns preferences as lines such as `tone: plain`, with other values than text as JSON. */
export function preferenceLines(preferences: JsonObject): string[] {
  return Object.entries(preferences).map(([key, value]) => {
    const isLine = typeof value === 'string' && !value.includes('\n');
    return `${key}: ${isLine ? value : JSON.stringify(value)}`;
  });
}

/** Returns preferences as rows of a key and a text. Each entry of a group is a row. */
export function preferenceRows(preferences: JsonObject): [key: string, value: string][] {
  return Object.entries(preferences).flatMap(([key, value]): [string, string][] => {
    if (isJsonObject(value) && Object.keys(value).length > 0)
      return preferenceRows(value).map(([inner, shown]) => [`${key} › ${inner}`, shown]);
    if (Array.isArray(value) && value.every(isScalar)) return [[key, value.join(', ')]];
    return [[key, isScalar(value) ? String(value) : JSON.stringify(value)]];
  });
}

function isScalar(value: Json): value is string | number | boolean | null {
  return typeof value !== 'object' || value === null;
}

/**
 * Parses lines such as `tone: plain`, or returns the first invalid line's problem. Lines that are
 * as they were in `before` keep their value, which may be no text.
 */
export function readPreferences(
  typed: string,
  before: JsonObject = {},
): { preferences: JsonObject } | { problem: string } {
  const { noPair, twice } = text.commands.form;
  const lines = preferenceLines(before);
  const read = new Map<string, Json>();
  for (const [index, line] of typed.split('\n').entries()) {
    if (line.trim() === '') continue;
    const known = Object.entries(before)[lines.indexOf(line)];
    const colon = line.indexOf(':');
    const key = known?.[0] ?? line.slice(0, colon).trim();
    if (colon < 0 || key === '') return { problem: noPair(index + 1) };
    if (read.has(key)) return { problem: twice(index + 1, key) };
    read.set(key, known ? known[1] : line.slice(colon + 1).trim());
  }
  return { preferences: Object.fromEntries(read) };
}

/** Returns the fields that a schema does not accept while they are empty. */
export function requiredFields({ shape }: z.ZodObject): Set<string> {
  const isOptional = (field: z.ZodType) =>
    [undefined, '', [], {}].some((empty) => field.safeParse(empty).success);
  const required = Object.entries(shape).filter(([, field]) => !isOptional(field as z.ZodType));
  return new Set(required.map(([name]) => name));
}

/** Validates a form's values against a tool's schema. Returns at most one problem per field. */
export function schemaProblems<Field extends string>(
  schema: z.ZodObject,
  values: JsonObject,
  labels: Labels<Field>,
): FormProblem<Field>[] {
  const result = schema.safeParse(values);
  const problems = new Map<Field, FormProblem<Field>>();
  for (const { path, message } of result.error?.issues ?? []) {
    const [field, entry] = path as [Field, number?];
    const { entryProblem, problem } = text.commands.form;
    const sentence =
      entry === undefined ? problem(labels[field], message) : entryProblem(entry + 1, message);
    if (!problems.has(field)) problems.set(field, { field, text: sentence });
  }
  return [...problems.values()];
}

/** Assigns a tool's error to the field that it names first, by label; otherwise to the form. */
export function assignError<Field extends string>(
  error: string,
  labels: Labels<Field>,
): FormProblem<Field> {
  const [, name, rest] = /^"?(\w+)(".*|\..*| ".*)$/su.exec(error) ?? [];
  if (name === undefined || rest === undefined || !Object.hasOwn(labels, name))
    return { text: error };
  const field = name as Field;
  const told = rest.startsWith('"')
    ? rest.slice(1)
    : rest.startsWith('.')
      ? `: "${rest.slice(1)}`
      : rest;
  return { field, text: `${labels[field]}${told}` };
}

/** Formats an ISO date-time for a date field, in the user's time zone; `''` if there is none. */
export function dateInput(time: string | undefined): string {
  if (time === undefined) return '';
  const date = new Date(time);
  const two = (part: number) => String(part).padStart(2, '0');
  const year = String(date.getFullYear()).padStart(4, '0');
  return `${year}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** Returns the start of a date field's day as an ISO date-time; undefined for an empty field. */
export function dateOfInput(value: string): string | undefined {
  const date = new Date(`${value}T00:00`);
  return value === '' || Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

const NAME_WORDS = 6;
const MAX_NAME_CHARS = 150;

/** A clause's last letters and mark, without full stops of short abbreviations and ordinals. */
const CLAUSE_END =
  /(?:\p{L}{3}\.|[^\P{Term}.])(?=\s)|[^\P{Term}\p{ASCII}]|\s(?=\p{Ps}|\p{Dash}\s)/gu;

/**
 * Returns a text's first words as a name in one line, without a clause that they leave unfinished;
 * the text itself if it has no words.
 */
export function firstWords(typed: string): string {
  const line = cutText(withoutHidden(typed.replace(/[\s\p{Cc}]+/gu, ' ')).trim(), MAX_NAME_CHARS);
  const segments = [...new Intl.Segmenter(undefined, { granularity: 'word' }).segment(line)];
  const words = segments.filter(({ isWordLike }) => isWordLike);
  const [first, second, next] = [words[0], words[1], words[NAME_WORDS]];
  const last = words.slice(0, NAME_WORDS).at(-1);
  if (!first || !last) return line;
  const end = last.index + last.segment.length;
  const ends = next ? [...line.slice(0, next.index).matchAll(CLAUSE_END)] : [];
  const clause = ends.findLast(({ index }) => second && index >= second.index);
  return line.slice(first.index, clause ? clause.index + clause[0].length - 1 : end);
}

/** Returns the name, or with ` 2` and so on if that is taken. */
export function freeName(name: string, isTaken: (name: string) => boolean): string {
  let free = name;
  for (let count = 2; isTaken(free); count++) free = `${name} ${count}`;
  return free;
}
