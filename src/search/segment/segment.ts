import {
  checksumSteps,
  compareBytes,
  readVarint,
  runSteps,
  type Cursor,
} from '../../platform/byte-writer.js';
import {
  CHECKED_FROM,
  DICTIONARY_BLOCK,
  FORMAT_VERSION,
  FREQUENCY_BITS,
  HEADER,
  HEADER_BYTES,
  isDense,
  LAST_POSITION,
  LISTED,
  LONG_GAP,
  MAGIC,
  NOWHERE,
  ONCE,
  POSTINGS_BLOCK,
  SECTION,
} from './segment-format.js';

/** A segment, opened by laying typed arrays over its bytes. */
export interface Segment {
  readonly blob: Uint8Array;
  readonly notes: number;
  readonly passages: number;
  readonly terms: number;
  /** The average weighted length of a passage when it was written: the bounds were made with it. */
  readonly averageLength: number;
  readonly noteFirst: Uint32Array;
  readonly noteHash: Uint32Array;
  readonly noteTime: Float64Array;
  readonly noteLanguage: Uint8Array;
  readonly passageLength: Uint16Array;
  /** Two for each passage. */
  readonly fingerprints: Uint32Array;
  readonly keyBlocks: Uint32Array;
  readonly keyBytes: Uint8Array;
  readonly termBlocks: Uint32Array;
  readonly termBytes: Uint8Array;
  readonly postings: Uint8Array;
  readonly positions: Uint8Array;
  /** The note of each key, in the order of the bytes of the keys. */
  readonly keyNotes: Uint32Array;
  /** The place of each note's key in that order. */
  readonly keyRank: Uint32Array;
  /** The note of each passage. */
  readonly noteOf: Uint32Array;
  /** The tables of lists that were read of late, by where the postings begin. */
  readonly tables: Map<number, PostingBlocks>;
}

/** A term of a segment: where its postings and positions lie. */
export interface TermEntry {
  /** In how many passages it occurs. */
  readonly count: number;
  readonly postingsStart: number;
  readonly positionsStart: number;
  /** False for labels and for what carries no matter wherever it occurs. */
  readonly hasPositions: boolean;
  /** A bound of its impact, of 255, as of the segment's average length. */
  readonly bound: number;
}

/** What is wrong with a blob, in words; undefined where nothing is. */
export function findDamage(blob: Uint8Array): string | undefined {
  if (blob.length < HEADER_BYTES || blob.length % 8 !== 0) return 'is cut off';
  const header = new Uint32Array(blob.buffer, blob.byteOffset, HEADER_BYTES / 4);
  if (header[HEADER.magic] !== MAGIC) return 'is no segment';
  if (header[HEADER.version] !== FORMAT_VERSION) return 'is of another version';
  if (header[HEADER.size] !== blob.length) return 'is cut off';
  return runSteps(checksumSteps(blob.subarray(CHECKED_FROM))) === header[HEADER.checksum]
    ? undefined
    : 'is damaged';
}

