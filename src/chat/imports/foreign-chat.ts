import type { Json, JsonObject } from '../../model/event.js';
import type { MessagePart } from '../../model/message.js';

/** A conversation of another product, read from its export. */
export interface ForeignChat {
  /** The product. */
  readonly source: string;
  /** Its own id there. */
  readonly id: string;
  readonly title: string;
  /** ISO 8601; undefined where the export does not say. */
  readonly createdAt: string | undefined;
  /** A message comes after the one it follows. */
  readonly messages: readonly ForeignMessage[];
}

export interface ForeignMessage {
  readonly id: string;
  readonly parentId: string | undefined;
  readonly role: 'user' | 'assistant';
  readonly parts: readonly MessagePart[];
  readonly createdAt: string | undefined;
  readonly model: string | undefined;
}

export function textIn(object: JsonObject, key: string): string | undefined {
  const value = object[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function listIn(object: JsonObject, key: string): readonly Json[] {
  const value = object[key];
  return Array.isArray(value) ? value : [];
}

/** A moment as ISO 8601, from such a text or from seconds since 1970; undefined for anything else. */
export function momentOf(value: Json | undefined): string | undefined {
  const ms =
    typeof value === 'number' ? value * 1000 : typeof value === 'string' ? Date.parse(value) : NaN;
  return Math.abs(ms) < 8.64e15 ? new Date(ms).toISOString() : undefined;
}

/** The parts that say something. */
export function spoken(parts: readonly MessagePart[]): MessagePart[] {
  return parts.filter(
    (part) => !('text' in part) || part.text.trim() !== '' || part.type === 'data',
  );
}
