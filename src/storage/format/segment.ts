import type { LogEvent } from '../../model/event.js';
import { CRC_START, finishCrc, updateCrc } from '../../platform/crc32.js';
import { readTailCrc, decodeLine, hasLineTail, LF, TAIL_BYTES, type DecodedLine } from './line.js';
import { sequentialTextReader, type ReadText } from './text-reader.js';

/** An event and the byte range of its line in the segment, without the newline. */
export interface SegmentLine {
  readonly event: LogEvent;
  readonly from: number;
  readonly to: number;
}

/** A part that is no event. `pending`, the end of a growing file, may still become one. */
export interface LineProblem {
  readonly kind: 'damaged' | 'edited' | 'foreign' | 'marker' | 'pending';
  /** Byte offset in the segment. */
  readonly from: number;
}

export interface ParsedSegment {
  readonly lines: SegmentLine[];
  readonly problems: LineProblem[];
  /** Offset from which parsing continues once the file has grown; nothing before it changes. */
  readonly settled: number;
}

const BRACE = 0x7d;
const MARKER = /^(<<<<<<<|=======|>>>>>>>|\|\|\|\|\|\|\|)/;
const START = Uint8Array.from('{"v":', (character) => character.charCodeAt(0));

/**
 * Parses a segment from offset `from` on. Never throws; accepts only events whose CRC matches.
 * Tolerates torn and glued lines, NULs, BOMs, CRLF, blank lines, git's markers, no last newline.
 */
export function parseSegment(bytes: Uint8Array, from = 0): ParsedSegment {
  const lines: SegmentLine[] = [];
  const problems: LineProblem[] = [];
  const readText = sequentialTextReader(bytes);
  let at = from;
  let settled = from;
  while (at < bytes.length) {
    const newline = bytes.indexOf(LF, at);
    const isEnded = newline >= 0;
    const end = isEnded ? newline : bytes.length;
    const whole = readLine(bytes, readText, at, end, isEnded, lines, problems);
    at = end + 1;
    if (isEnded) settled = at;
    else if (whole) settled = whole.to; // NULs after it may still turn into data
  }
  return { lines, problems, settled };
}

/**
 * Returns a segment's bytes as UTF-8, to which all offsets refer: some tools save files as UTF-16.
 * If a line starts in UTF-8, a UTF-16 byte order mark is only damage to the first line.
 */
export function toUtf8(raw: Uint8Array): Uint8Array {
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
 * Adds the events and the problem of one line. Returns the last of the whole events at its start:
 * several if newlines are missing, any of which a growing file may have been read up to.
 */
function readLine(
  bytes: Uint8Array,
  readText: ReadText,
  from: number,
  to: number,
  isEnded: boolean,
  lines: SegmentLine[],
  problems: LineProblem[],
): SegmentLine | undefined {
  let rest = trim(bytes, from, to);
  if (rest.start >= rest.end) return undefined;
  let reading: DecodedLine = decodeLine(bytes, rest.start, rest.end, readText);
  const salvaged = 'event' in reading ? [] : salvage(bytes, rest.start, rest.end);
  let whole: SegmentLine | undefined;
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
  if (!isEnded && mayBecomeLine(bytes, rest.start, rest.end))
    problems.push({ kind: 'pending', from: rest.start });
  else
    problems.push({
      kind:
        scattered.length === 0 && isMarker(bytes, rest.start, rest.end)
          ? 'marker'
          : reading.problem,
      from: rest.start,
    });
  return whole;
}

function mayBecomeLine(bytes: Uint8Array, start: number, end: number): boolean {
  return START.every((byte, at) => start + at >= end || bytes[start + at] === byte);
}

/** Data may look like the start of a line (`{"v":1}`); the limit keeps salvaging linear. */
const MAX_NESTED_STARTS = 8;

/** Returns the events inside a line, each from a `{"v":` to the first tail whose CRC matches. */
function salvage(bytes: Uint8Array, start: number, end: number): SegmentLine[] {
  const found: SegmentLine[] = [];
  const starts = findStarts(bytes, start, end);
  let foundTo = start;
  for (const [index, at] of starts.entries()) {
    if (at < foundTo) continue;
    const close = findClose(bytes, at, starts[index + 1 + MAX_NESTED_STARTS] ?? end);
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

/** Returns the first index of `byte`, or `end`. Unlike `indexOf`, it does not search past `end`. */
function indexIn(bytes: Uint8Array, byte: number, from: number, end: number): number {
  const offset = bytes.subarray(from, end).indexOf(byte);
  return offset < 0 ? end : from + offset;
}

/** Returns the end of the first tail whose CRC matches the line that starts at `from`, or 0. */
function findClose(bytes: Uint8Array, from: number, end: number): number {
  let running = CRC_START;
  let counted = from;
  for (
    let brace = indexIn(bytes, BRACE, from, end);
    brace < end;
    brace = indexIn(bytes, BRACE, brace + 1, end)
  ) {
    const close = brace + 1;
    if (!hasLineTail(bytes, from, close)) continue;
    running = updateCrc(running, bytes, counted, close - TAIL_BYTES);
    counted = close - TAIL_BYTES;
    if (finishCrc(running) === readTailCrc(bytes, close)) return close;
  }
  return 0;
}

/** Drops NULs, spaces and carriage returns at both ends, and byte order marks at the start. */
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
