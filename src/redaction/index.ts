import { isJsonObject, type Json, type JsonObject } from '../model/event.js';
import { toAppSpelling } from '../model/paths.js';
import { findSecrets } from './find-secrets.js';

/** Replaces everything that looks like a secret with `[secret]`. JSON stays JSON. */
export function redact(text: string): string {
  let rest = '';
  let at = 0;
  for (const { start, end, quote } of findSecrets(text)) {
    rest += `${text.slice(at, start)}${quote}[secret]${quote}`;
    at = end;
  }
  return at === 0 ? text : rest + text.slice(at);
}

/** Returns the value without what looks like a secret, of the same shape. */
export function redactJson<T extends Json>(value: T): T {
  const text = JSON.stringify(value);
  const safe = redact(text);
  if (safe === text) return value;
  try {
    return JSON.parse(safe) as T;
  } catch {
    return redactParts(value) as T;
  }
}

/** Redacts the parts of a value by themselves, because its text as a whole was ambiguous. */
function redactParts(value: Json): Json {
  if (Array.isArray(value)) return value.map(redactJson);
  if (!isJsonObject(value)) return '[secret]';
  const entries = Object.entries(value);
  if (entries.length > 1)
    return Object.fromEntries(
      entries.flatMap(([name, each]) => Object.entries(redactJson<JsonObject>({ [name]: each }))),
    );
  return Object.fromEntries(entries.map(([name, each]) => [name, redactJson(each)]));
}

/** True if something in a text looks like a secret. */
export function hasSecret(text: string): boolean {
  return findSecrets(text).length > 0;
}

/** Returns the names of the fields in which something looks like a secret. */
export function secretFields(value: JsonObject): string[] {
  return Object.keys(value).filter((name) => hasSecret(JSON.stringify(value[name])));
}

/**
 * Returns a function that redacts paths in these vault folders, each up to the next quote or the
 * end of the line. The whole vault (`''`) stands for all paths: anything that looks like one.
 */
export function createFolderRedactor(folders: readonly string[]): (text: string) => string {
  if (folders.length === 0) return (text) => text;
  if (folders.includes(''))
    return (text) =>
      text.replace(/[^"\n]+/g, (part) => (/\/|\.\w{1,5}$/.test(part) ? '[excluded]' : part));
  const names = folders.map((each) => toAppSpelling(each).replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  // No lookbehind: the web view of older phones does not support it.
  const paths = new RegExp(
    `(^|[^\\p{L}\\p{N}_-])(?:${names.join('|')})(?:/[^"\\n]*|(?=["\\n]|$))`,
    'giu',
  );
  return (text) => {
    const spelled = toAppSpelling(text);
    const hidden = spelled.replace(paths, '$1[excluded]');
    return hidden === spelled ? text : hidden;
  };
}