/** Opens what `findDamage` finds nothing wrong with; `blob` begins at a multiple of eight bytes of its buffer. */
export function openSegment(blob: Uint8Array): Segment {
  const header = new Uint32Array(blob.buffer, blob.byteOffset, HEADER_BYTES / 4);
  const offset = (section: number) => header[HEADER.sections + section]!;
  const place = (section: number) => blob.byteOffset + offset(section);
  const bytes = (section: number) => blob.subarray(offset(section), offset(section + 1));
  const [notes, passages] = [header[HEADER.notes]!, header[HEADER.passages]!];
  const noteFirst = new Uint32Array(blob.buffer, place(SECTION.noteFirst), notes + 1);
  const noteOf = new Uint32Array(passages);
  for (let note = 0; note < notes; note++) noteOf.fill(note, noteFirst[note], noteFirst[note + 1]);
  const keyNotes = new Uint32Array(blob.buffer, place(SECTION.keyNotes), notes);
  const keyRank = new Uint32Array(notes);
  for (let rank = 0; rank < notes; rank++) keyRank[keyNotes[rank]!] = rank;
  return {
    blob,
    notes,
    passages,
    terms: header[HEADER.terms]!,
    noteFirst,
    noteOf,
    keyNotes,
    keyRank,
    tables: new Map(),
    averageLength: new Float32Array(blob.buffer, blob.byteOffset + HEADER.averageLength * 4, 1)[0]!,
    noteHash: new Uint32Array(blob.buffer, place(SECTION.noteHash), notes * 2),
    noteTime: new Float64Array(blob.buffer, place(SECTION.noteTime), notes),
    noteLanguage: new Uint8Array(blob.buffer, place(SECTION.noteLanguage), notes),
    passageLength: new Uint16Array(blob.buffer, place(SECTION.passageLength), passages),
    fingerprints: new Uint32Array(blob.buffer, place(SECTION.fingerprints), passages * 2),
    keyBlocks: new Uint32Array(
      blob.buffer,
      place(SECTION.keyBlocks),
      Math.ceil(notes / DICTIONARY_BLOCK) * 3,
    ),
    keyBytes: bytes(SECTION.keys),
    termBlocks: new Uint32Array(
      blob.buffer,
      place(SECTION.termBlocks),
      Math.ceil(header[HEADER.terms]! / DICTIONARY_BLOCK) * 3,
    ),
    termBytes: bytes(SECTION.terms),
    postings: bytes(SECTION.postings),
    positions: bytes(SECTION.positions),
  };
}

/** Sorted, front-coded strings, read one after the other. */
interface StringReader {
  /** The string at hand. */
  bytes: Uint8Array;
  length: number;
  readonly cursor: Cursor;
}

const createReader = (): StringReader => ({
  bytes: new Uint8Array(512),
  length: 0,
  cursor: { at: 0 },
});

function readString(source: Uint8Array, reader: StringReader): void {
  const { cursor } = reader;
  const shared = readVarint(source, cursor);
  const rest = readVarint(source, cursor);
  if (shared + rest > reader.bytes.length) {
    const larger = new Uint8Array((shared + rest) * 2);
    larger.set(reader.bytes.subarray(0, shared));
    reader.bytes = larger;
  }
  for (let at = 0; at < rest; at++) reader.bytes[shared + at] = source[cursor.at + at]!;
  cursor.at += rest;
  reader.length = shared + rest;
}

const cursor: Cursor = { at: 0 };

