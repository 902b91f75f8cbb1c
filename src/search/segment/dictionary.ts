import { readVarint, type Cursor } from '../../platform/bytes/byte-writer.js';
import { compareBytes } from '../../platform/bytes/bytes.js';
import { decodeUtf8 } from '../text/utf8.js';
import type { Segment } from './segment.js';
import { DICTIONARY_BLOCK } from './segment-format.js';

export interface TermEntry {
  /** Number of passages with the term. */
  readonly count: number;
  readonly postingsStart: number;
  readonly positionsStart: number;
  /** False for labels and for terms that are stop words wherever they occur. */
  readonly hasPositions: boolean;
  /** Upper bound of its impact, in 255ths, at the segment's average length. */
  readonly bound: number;
}

/** Reads sorted, front-coded strings one after the other. */
interface StringReader {
  /** The current string; `length` bytes of it are valid. */
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

/** Returns the last block whose first string is at or before `wanted`; 0 if there is none. */
function findBlock(blocks: Uint32Array, source: Uint8Array, wanted: Uint8Array): number {
  let low = 0;
  let high = blocks.length / 3 - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    cursor.at = blocks[middle * 3]! + 1; // past the shared length, which is 0
    const length = readVarint(source, cursor);
    if (compareSlice(source, cursor.at, length, wanted) <= 0) low = middle;
    else high = middle - 1;
  }
  return low;
}

function compareSlice(
  source: Uint8Array,
  start: number,
  length: number,
  wanted: Uint8Array,
): number {
  const shorter = Math.min(length, wanted.length);
  for (let at = 0; at < shorter; at++) {
    const difference = source[start + at]! - wanted[at]!;
    if (difference !== 0) return difference;
  }
  return length - wanted.length;
}

const keyReader = createReader();

/** Returns the bytes of a document's key as a view that is valid until the next key is read. */
export function keyBytesOf(segment: Segment, doc: number): Uint8Array {
  const rank = segment.keyRank[doc]!;
  const block = Math.floor(rank / DICTIONARY_BLOCK);
  keyReader.cursor.at = segment.keyBlocks[block * 3]!;
  for (let at = block * DICTIONARY_BLOCK; at <= rank; at++) readString(segment.keyBytes, keyReader);
  return keyReader.bytes.subarray(0, keyReader.length);
}

export function keyOf(segment: Segment, doc: number): string {
  return decodeUtf8(keyBytesOf(segment, doc));
}

/** Returns the rank of the first key at or after `wanted`; the number of documents if none is. */
export function firstKeyFrom(segment: Segment, wanted: Uint8Array): number {
  if (segment.docs === 0) return 0;
  const block = findBlock(segment.keyBlocks, segment.keyBytes, wanted);
  keyReader.cursor.at = segment.keyBlocks[block * 3]!;
  for (let rank = block * DICTIONARY_BLOCK; rank < segment.docs; rank++) {
    readString(segment.keyBytes, keyReader);
    if (compareBytes(keyReader.bytes, keyReader.length, wanted, wanted.length) >= 0) return rank;
  }
  return segment.docs;
}

/** Returns the document of a key; -1 if the segment has none. */
export function findDoc({ keyBytes, keyBlocks, keyDocs, docs }: Segment, key: Uint8Array): number {
  if (docs === 0) return -1;
  const first = findBlock(keyBlocks, keyBytes, key) * DICTIONARY_BLOCK;
  cursor.at = keyBlocks[(first / DICTIONARY_BLOCK) * 3]!;
  const end = Math.min(docs, first + DICTIONARY_BLOCK);
  for (let rank = first, matched = 0; rank < end && matched !== PAST; rank++) {
    matched = matchNext(keyBytes, key, matched);
    if (matched === EQUAL) return keyDocs[rank]!;
  }
  return -1;
}

/** Results of `matchNext` for a string that sorts after the wanted one, or equals it. */
const PAST = -1;
const EQUAL = -2;

/**
 * Reads the front-coded string at the cursor. The previous string must sort before `wanted` and
 * share its first `matched` bytes. Returns the number of bytes that this string shares if it sorts
 * before `wanted`, too; otherwise `PAST` or `EQUAL`.
 */
