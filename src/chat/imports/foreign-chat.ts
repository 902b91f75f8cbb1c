import type { Json, JsonObject } from '../../model/event.js';
import type { MessagePart } from '../../model/message.js';
import { textAt } from '../../model/text/json-fields.js';

/** A conversation of another product, read from its export. */
export interface ForeignChat {
  /** The product. */
  readonly source: string;
  readonly id: string;
  readonly title: string;
  /** ISO 8601; undefined if the export does not contain it. */
  readonly createdAt: string | undefined;
  /** Each message comes after its parent. */
  readonly messages: readonly ForeignChatMessage[];
}

export interface ForeignChatMessage {
  readonly id: string;
  readonly parentId: string | undefined;
  readonly role: 'user' | 'assistant';
  readonly parts: readonly MessagePart[];
  readonly createdAt: string | undefined;
  readonly model: string | undefined;
  /** True outside the branch that the product shows. */
  readonly isAside?: boolean;
}

/** Marks the messages outside the branch that ends with `leaf`; none if that is unknown. */
export function withBranch(
  messages: readonly ForeignChatMessage[],
  leaf: string | undefined,
): readonly ForeignChatMessage[] {
  const branch = new Set<string | undefined>();
  let next = leaf;
  // each message comes after its parent
  for (const { id, parentId } of [...messages].reverse())
    if (id === next) {
      branch.add(id);
      next = parentId;
    }
  return branch.size === 0
    ? messages
    : messages.map((each) => (branch.has(each.id) ? each : { ...each, isAside: true }));
}

/** Formats the link of a source; its title, or nothing, if it has no address. */
export function sourceLink(source: JsonObject): string {
  const [url, title] = [textAt(source, 'url'), textAt(source, 'title') || textAt(source, 'name')];
  if (!/^https?:/.test(url)) return title;
  const address = url.replace(/[\s()<>]/g, (each) => `%${each.charCodeAt(0).toString(16)}`);
  return `[${(title || url).replace(/[[\]\s]+/g, ' ')}](${address})`;
}

export function listIn(object: JsonObject, key: string): readonly Json[] {
  const value = object[key];
  return Array.isArray(value) ? value : [];
}

/** The largest time of a `Date`. */
const MAX_DATE_MS = 8.64e15;

/** Converts a date text or seconds since 1970 to ISO 8601; undefined for anything else. */
export function isoTimeOf(value: Json | undefined): string | undefined {
  let ms = NaN;
  if (typeof value === 'number') ms = value * 1000;
  else if (typeof value === 'string') ms = Date.parse(value);
  return Math.abs(ms) < MAX_DATE_MS ? new Date(ms).toISOString() : undefined;
}

export function nonEmptyParts(parts: readonly MessagePart[]): MessagePart[] {
  return parts.filter(
    (part) => !('text' in part) || part.text.trim() !== '' || part.type === 'data',
  );
}
