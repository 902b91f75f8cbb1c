import { isJsonObject, type JsonObject, type LogEvent } from '../../model/event.js';
import { Refusal } from '../../model/refusal.js';
import { isClockText } from './hybrid-clock.js';
import { crc32, crcText } from '../../platform/crc32.js';
import { isWriterId } from '../../platform/random.js';
import { textReader, type ReadText } from './texts.js';
import { readStateHead } from './unread-state.js';

/** The longest line, in bytes. */
export const LINE_LIMIT = 1024 * 1024;

/** What follows the CRC-covered part of a line: `,"c":"53290e39"}`. */
export const TAIL_LENGTH = 16;

/** Where its eight digits begin, counted from the end. */
const CRC_FROM_END = 10;

/** What ends a line. */
export const NEWLINE = Uint8Array.of(0x0a);

export const FIRST_LINK = '00000000';

const encoder = new TextEncoder();

/**
 * An event as the bytes of its line, newline included, and as whoever reads that line gets it, with its `c` filled in.
 * Throws a `Refusal` when it is over the limit.
 */
export function encodeLine(event: Omit<LogEvent, 'c'>): { event: LogEvent; bytes: Uint8Array } {
  const { v, w, n, p, h, t, e, d } = event;
  const body = escapeStarts(escapeBreaks(JSON.stringify({ v, w, n, p, h, t, e, d }).slice(0, -1)));
  const bytes = encoder.encode(`${body},"c":"........"}\n`);
  const end = bytes.length - NEWLINE.length;
  const c = crcText(crc32(bytes, 0, end - TAIL_LENGTH));
  encoder.encodeInto(c, bytes.subarray(end - CRC_FROM_END));
  if (bytes.length > LINE_LIMIT) {
    const size = (Math.ceil((bytes.length / LINE_LIMIT) * 10) / 10).toFixed(1);
    throw new Refusal(
      `This is too long to keep: ${size} MB, and one entry holds at most 1 MB. Shorten its longest text and try again.`,
    );
  }
  return { event: JSON.parse(`${body},"c":"${c}"}`) as LogEvent, bytes };
}

/** What the bytes of one line, without its newline, turned out to be. */
export type LineReading = { event: LogEvent } | { trouble: 'damaged' | 'edited' | 'foreign' };

/**
 * Reads `bytes` from `start` up to `end` as one line; `readText` is how their text is had.
 * `damaged`: no valid JSON. `edited`: valid JSON whose CRC does not fit. `foreign`: CRC right, but not an event of this log.
 */
export function decodeLine(
  bytes: Uint8Array,
  start: number,
  end: number,
  readText = textReader(bytes),
): LineReading {
  const parse = () => (bytes[start] === 0x7b ? parseObject(readText, start, end) : undefined);
  if (!hasTail(bytes, start, end)) return { trouble: parse() ? 'edited' : 'damaged' };
  const crc = crc32(bytes, start, end - TAIL_LENGTH);
  const isWhole = crc === crcBefore(bytes, end);
  const state = isWhole ? readStateHead(bytes, start, end, crcText(crc), readText) : undefined;
  if (state) return { event: state };
  const value = parse();
  if (!isWhole || !value) return { trouble: value ? 'edited' : 'damaged' };
  return isEvent(value) ? { event: value } : { trouble: 'foreign' };
}

/** Whether the bytes up to `end` close like a line: `,"c":"` eight characters `"}`. */
export function hasTail(bytes: Uint8Array, start: number, end: number): boolean {
  const at = end - TAIL_LENGTH;
  return (
    at > start &&
    bytes[at] === 0x2c && bytes[at + 1] === 0x22 && bytes[at + 2] === 0x63 && bytes[at + 3] === 0x22 &&
    bytes[at + 4] === 0x3a && bytes[at + 5] === 0x22 && bytes[end - 2] === 0x22 && bytes[end - 1] === 0x7d
  ); // prettier-ignore
}

function parseObject(readText: ReadText, start: number, end: number): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(readText(start, end));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined; // not UTF-8 or not JSON: the caller says so
  }
}

/** The envelope alone is checked; what `d` must hold is for the fold to judge. Unknown versions and types are events too. */
function isEvent(value: JsonObject): value is JsonObject & LogEvent {
  const { v, w, n, p, h, t, e, d, c } = value;
  return (
    isCount(v) && isCount(n) && typeof w === 'string' && isWriterId(w) &&
    typeof h === 'string' && isClockText(h) && typeof t === 'string' && typeof e === 'string' &&
    typeof p === 'string' && typeof c === 'string' && isJsonObject(d)
  ); // prettier-ignore
}

/** Whether this is a sequence number. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 1;
}

/** JSON leaves these three as they are, but many tools take them for line ends. */
function escapeBreaks(json: string): string {
  return json.replace(
    /[\u0085\u2028\u2029]/g,
    (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Nothing inside a line looks like the start of one: out of a torn line, a reader would take an object with a right CRC for an event. */
function escapeStarts(json: string): string {
  return json.slice(0, 1) + json.slice(1).replaceAll('{"v":', '{"\\u0076":');
}

/** The CRC told by the tail that closes at `end`; -1 where its eight characters are no lower-case hex digits. */
export function crcBefore(bytes: Uint8Array, end: number): number {
  let crc = 0;
  for (let at = end - CRC_FROM_END; at < end - 2; at++) {
    const byte = bytes[at]!;
    const digit =
      byte >= 0x30 && byte <= 0x39 ? byte - 0x30 : byte >= 0x61 && byte <= 0x66 ? byte - 0x57 : -1;
    if (digit < 0) return -1;
    crc = crc * 16 + digit;
  }
  return crc;
}
