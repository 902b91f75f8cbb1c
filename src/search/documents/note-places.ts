import {
  createByteWriter,
  readVarint,
  type ByteWriter,
  type Cursor,
} from '../../platform/bytes/byte-writer.js';
import { decodeUtf8, encodeUtf8 } from '../text/utf8.js';

/** Where a passage is in its note, and the texts besides its own that explain a hit in it. */
export interface PassagePlace {
  /** Offsets in the note's text, in code units. */
  readonly start: number;
  readonly end: number;
  /** Offsets in the note's bytes, if these are UTF-8 without a byte order mark. */
  readonly startByte: number;
  readonly endByte: number;
  /** Line in which the passage begins, from 1. */
  readonly line: number;
  readonly headings: readonly string[];
  readonly aliases: readonly string[];
  readonly tags: readonly string[];
  /** Size of the note in bytes. */
  readonly noteBytes: number;
}

interface PlacedNote {
  readonly text: string;
  readonly aliases: readonly string[];
  readonly tags: readonly string[];
  /** In order; each begins where the one before ends. */
  readonly passages: readonly {
    readonly start: number;
    readonly end: number;
    readonly headings: readonly string[];
  }[];
}

/** Encodes the places of a note's passages as in docs/search-format.md, one slice per step. */
export function* encodePlaces({
  text,
  aliases,
  tags,
  passages,
}: PlacedNote): Generator<undefined, Uint8Array> {
  const out = createByteWriter();
  const headings = [...new Set(passages.flatMap((passage) => passage.headings))];
  const numberOf = new Map(headings.map((heading, number) => [heading, number]));
  for (const texts of [aliases, tags, headings]) writeTexts(out, texts);
  const writeSpan = (from: number, to: number) => {
    const { extraBytes, lineBreaks } = measure(text, from, to);
    for (const number of [to - from, extraBytes, lineBreaks]) out.varint(number);
  };
  const bodyStart = passages[0]?.start ?? 0;
  const bodyEnd = passages.at(-1)?.end ?? 0;
  writeSpan(0, bodyStart);
  writeSpan(bodyEnd, text.length);
  for (const { start, end, headings: own } of passages) {
    writeSpan(start, end);
    out.varint(own.length);
    for (const heading of own) out.varint(numberOf.get(heading)!);
    yield;
  }
  return out.written().slice();
}

/** Decodes the place of a passage, or of the passages up to another one, as one. */
export function decodePlace(
  bytes: Uint8Array,
  first: number,
  last = first,
): PassagePlace | undefined {
  const cursor = { at: 0 };
  const aliases = readTexts(bytes, cursor);
  const tags = readTexts(bytes, cursor);
  const headings = readTexts(bytes, cursor);
  const before = readSpan(bytes, cursor);
  const after = readSpan(bytes, cursor);
  let place: PassagePlace | undefined;
  let start = before.length;
  let startByte = before.bytes;
  let line = 1 + before.lineBreaks;
  for (let number = 0; cursor.at < bytes.length; number++) {
    const span = readSpan(bytes, cursor);
    const end = start + span.length;
    const endByte = startByte + span.bytes;
    const own = Array.from({ length: readVarint(bytes, cursor) }, () => readVarint(bytes, cursor));
    if (number >= first && number <= last) {
      const known = place ?? { start, startByte, line, headings: [] };
      const ownHeadings = own.map((heading) => headings[heading]!);
      place = {
        ...known,
        end,
        endByte,
        headings: [...new Set([...known.headings, ...ownHeadings])],
        aliases,
        tags,
        noteBytes: 0,
      };
    }
    [start, startByte, line] = [end, endByte, line + span.lineBreaks];
  }
  return place && { ...place, noteBytes: startByte + after.bytes };
}

const LINE_BREAK = 0x0a;

/** Returns the numbers of line breaks and of UTF-8 bytes above one per code unit. */
function measure(text: string, from: number, to: number) {
  let extraBytes = 0;
  let lineBreaks = 0;
  for (let at = from; at < to; at++) {
    const unit = text.charCodeAt(at);
    if (unit === LINE_BREAK) lineBreaks++;
    if (unit < 0x80) continue;
    const isSurrogate = unit >= 0xd800 && unit < 0xe000; // two of them have four bytes
    extraBytes += unit < 0x800 || isSurrogate ? 1 : 2;
  }
  return { extraBytes, lineBreaks };
}

function readSpan(
  bytes: Uint8Array,
  cursor: Cursor,
): { readonly length: number; readonly bytes: number; readonly lineBreaks: number } {
  const length = readVarint(bytes, cursor);
  return {
    length,
    bytes: length + readVarint(bytes, cursor),
    lineBreaks: readVarint(bytes, cursor),
  };
}

function writeTexts(out: ByteWriter, texts: readonly string[]): void {
  out.varint(texts.length);
  for (const text of texts) {
    const bytes = encodeUtf8(text);
    out.varint(bytes.length);
    out.bytes(bytes);
  }
}

function readTexts(bytes: Uint8Array, cursor: Cursor): string[] {
  return Array.from({ length: readVarint(bytes, cursor) }, () => {
    const length = readVarint(bytes, cursor);
    cursor.at += length;
    return decodeUtf8(bytes.subarray(cursor.at - length, cursor.at));
  });
}
