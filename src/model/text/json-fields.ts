import { isJsonObject, type Json, type JsonObject } from '../event.js';

/** Parses JSON; undefined for any other text. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined; // the caller knows what was expected, and says so
  }
}

/** Parses a JSON object; undefined for any other text. */
export function parseJsonObject(text: string): JsonObject | undefined {
  const value = parseJson(text);
  return isJsonObject(value) ? value : undefined;
}

export function textIn(object: JsonObject | undefined, key: string): string | undefined {
  const value = object?.[key];
  return typeof value === 'string' ? value : undefined;
}

/** Returns the number at a key, if it is finite. */
export function numberIn(object: JsonObject | undefined, key: string): number | undefined {
  const value = object?.[key];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

export function objectIn(object: JsonObject | undefined, key: string): JsonObject | undefined {
  const value = object?.[key];
  return isJsonObject(value) ? value : undefined;
}

export function objectAt(value: JsonObject, key: string): JsonObject {
  return objectIn(value, key) ?? {};
}

export function textAt(value: JsonObject, key: string): string {
  return textIn(value, key) ?? '';
}

export function objectsAt(value: JsonObject, key: string): JsonObject[] {
  return objectsIn(value[key]);
}

export function objectsIn(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

export function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter(isText) : [];
}

export function isText(value: unknown): value is string {
  return typeof value === 'string';
}

export function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(isText);
}

/** Returns a message's text, or those of its parts joined by line breaks. */
export function textOfParts(content: Json | undefined): string {
  if (typeof content === 'string') return content;
  return objectsIn(content)
    .map((part) => textAt(part, 'text'))
    .filter((text) => text !== '')
    .join('\n');
}
