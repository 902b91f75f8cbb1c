import { isJsonObject, type JsonObject, type LogEvent, type Stamp } from '../../model/event.js';
import { Refusal } from '../../model/refusal.js';
import { hasDoubledKeys } from './doubled-keys.js';
import { isTimestamp } from './hybrid-clock.js';
import { crc32, crcText } from '../../platform/crc32.js';
import { isWriterId } from '../../platform/random.js';
import { isLineHash, lineHash } from './line-hash.js';
import { textReader, type ReadText } from './text-reader.js';
import { readLazyState } from './lazy-state.js';

/** Length of the longest line, newline included. */
export const MAX_LINE_BYTES = 1024 * 1024;

/** Length of the tail `,"c":"53290e39"}`, which follows the part of a line that its CRC covers. */
export const TAIL_BYTES = 16;

const SPACE = 0x20;

/** Distance of the CRC's eight digits from the end of the line. */
const CRC_OFFSET_FROM_END = 10;

export const LF = 0x0a;
export const NEWLINE = Uint8Array.of(LF);

const encoder = new TextEncoder();

export interface EncodedLine {
  /** The event as a reader of the line gets it, with its `c` filled in. */
  readonly event: LogEvent;
  /** The line, newline included. */
  readonly bytes: Uint8Array;
  /** Its hash (`lineHash`). */
  readonly hash: string;
}

/** Identity of a line, which only a forged one shares with another. */
export type LineStamp = Pick<Stamp, 'w' | 'n' | 'c'>;

/** Returns the identity of a line as a text. */
export function lineKey({ w, n, c }: LineStamp): string {
  return `${w} ${n} ${c}`;
}

/** Encodes an event as a line. Throws a `Refusal` if it is longer than `MAX_LINE_BYTES`. */
export function encodeLine(event: Omit<LogEvent, 'c'>): EncodedLine {
  const { v, w, n, p, h, t, e, d } = event;
  const body = escapeStarts(escapeBreaks(JSON.stringify({ v, w, n, p, h, t, e, d }).slice(0, -1)));
  const bytes = encoder.encode(`${body},"c":"........"}\n`);
  const end = bytes.length - NEWLINE.length;
  const c = crcText(crc32(bytes, 0, end - TAIL_BYTES));
  encoder.encodeInto(c, bytes.subarray(end - CRC_OFFSET_FROM_END));
  if (bytes.length > MAX_LINE_BYTES) {
    const size = (Math.ceil((bytes.length / MAX_LINE_BYTES) * 10) / 10).toFixed(1);
    throw new Refusal(
      `This entry is too long: ${size} MB, and the limit is 1 MB. Shorten its longest text and try again.`,
    );
  }
  return {
    event: JSON.parse(`${body},"c":"${c}"}`) as LogEvent,
    bytes,
    hash: lineHash(bytes.subarray(0, end)),
  };
}

/**
 * The event of a line, or why it is none. `damaged`: not valid JSON. `edited`: the CRC does not
 * match. `foreign`: the CRC matches, but it is no event of this log, or a key occurs twice.
 */
export type DecodedLine = { event: LogEvent } | { problem: 'damaged' | 'edited' | 'foreign' };

/** Decodes `bytes` from `start` up to `end`, newline excluded; `readText` returns their text. */
export function decodeLine(
  bytes: Uint8Array,
  start: number,
  end: number,
  readText = textReader(bytes),
): DecodedLine {
  const parse = () => (bytes[start] === 0x7b ? parseObject(readText, start, end) : undefined);
  if (!hasLineTail(bytes, start, end)) return { problem: parse() ? 'edited' : 'damaged' };
  const crc = crc32(bytes, start, end - TAIL_BYTES);
  const isWhole = crc === readTailCrc(bytes, end);
  const state = isWhole ? readLazyState(bytes, start, end, crcText(crc), readText) : undefined;
  if (state) return { event: state };
  const value = parse();
  if (!isWhole || !value) return { problem: value ? 'edited' : 'damaged' };
  // of a trace, which is never edited, the last value counts everywhere
  const isClear = value['t'] === 'trace.new' || !hasDoubledKeys(readText(start, end));
  return isClear && isEvent(value) ? { event: value } : { problem: 'foreign' };
}

/** Returns the CRC that a line states, whether or not it matches; undefined if it states none. */
export function statedCrc(line: Uint8Array): string | undefined {
  const end = line.findLastIndex((byte) => byte > SPACE) + 1; // a CR or spaces may follow
  return hasLineTail(line, 0, end) ? crcText(readTailCrc(line, end)) : undefined;
}

/** Returns true if the bytes up to `end` end with `,"c":"`, eight characters and `"}`. */
export function hasLineTail(bytes: Uint8Array, start: number, end: number): boolean {
  const at = end - TAIL_BYTES;
  return (
    at > start &&
    bytes[at] === 0x2c &&
    bytes[at + 1] === 0x22 &&
    bytes[at + 2] === 0x63 &&
    bytes[at + 3] === 0x22 &&
    bytes[at + 4] === 0x3a &&
    bytes[at + 5] === 0x22 &&
    bytes[end - 2] === 0x22 &&
    bytes[end - 1] === 0x7d
  );
}

function parseObject(readText: ReadText, start: number, end: number): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(readText(start, end));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined; // not UTF-8 or not JSON: the caller reports it
  }
}

/** Maximum length of an entity id. This program creates ids of 16 characters. */
export const MAX_ENTITY_ID = 64;

/** Checks the envelope only: the fold validates `d`, and unknown versions and types are events. */
function isEvent(value: JsonObject): value is JsonObject & LogEvent {
  const { v, w, n, p, h, t, e, d, c } = value;
  return (
    isSequenceNumber(v) &&
    isSequenceNumber(n) &&
    typeof w === 'string' &&
    isWriterId(w) &&
    typeof h === 'string' &&
    isTimestamp(h) &&
    typeof t === 'string' &&
    typeof e === 'string' &&
    e.length <= MAX_ENTITY_ID &&
    isLineHash(p) &&
    typeof c === 'string' &&
    isJsonObject(d)
  );
}

/** Returns true for a whole number of 1 or more. */
export function isSequenceNumber(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 1;
}

/** Escapes three characters that JSON allows in strings but many tools treat as line breaks. */
function escapeBreaks(json: string): string {
  return json.replace(
    /[\u0085\u2028\u2029]/g,
    (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Escapes line starts inside a line: salvaging a torn line would take them for events. */
function escapeStarts(json: string): string {
  return json.slice(0, 1) + json.slice(1).replaceAll('{"v":', '{"\\u0076":');
}

/** Returns the CRC in the tail that ends at `end`; -1 unless it is eight lower-case hex digits. */
export function readTailCrc(bytes: Uint8Array, end: number): number {
  let crc = 0;
  for (let at = end - CRC_OFFSET_FROM_END; at < end - 2; at++) {
    const byte = bytes[at]!;
    const digit =
      byte >= 0x30 && byte <= 0x39 ? byte - 0x30 : byte >= 0x61 && byte <= 0x66 ? byte - 0x57 : -1;
    if (digit < 0) return -1;
    crc = crc * 16 + digit;
  }
  return crc;
}