/** The last block whose first string stands at or before `wanted`; 0 where there is none. */
function findBlock(blocks: Uint32Array, source: Uint8Array, wanted: Uint8Array): number {
  let low = 0;
  let high = blocks.length / 3 - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    cursor.at = blocks[middle * 3]! + 1; // past the shared length, which is 0
    const length = readVarint(source, cursor);
    if (compareAt(source, cursor.at, length, wanted, 0) <= 0) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Compares `length` bytes of `source` at a place with the rest of `wanted`. */
function compareAt(
  source: Uint8Array,
  place: number,
  length: number,
  wanted: Uint8Array,
  from: number,
): number {
  const rest = wanted.length - from;
  const shorter = Math.min(length, rest);
  for (let at = 0; at < shorter; at++) {
    const difference = source[place + at]! - wanted[from + at]!;
    if (difference !== 0) return difference;
  }
  return length - rest;
}

const decoder = new TextDecoder();
const encoder = new TextEncoder();

export const textToBytes = (text: string): Uint8Array => encoder.encode(text);
export const bytesToText = (bytes: Uint8Array): string => decoder.decode(bytes);

const keyReader = createReader();

/** The bytes of a note's key: a view, valid until the next key is read. */
export function keyBytesOf(segment: Segment, note: number): Uint8Array {
  const rank = segment.keyRank[note]!;
  const block = Math.floor(rank / DICTIONARY_BLOCK);
  keyReader.cursor.at = segment.keyBlocks[block * 3]!;
  for (let at = block * DICTIONARY_BLOCK; at <= rank; at++) readString(segment.keyBytes, keyReader);
  return keyReader.bytes.subarray(0, keyReader.length);
}

/** The key of a note. */
export function keyOf(segment: Segment, note: number): string {
  return bytesToText(keyBytesOf(segment, note));
}

/** The place of the first key at or after `wanted`; the number of notes where there is none. */
export function firstKeyFrom(segment: Segment, wanted: Uint8Array): number {
  if (segment.notes === 0) return 0;
  const block = findBlock(segment.keyBlocks, segment.keyBytes, wanted);
  keyReader.cursor.at = segment.keyBlocks[block * 3]!;
  for (let rank = block * DICTIONARY_BLOCK; rank < segment.notes; rank++) {
    readString(segment.keyBytes, keyReader);
    if (compareBytes(keyReader.bytes, keyReader.length, wanted, wanted.length) >= 0) return rank;
  }
  return segment.notes;
}

/** The note of a key; -1 where the segment has none. */
export function findNote(
  { keyBytes, keyBlocks, keyNotes, notes }: Segment,
  key: Uint8Array,
): number {
  if (notes === 0) return -1;
  const first = findBlock(keyBlocks, keyBytes, key) * DICTIONARY_BLOCK;
  cursor.at = keyBlocks[(first / DICTIONARY_BLOCK) * 3]!;
  const end = Math.min(notes, first + DICTIONARY_BLOCK);
  for (let rank = first, matched = 0; rank < end && matched !== AFTER; rank++) {
    matched = matchNext(keyBytes, key, matched);
    if (matched === SAME) return keyNotes[rank]!;
  }
  return -1;
}

/** A string stands after the wanted one; a string is the wanted one. */
const [AFTER, SAME] = [-1, -2];

/**
 * Compares the front-coded string at the cursor with the wanted one, of whose bytes the string before, standing before it, had the
 * first `matched`; moves the cursor on. Answers how many it has, if it stands before the wanted one too.
 */
function matchNext(source: Uint8Array, wanted: Uint8Array, matched: number): number {
  const shared = readVarint(source, cursor);
  const rest = readVarint(source, cursor);
  const { at } = cursor;
  cursor.at += rest;
  if (shared < matched) return AFTER; // differs where the one before still agreed
  if (shared > matched) return matched;
  const most = Math.min(rest, wanted.length - matched);
  let same = 0;
  while (same < most && source[at + same] === wanted[matched + same]) same++;
  const isAtEnd = matched + same === wanted.length;
  if (same === rest) return isAtEnd ? SAME : matched + same;
  return isAtEnd || source[at + same]! > wanted[matched + same]! ? AFTER : matched + same;
}

/** Goes through the keys of a segment in the order of their bytes. */
export interface KeyCursor {
  readonly bytes: () => Uint8Array;
  readonly length: () => number;
  readonly note: () => number;
  /** False after the last. */
  readonly next: () => boolean;
}

export function createKeyCursor({ keyBytes, keyNotes, notes }: Segment): KeyCursor {
  const reader = createReader();
  let rank = -1;
  return {
    bytes: () => reader.bytes,
    length: () => reader.length,
    note: () => keyNotes[rank]!,
    next() {
      if (++rank >= notes) return false;
      readString(keyBytes, reader);
      return true;
    },
  };
}

/** Goes through the terms of a segment in the order of their bytes. */
export interface TermCursor {
  readonly bytes: () => Uint8Array;
  readonly length: () => number;
  readonly entry: () => TermEntry;
  /** The number of the term at hand. */
  readonly number: () => number;
  /** False after the last. */
  readonly next: () => boolean;
}

export function createTermCursor(segment: Segment, fromBlock = 0): TermCursor {
  const { termBytes, termBlocks, terms } = segment;
  const reader = createReader();
  let number = fromBlock * DICTIONARY_BLOCK - 1;
  let [count, bound, postingsStart, positionsStart, postingsLength, positionsLength] = [
    0, 0, 0, 0, 0, 0,
  ];
  reader.cursor.at = termBlocks[fromBlock * 3] ?? 0;
  return {
    bytes: () => reader.bytes,
    length: () => reader.length,
    number: () => number,
    entry: () => ({
      count,
      bound,
      postingsStart,
      positionsStart,
      hasPositions: positionsLength > 0,
    }),
    next() {
      if (++number >= terms) return false;
      if (number % DICTIONARY_BLOCK === 0) {
        const block = (number / DICTIONARY_BLOCK) * 3;
        postingsStart = termBlocks[block + 1]!;
        positionsStart = termBlocks[block + 2]!;
      } else {
        postingsStart += postingsLength;
        positionsStart += positionsLength;
      }
      readString(termBytes, reader);
      count = readVarint(termBytes, reader.cursor);
      postingsLength = readVarint(termBytes, reader.cursor);
      positionsLength = readVarint(termBytes, reader.cursor);
      bound = termBytes[reader.cursor.at++]!;
      return true;
    },
  };
}

/** A cursor that stands on the first term at or after `wanted`; undefined where there is none. */
export function seekTerm(segment: Segment, wanted: Uint8Array): TermCursor | undefined {
  const cursor = createTermCursor(
    segment,
    findBlock(segment.termBlocks, segment.termBytes, wanted),
  );
  while (cursor.next())
    if (compareBytes(cursor.bytes(), cursor.length(), wanted, wanted.length) >= 0) return cursor;
  return undefined;
}

/** Where a term's postings and positions lie; undefined where the segment has none. */
export function findTerm(
  { termBytes, termBlocks, terms }: Segment,
  wanted: Uint8Array,
): TermEntry | undefined {
  if (terms === 0) return undefined;
  const block = findBlock(termBlocks, termBytes, wanted);
  cursor.at = termBlocks[block * 3]!;
  let postingsStart = termBlocks[block * 3 + 1]!;
  let positionsStart = termBlocks[block * 3 + 2]!;
  let matched = 0;
  for (let left = Math.min(DICTIONARY_BLOCK, terms - block * DICTIONARY_BLOCK); left > 0; left--) {
    matched = matchNext(termBytes, wanted, matched);
    if (matched === AFTER) return undefined;
    const count = readVarint(termBytes, cursor);
    const postingsLength = readVarint(termBytes, cursor);
    const positionsLength = readVarint(termBytes, cursor);
    const bound = termBytes[cursor.at++]!;
    if (matched === SAME)
      return { count, bound, postingsStart, positionsStart, hasPositions: positionsLength > 0 };
    postingsStart += postingsLength;
    positionsStart += positionsLength;
  }
  return undefined;
}

/** The blocks of a term's postings: for each its last passage, where it lies, where its positions lie, and its bound. */
export interface PostingBlocks {
  count: number;
  /** Where half a byte lies for each passage: its code and one, or 0; -1 for a list of gaps. */
  readonly dense: number;
  readonly last: Int32Array;
  readonly start: Int32Array;
  readonly positions: Int32Array;
  readonly bound: Uint8Array;
}

export const NO_BLOCKS: PostingBlocks = {
  count: 0,
  dense: -1,
  last: new Int32Array(0),
  start: new Int32Array(0),
  positions: new Int32Array(0),
  bound: new Uint8Array(0),
};

const MOST_TABLES = 256;

/** Reads the table of a term's blocks; keeps some. */
export function blocksOf(segment: Segment, entry: TermEntry): PostingBlocks {
  const { tables } = segment;
  const known = tables.get(entry.postingsStart);
  if (known) return known;
  const read = readBlocks(segment, entry);
  if (tables.size >= MOST_TABLES) tables.clear();
  tables.set(entry.postingsStart, read);
  return read;
}

/** A table of one block, to be used again. */
export function oneBlock(): PostingBlocks {
  return {
    count: 0,
    dense: -1,
    last: new Int32Array(1),
    start: new Int32Array(1),
    positions: new Int32Array(1),
    bound: new Uint8Array(1),
  };
}

/** Reads the table of a term's blocks; where there is but one, into `one`. */
export function readBlocks(
  segment: Segment,
  { count, bound, postingsStart, positionsStart }: TermEntry,
  one: PostingBlocks = oneBlock(),
): PostingBlocks {
  const hasHalfBytes = isDense(count, segment.passages);
  const blocks = Math.ceil((hasHalfBytes ? segment.passages : count) / POSTINGS_BLOCK);
  if (blocks === 1) {
    one.count = count;
    one.last[0] = segment.passages;
    one.start[0] = postingsStart;
    one.positions[0] = positionsStart;
    one.bound[0] = bound;
    return one;
  }
  const [last, start, positions] = [
    new Int32Array(blocks),
    new Int32Array(blocks),
    new Int32Array(blocks),
  ];
  const bounds = new Uint8Array(blocks);
  const { postings } = segment;
  const cursor = { at: postingsStart };
  let [passage, place, positionsAt] = [-1, 0, positionsStart];
  for (let block = 0; block < blocks; block++) {
    passage += hasHalfBytes ? POSTINGS_BLOCK : readVarint(postings, cursor);
    last[block] = passage;
    start[block] = place;
    place += hasHalfBytes ? POSTINGS_BLOCK / 2 : readVarint(postings, cursor);
    positions[block] = positionsAt;
    positionsAt += readVarint(postings, cursor);
    bounds[block] = postings[cursor.at++]!;
  }
  for (let block = 0; block < blocks; block++) start[block]! += cursor.at;
  return { count, dense: hasHalfBytes ? cursor.at : -1, last, start, positions, bound: bounds };
}

/** The half byte of a passage: its code and one, or 0. */
export function halfByteOf(postings: Uint8Array, dense: number, passage: number): number {
  return (postings[dense + (passage >> 1)]! >> ((passage & 1) << 2)) & 15;
}

/** Decodes a block into passages and codes; answers how many. */
export function decodeBlock(
  segment: Segment,
  blocks: PostingBlocks,
  block: number,
  passages: Int32Array,
  codes: Uint8Array,
): number {
  const { postings } = segment;
  if (blocks.dense >= 0) return decodeDense(segment, blocks, block, passages, codes);
  const count = Math.min(POSTINGS_BLOCK, blocks.count - block * POSTINGS_BLOCK);
  let passage = block === 0 ? -1 : blocks.last[block - 1]!;
  let at = blocks.start[block]!;
  for (let index = 0; index < count; index++) {
    let value = postings[at++]!;
    if (value > 127) {
      value &= 127;
      let shift = 7;
      let byte: number;
      do {
        byte = postings[at++]!;
        value |= (byte & 127) << shift;
        shift += 7;
      } while (byte > 127);
    }
    passage += value >>> FREQUENCY_BITS;
    passages[index] = passage;
    codes[index] = value & ((1 << FREQUENCY_BITS) - 1);
  }
  return count;
}

function decodeDense(
  { postings, passages: all }: Segment,
  { dense }: PostingBlocks,
  block: number,
  passages: Int32Array,
  codes: Uint8Array,
): number {
  const end = Math.min(all, (block + 1) * POSTINGS_BLOCK);
  let count = 0;
  for (
    let passage = block * POSTINGS_BLOCK, at = dense + (passage >> 1);
    passage < end;
    passage += 2
  ) {
    // No branches: whether a passage holds the term is as good as random. Of those that do not, the next takes the place.
    const both = postings[at++]!;
    const [low, high] = [both & 15, both >> 4];
    passages[count] = passage;
    codes[count] = low - 1;
    count += (low + 15) >> 4;
    passages[count] = passage + 1;
    codes[count] = high - 1;
    count += (high + 15) >> 4;
  }
  return count;
}

/** Where the positions of a passage end that begin at `start`, of a term whose frequency there has a code. */
export function endOfPositions(positions: Uint8Array, start: number, code: number): number {
  const first = positions[start]!;
  if (first === NOWHERE || (code === ONCE && first !== LISTED)) return start + 1;
  cursor.at = code === ONCE ? start + 1 : start;
  for (;;) {
    const byte = positions[cursor.at++]!;
    if ((byte & LONG_GAP) === LONG_GAP) readVarint(positions, cursor);
    if (byte & LAST_POSITION) return cursor.at;
  }
}

/** Reads those positions, ascending, into `into`; answers how many. */
export function readPositions(
  positions: Uint8Array,
  start: number,
  code: number,
  into: Int32Array,
): number {
  const first = positions[start]!;
  if (first === NOWHERE) return 0;
  if (code === ONCE && first !== LISTED) {
    into[0] = first;
    return 1;
  }
  cursor.at = code === ONCE ? start + 1 : start;
  let count = 0;
  let position = 0;
  for (;;) {
    const byte = positions[cursor.at++]!;
    const gap = byte & LONG_GAP;
    position += gap === LONG_GAP ? LONG_GAP - 1 + readVarint(positions, cursor) : gap;
    if (count < into.length) into[count++] = position;
    if (byte & LAST_POSITION) return count;
  }
}
