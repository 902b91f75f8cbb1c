import { isJsonObject, type Json } from '../model/event.js';
import { cutAt } from '../model/text/truncate.js';
import type { Answer } from './answer.js';

/** Maximum number of characters of an answer as JSON. Clients silently truncate longer ones. */
export const MAX_ANSWER_CHARACTERS = 40_000;

const TRUNCATED =
  'The answer was truncated. Ask for less at once: a smaller limit, a narrower query, or fewer calls.';

/**
 * Returns the answer, truncated to `limit` characters as JSON. A truncated answer has a notice that
 * says so.
 */
export function limitAnswer(answer: Answer, limit = MAX_ANSWER_CHARACTERS): Answer {
  if (jsonLength(answer) <= limit) return answer;
  const notice = answer.notice === undefined ? TRUNCATED : `${answer.notice} ${TRUNCATED}`;
  const { data, ...rest } = answer;
  const room = limit - jsonLength({ ...rest, notice, data: null });
  return { ...answer, notice, data: shrink(data as Json, Math.max(0, room)) };
}

/**
 * Distributes room among items of these sizes: small items get their size, and large ones equal
 * shares of what is left. Returns the room for each item.
 */
export function shareRoom(sizes: readonly number[], room: number): number[] {
  const shares = sizes.map(() => 0);
  let left = Math.max(0, room);
  const ascending = sizes.map((size, index) => ({ size, index })).sort((a, b) => a.size - b.size);
  for (const [position, { size, index }] of ascending.entries()) {
    const share = Math.min(size, Math.floor(left / (ascending.length - position)));
    shares[index] = share;
    left -= share;
  }
  return shares;
}

/** Returns the number of characters of a value as JSON. */
export function jsonLength(value: unknown): number {
  return value === undefined ? 0 : JSON.stringify(value).length;
}

/**
 * Cuts a text so that it has at most `room` characters as JSON, quotes included. Does not split a
 * character.
 */
export function cutToJsonLength(text: string, room: number): string {
  let length = Math.max(0, Math.min(text.length, room - 2));
  for (let size = jsonLength(text.slice(0, length)); size > room && length > 0;) {
    // Escapes make the text longer; each round removes at least as many characters as must go if
    // none were escaped.
    length = Math.max(0, length - Math.max(1, Math.ceil((size - room) / 6)));
    size = jsonLength(text.slice(0, length));
  }
  return cutAt(text, length);
}

/**
 * Returns the value, shortened to `room` characters as JSON: lists lose their last items, texts
 * their end, and objects their last fields if these cannot be shortened enough.
 */
function shrink(value: Json, room: number): Json {
  if (jsonLength(value) <= room) return value;
  if (typeof value === 'string') return room > 2 ? `${cutToJsonLength(value, room - 1)}…` : '';
  if (Array.isArray(value)) return shrinkList(value, room);
  return isJsonObject(value) ? shrinkObject(value, room) : value;
}

function shrinkList(items: readonly Json[], room: number): Json[] {
  const kept: Json[] = [];
  let left = room - 2;
  for (const item of items) {
    const size = jsonLength(item) + 1;
    if (size > left) {
      if (kept.length === 0 && left > 0) kept.push(shrink(item, left));
      break;
    }
    kept.push(item);
    left -= size;
  }
  return kept;
}

function shrinkObject(object: Readonly<Record<string, Json>>, room: number): Json {
  const entries = Object.entries(object);
  const keyRoom = entries.reduce((sum, [key]) => sum + jsonLength(key) + 2, 2);
  const shares = shareRoom(
    entries.map(([, value]) => jsonLength(value)),
    room - keyRoom,
  );
  const shrunk = entries.map(([key, value], index) => [key, shrink(value, shares[index] ?? 0)]);
  while (shrunk.length > 0 && jsonLength(Object.fromEntries(shrunk)) > room) shrunk.pop();
  return Object.fromEntries(shrunk) as Json;
}
