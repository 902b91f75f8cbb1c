import { isJsonObject, type Json, type JsonObject } from '../event.js';

/** Returns the object at a key; an empty one if there is none. */
export function objectAt(value: JsonObject, key: string): JsonObject {
  const inner = value[key];
  return isJsonObject(inner) ? inner : {};
}

/** Returns the text at a key; empty if there is none. */
export function textAt(value: JsonObject, key: string): string {
  const inner = value[key];
  return typeof inner === 'string' ? inner : '';
}

/** Returns the objects in the list at a key. */
export function objectsAt(value: JsonObject, key: string): JsonObject[] {
  return objectsIn(value[key]);
}

/** Returns the objects in a list; none if it is no list. */
export function objectsIn(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/**
 * Returns the texts of a message's parts, joined by line breaks. A message may also be one text.
 */
export function textOfParts(content: Json | undefined): string {
  if (typeof content === 'string') return content;
  return objectsIn(content)
    .map((part) => textAt(part, 'text'))
    .filter((text) => text !== '')
    .join('\n');
}
