import { isWithinDepth, type Json, type JsonObject } from '../../model/event.js';
import { parseJsonObject } from '../../model/text/json-fields.js';

/** Undefined for any other text, and for an object that is nested deeper than the log allows. */
export function parseObject(text: string): JsonObject | undefined {
  const value = parseJsonObject(text);
  return value && isWithinDepth(value) ? value : undefined;
}

/** Returns true for null, the empty string, and an array or object without elements. */
export function isEmptyValue(value: Json): boolean {
  return (
    value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0)
  );
}
