import type { Json, JsonObject } from '../../model/event.js';
import type { Message, MessagePart } from '../../model/message.js';
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

export interface ForeignChatMessage extends Pick<Message, 'id' | 'parentId' | 'role' | 'parts'> {
  readonly createdAt: string | undefined;
  readonly model: string | undefined;
  /** True outside the branch that the product shows. */
  readonly isAside?: boolean;
}

/** A node in the tree of an export. Replies to one that is not shown follow what is above it. */
export interface ForeignNode {
  readonly parentId: string | undefined;
  /** Undefined if it is not shown. */
  readonly message: Omit<ForeignChatMessage, 'parentId' | 'isAside'> | undefined;
}

/** Returns the shown messages, marked outside the branch that ends with `leaf` if that is known. */
export function shownMessages(
  nodes: ReadonlyMap<string, ForeignNode>,
  leaf: string,
): ForeignChatMessage[] {
  const shownFrom = (id: string | undefined) => {
    const seen = new Set<string>();
    let at = id;
    for (; at !== undefined && !nodes.get(at)?.message && !seen.has(at); at = parentOf(at))
      seen.add(at);
    return at !== undefined && nodes.get(at)?.message ? at : undefined;
  };
  const parentOf = (id: string) => nodes.get(id)?.parentId;
  const messages = new Map<string, ForeignChatMessage>();
  for (const id of nodes.keys()) {
    const added = new Set<string>();
    for (let at = shownFrom(id); at !== undefined && !messages.has(at) && !added.has(at);) {
      added.add(at);
      at = shownFrom(parentOf(at));
    }
    for (const each of [...added].reverse()) {
      const parentId = messages.get(shownFrom(parentOf(each)) ?? '')?.id;
      messages.set(each, { ...nodes.get(each)!.message!, parentId });
    }
  }
  const branch = new Set<string>();
  for (let at = shownFrom(leaf); at !== undefined; at = messages.get(at)?.parentId) branch.add(at);
  return Array.from(messages.values(), (message) =>
    branch.size === 0 || branch.has(message.id) ? message : { ...message, isAside: true },
  );
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
