import type { LogEvent } from '../../model/event.js';
import { CRC_START, finishCrc, updateCrc } from '../../platform/crc32.js';
import { crcBefore, decodeLine, hasTail, TAIL_LENGTH, type LineReading } from './line.js';
import { risingTextReader, type ReadText } from './texts.js';

/** An event and the bytes of the segment that hold it, its newline aside. */
export interface HeldLine {
  readonly event: LogEvent;
  readonly from: number;
  readonly to: number;
}

/** Something in a segment that is not an event. `pending` may yet become one: the end of a file that is still growing. */
export interface LineProblem {
  readonly kind: 'damaged' | 'edited' | 'foreign' | 'marker' | 'pending';
  readonly from: number;
}

export interface SegmentReading {
  readonly lines: HeldLine[];
  readonly problems: LineProblem[];
  /** All bytes before this offset are settled: reading may go on from here once the file has grown. */
  readonly settled: number;
}

const LF = 0x0a;
const BRACE = 0x7d;
const MARKER = /^(<<<<<<<|=======|>>>>>>>|\|\|\|\|\|\|\|)/;
const START = Uint8Array.from('{"v":', (character) => character.charCodeAt(0));

/**
 * Reads a segment, or the rest of it from offset `from` on. Never throws; takes nothing for an event whose CRC does not fit.
 * What it forgives: a missing last newline, torn and glued lines, NULs, byte order marks, CRLF, blank lines, git's markers.
 */
export function readSegment(bytes: Uint8Array, from = 0): SegmentReading {
  const lines: HeldLine[] = [];
  const problems: LineProblem[] = [];
  const readText = risingTextReader(bytes);
  let at = from;
  let settled = from;
  while (at < bytes.length) {
    const newline = bytes.indexOf(LF, at);
    const isEnded = newline >= 0;
    const end = isEnded ? newline : bytes.length;
    const whole = readLine(bytes, readText, at, end, isEnded, lines, problems);
    at = end + 1;
    if (isEnded) settled = at;
    else if (whole) settled = whole.to; // NULs behind it may yet become something
  }
  return { lines, problems, settled };
}

/**
 * A segment's bytes as UTF-8: some editors and tools save a file as UTF-16. Offsets in a reading refer to these bytes.
 * Where a line starts in UTF-8 it is UTF-8, whatever its first two bytes are: they may be damaged, and cost no more than their line.
 */
export function segmentBytes(raw: Uint8Array): Uint8Array {
  const encoding =
    raw[0] === 0xff && raw[1] === 0xfe
      ? 'utf-16le'
      : raw[0] === 0xfe && raw[1] === 0xff
        ? 'utf-16be'
        : undefined;
  const isDecoded = encoding !== undefined && findStarts(raw, 0, raw.length).length === 0;
  return isDecoded ? new TextEncoder().encode(new TextDecoder(encoding).decode(raw)) : raw;
}

/**
 * Adds what stands in one line; answers the last of the whole events that it begins with. What follows each of them on the line lacks
 * a newline before it, and nothing else: a file that came in pieces may have been read between them.
 */
function readLine(
  bytes: Uint8Array,
  readText: ReadText,
  from: number,
  to: number,
  isEnded: boolean,
  lines: HeldLine[],
  problems: LineProblem[],
): HeldLine | undefined {
  let rest = trim(bytes, from, to);
  if (rest.start >= rest.end) return undefined;
  let reading: LineReading = decodeLine(bytes, rest.start, rest.end, readText);
  const salvaged = 'event' in reading ? [] : salvage(bytes, rest.start, rest.end);
  let whole: HeldLine | undefined;
  let taken = 0;
  for (; salvaged[taken]?.from === rest.start; taken++) {
    whole = salvaged[taken]!;
    lines.push(whole);
    rest = trim(bytes, whole.to, to);
  }
  if (whole) {
    if (rest.start >= rest.end) return whole;
    reading = decodeLine(bytes, rest.start, rest.end, readText);
  }
  if ('event' in reading) {
    whole = { event: reading.event, from: rest.start, to: rest.end };
    lines.push(whole);
    return whole;
  }
  const scattered = salvaged.slice(taken);
  for (const line of scattered) lines.push(line);
  if (!isEnded) problems.push({ kind: 'pending', from: rest.start });
  else
    problems.push({
      kind:
        scattered.length === 0 && isMarker(bytes, rest.start, rest.end)
          ? 'marker'
          : reading.trouble,
      from: rest.start,
    });
  return whole;
}

