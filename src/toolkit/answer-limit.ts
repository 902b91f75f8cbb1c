import { isJsonObject, type Json } from '../model/event.js';
import { cutAt } from '../model/text/truncate.js';
import type { Answer } from './answer.js';

/** Clients silently truncate longer answers. Counted as JSON. */
export const MAX_ANSWER_CHARACTERS = 40_000;

const TRUNCATED =
  'The answer was truncated. Ask for less at once: a smaller limit, a narrower query, or fewer calls.';

/** Truncates an answer to `limit` characters as JSON and adds a notice that says so. */
export function limitAnswer(answer: Answer, limit = MAX_ANSWER_CHARACTERS): Answer {
  if (jsonLength(answer) <= limit) return answer;
  const notice = answer.notice === undefined ? TRUNCATED : `${answer.notice} ${TRUNCATED}`;
  const { data, ...rest } = answer;
  const room = limit - jsonLength({ ...rest, notice, data: null });
  return { ...answer, notice, data: shrink(data as Json, Math.max(0, room)) };
}

/** Returns the room per item: small ones get their size, large ones equal shares of the rest. */
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

export function jsonLength(value: unknown): number {
  return value === undefined ? 0 : JSON.stringify(value).length;
}

/** Cuts a text to `room` characters as JSON, quotes included. Does not split a character. */
export function cutToJsonLength(text: string, room: number): string {
  let length = Math.max(0, Math.min(text.length, room - 2));
  for (let size = jsonLength(text.slice(0, length)); size > room && length > 0;) {
    // Removes only what must go even if all of it were escapes of six characters.
    length = Math.max(0, length - Math.max(1, Math.ceil((size - room) / 6)));
    size = jsonLength(text.slice(0, length));
  }
  return cutAt(text, length);
}

/** Cuts lists and texts at their end, and objects field by field, to `room` characters of JSON. */
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