function matchNext(source: Uint8Array, wanted: Uint8Array, matched: number): number {
  const shared = readVarint(source, cursor);
  const rest = readVarint(source, cursor);
  const { at } = cursor;
  cursor.at += rest;
  // it differs in a byte in which the previous string still matched
  if (shared < matched) return PAST;
  if (shared > matched) return matched;
  const max = Math.min(rest, wanted.length - matched);
  let same = 0;
  while (same < max && source[at + same] === wanted[matched + same]) same++;
  const isAtEnd = matched + same === wanted.length;
  if (same === rest) return isAtEnd ? EQUAL : matched + same;
  return isAtEnd || source[at + same]! > wanted[matched + same]! ? PAST : matched + same;
}

/** Iterates over front-coded strings in byte order. */
export abstract class StringCursor {
  protected readonly reader = createReader();

  /** Returns false after the last string. */
  abstract next(): boolean;

  /** The current string; the first `length()` bytes are valid until `next()`. */
  bytes(): Uint8Array {
    return this.reader.bytes;
  }

  length(): number {
    return this.reader.length;
  }

  text(): string {
    return decodeUtf8(this.reader.bytes.subarray(0, this.reader.length));
  }

  startsWith(prefix: Uint8Array): boolean {
    const { bytes, length } = this.reader;
    if (length < prefix.length) return false;
    return compareBytes(bytes, prefix.length, prefix, prefix.length) === 0;
  }
}

export class KeyCursor extends StringCursor {
  readonly #segment: Segment;
  #rank = -1;

  constructor(segment: Segment) {
    super();
    this.#segment = segment;
  }

  doc(): number {
    return this.#segment.keyDocs[this.#rank]!;
  }

  next(): boolean {
    if (++this.#rank >= this.#segment.docs) return false;
    readString(this.#segment.keyBytes, this.reader);
    return true;
  }
}

/** Starts with the first term of a block. */
export class TermCursor extends StringCursor {
  readonly #segment: Segment;
  #number: number;
  #count = 0;
  #bound = 0;
  #postingsStart = 0;
  #positionsStart = 0;
  #postingsLength = 0;
  #positionsLength = 0;

  constructor(segment: Segment, fromBlock = 0) {
    super();
    this.#segment = segment;
    this.#number = fromBlock * DICTIONARY_BLOCK - 1;
    this.reader.cursor.at = segment.termBlocks[fromBlock * 3] ?? 0;
  }

  entry(): TermEntry {
    return {
      count: this.#count,
      bound: this.#bound,
      postingsStart: this.#postingsStart,
      positionsStart: this.#positionsStart,
      hasPositions: this.#positionsLength > 0,
    };
  }

  next(): boolean {
    const { termBytes, termBlocks, terms } = this.#segment;
    if (++this.#number >= terms) return false;
    if (this.#number % DICTIONARY_BLOCK === 0) {
      const block = (this.#number / DICTIONARY_BLOCK) * 3;
      this.#postingsStart = termBlocks[block + 1]!;
      this.#positionsStart = termBlocks[block + 2]!;
    } else {
      this.#postingsStart += this.#postingsLength;
      this.#positionsStart += this.#positionsLength;
    }
    readString(termBytes, this.reader);
    const { cursor: after } = this.reader;
    this.#count = readVarint(termBytes, after);
    this.#postingsLength = readVarint(termBytes, after);
    this.#positionsLength = readVarint(termBytes, after);
    this.#bound = termBytes[after.at++]!;
    return true;
  }
}

/** Returns a cursor on the first term at or after `wanted`; undefined if there is none. */
export function seekTerm(segment: Segment, wanted: Uint8Array): TermCursor | undefined {
  const terms = new TermCursor(segment, findBlock(segment.termBlocks, segment.termBytes, wanted));
  while (terms.next()) {
    if (compareBytes(terms.bytes(), terms.length(), wanted, wanted.length) >= 0) return terms;
  }
  return undefined;
}

/** Returns the entry of a term; undefined if the segment does not have it. */
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
    if (matched === PAST) return undefined;
    const count = readVarint(termBytes, cursor);
    const postingsLength = readVarint(termBytes, cursor);
    const positionsLength = readVarint(termBytes, cursor);
    const bound = termBytes[cursor.at++]!;
    if (matched === EQUAL)
      return { count, bound, postingsStart, positionsStart, hasPositions: positionsLength > 0 };
    postingsStart += postingsLength;
    positionsStart += positionsLength;
  }
  return undefined;
}