/** How many more starts a whole line may hold: data such as `{"v":1}` looks like one. A limit, so that time grows with length alone. */
const STARTS_WITHIN = 8;

/** The events inside a line that as a whole is none: from a `{"v":` to the first closing CRC that fits. */
function salvage(bytes: Uint8Array, start: number, end: number): HeldLine[] {
  const found: HeldLine[] = [];
  const starts = findStarts(bytes, start, end);
  let foundTo = start;
  for (const [index, at] of starts.entries()) {
    if (at < foundTo) continue;
    const close = findClose(bytes, at, starts[index + 1 + STARTS_WITHIN] ?? end);
    const reading = close > 0 ? decodeLine(bytes, at, close) : undefined;
    if (!reading || !('event' in reading)) continue;
    found.push({ event: reading.event, from: at, to: close });
    foundTo = close;
  }
  return found;
}

function findStarts(bytes: Uint8Array, from: number, end: number): number[] {
  const starts: number[] = [];
  for (
    let at = indexIn(bytes, START[0]!, from, end);
    at + START.length <= end;
    at = indexIn(bytes, START[0]!, at + 1, end)
  ) {
    if (START.every((byte, offset) => bytes[at + offset] === byte)) starts.push(at);
  }
  return starts;
}

/** Where `byte` stands first between `from` and `end`; `end` where it does not. Looks no further, however long the file. */
function indexIn(bytes: Uint8Array, byte: number, from: number, end: number): number {
  const offset = bytes.subarray(from, end).indexOf(byte);
  return offset < 0 ? end : from + offset;
}

/** Where the first tail between `from` and `end` closes whose CRC fits all bytes from `from` on; 0 when there is none. */
function findClose(bytes: Uint8Array, from: number, end: number): number {
  let running = CRC_START;
  let counted = from;
  for (
    let brace = indexIn(bytes, BRACE, from, end);
    brace < end;
    brace = indexIn(bytes, BRACE, brace + 1, end)
  ) {
    const close = brace + 1;
    if (!hasTail(bytes, from, close)) continue;
    running = updateCrc(running, bytes, counted, close - TAIL_LENGTH);
    counted = close - TAIL_LENGTH;
    if (finishCrc(running) === crcBefore(bytes, close)) return close;
  }
  return 0;
}

/** Without byte order marks and NULs at both ends, and blanks and a carriage return at the end. */
function trim(bytes: Uint8Array, from: number, to: number): { start: number; end: number } {
  let start = from;
  let end = to;
  while (start < end && isFiller(bytes, start)) start += bytes[start] === 0xef ? 3 : 1;
  while (
    end > start &&
    (bytes[end - 1] === 0 || bytes[end - 1] === 0x0d || bytes[end - 1] === 0x20)
  )
    end--;
  return { start, end };
}

function isFiller(bytes: Uint8Array, at: number): boolean {
  return (
    bytes[at] === 0 ||
    bytes[at] === 0x20 ||
    bytes[at] === 0x0d ||
    (bytes[at] === 0xef && bytes[at + 1] === 0xbb && bytes[at + 2] === 0xbf)
  );
}

function isMarker(bytes: Uint8Array, start: number, end: number): boolean {
  return MARKER.test(String.fromCharCode(...bytes.subarray(start, Math.min(end, start + 8))));
}
