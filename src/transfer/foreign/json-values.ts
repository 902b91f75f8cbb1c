import { isJsonObject, isWithinDepth, type Json, type JsonObject } from '../../model/event.js';

/** Returns the string at `key`; undefined if there is none. */
export function textIn(object: JsonObject | undefined, key: string): string | undefined {
  const value = object?.[key];
  return typeof value === 'string' ? value : undefined;
}

/** Returns the object at `key`; undefined if there is none. */
export function objectIn(object: JsonObject | undefined, key: string): JsonObject | undefined {
  const value = object?.[key];
  return isJsonObject(value) ? value : undefined;
}

/** Returns the finite number at `key`; undefined if there is none. */
export function numberIn(object: JsonObject | undefined, key: string): number | undefined {
  const value = object?.[key];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

export function isTextList(value: Json | undefined): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

/**
 * Parses a JSON object; undefined for any other text, and for one that is nested deeper than the
 * log allows.
 */
export function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) && isWithinDepth(value) ? value : undefined;
  } catch {
    return undefined; // not JSON, which the caller reports
  }
}

/** Returns true for null, the empty string, and an array or object without elements. */
export function isEmptyValue(value: Json): boolean {
  return (
    value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0)
  );
}
