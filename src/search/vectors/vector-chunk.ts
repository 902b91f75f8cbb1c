import { checksumSteps } from '../../platform/bytes/hash.js';
import { runToEnd } from '../../platform/run-sliced.js';
import { decodeUtf8, encodeUtf8 } from '../text/utf8.js';
import { UNIT_LENGTH } from './unit-vector.js';

/** A row is the vector of a passage. */
export interface VectorChunk {
  /** Empty until the chunk is closed. */
  readonly name: string;
  readonly keys: string[];
  /** First row of each document, then the number of rows. */
  readonly firstRows: number[];
  /** Factor per document that gives the sum of its vectors the length of one of them. */
  readonly scales: number[];
  readonly deleted: Set<number>;
  rows: Int8Array<ArrayBuffer>;
}

export function createChunk(name = ''): VectorChunk {
  return {
    name,
    keys: [],
    firstRows: [0],
    scales: [],
    deleted: new Set(),
    rows: new Int8Array(),
  };
}

export function rowCount({ firstRows }: VectorChunk): number {
  return firstRows.at(-1)!;
}

export function appendDoc(
  chunk: VectorChunk,
  key: string,
  vectors: readonly Int8Array[],
  scale: number,
  dimensions: number,
): void {
  const before = rowCount(chunk);
  const needed = (before + vectors.length) * dimensions;
  if (needed > chunk.rows.length) {
    const larger = new Int8Array(Math.max(needed, chunk.rows.length * 2));
    larger.set(chunk.rows);
    chunk.rows = larger;
  }
  vectors.forEach((vector, at) => chunk.rows.set(vector, (before + at) * dimensions));
  chunk.keys.push(key);
  chunk.scales.push(scale);
  chunk.firstRows.push(before + vectors.length);
}

/** Gives the sum of the vectors the length of one of them; 0 if the sum is zero. */
export function scaleOf(vectors: readonly Int8Array[], dimensions: number): number {
  if (vectors.length < 2) return 1;
  let square = 0;
  for (let column = 0; column < dimensions; column++)
    square += vectors.reduce((sum, vector) => sum + vector[column]!, 0) ** 2;
  return square === 0 ? 0 : Math.fround(UNIT_LENGTH / Math.sqrt(square));
}

/** Merges chunks into one without deleted documents. */
export function mergeChunks(
  sources: readonly VectorChunk[],
  name: string,
  dimensions: number,
): VectorChunk {
  const merged = createChunk(name);
  const rows = sources.reduce((sum, chunk) => sum + rowCount(chunk), 0);
  merged.rows = new Int8Array(rows * dimensions);
  for (const source of sources) {
    source.keys.forEach((key, doc) => {
      if (source.deleted.has(doc)) return;
      const vectors: Int8Array[] = [];
      for (let row = source.firstRows[doc]!; row < source.firstRows[doc + 1]!; row++)
        vectors.push(source.rows.subarray(row * dimensions, (row + 1) * dimensions));
      appendDoc(merged, key, vectors, source.scales[doc]!, dimensions);
    });
  }
  return merged;
}

/*
 * A chunk as bytes, little-endian: magic, checksum over all bytes after it, dimensions, number of
 * documents, bytes of the keys; the number of rows of each document (uint 32), then its scale
 * (float 32); the keys, separated by a zero byte; the rows. Padded to a multiple of four.
 */
const MAGIC = 0x32565053; // "SPV2"
const HEADER_WORDS = 5;
const CHECKSUM_START = 8;

/** Encodes a chunk. Its rows then become a view of the bytes, so that memory holds them once. */
export function encodeChunk(chunk: VectorChunk, dimensions: number): Uint8Array<ArrayBuffer> {
  const keys = encodeUtf8(chunk.keys.join('\0'));
  const docs = chunk.keys.length;
  const rowsStart = (HEADER_WORDS + docs * 2) * 4 + keys.length;
  const used = rowCount(chunk) * dimensions;
  const bytes = new Uint8Array(Math.ceil((rowsStart + used) / 4) * 4);
  const words = new Uint32Array(bytes.buffer, 0, HEADER_WORDS + docs);
  words.set([MAGIC, 0, dimensions, docs, keys.length]);
  for (let doc = 0; doc < docs; doc++)
    words[HEADER_WORDS + doc] = chunk.firstRows[doc + 1]! - chunk.firstRows[doc]!;
  new Float32Array(bytes.buffer, words.byteLength, docs).set(chunk.scales);
  bytes.set(keys, rowsStart - keys.length);
  const rows = new Int8Array(bytes.buffer, rowsStart, used);
  rows.set(chunk.rows.subarray(0, used));
  chunk.rows = rows;
  words[1] = runToEnd(checksumSteps(bytes.subarray(CHECKSUM_START)));
  return bytes;
}

/** Decodes a chunk. Returns undefined if the bytes are damaged or have other dimensions. */
export function decodeChunk(
  name: string,
  bytes: Uint8Array<ArrayBuffer>,
  dimensions: number,
): VectorChunk | undefined {
  if (bytes.length < HEADER_WORDS * 4 || bytes.length % 4 !== 0) return undefined;
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  const [magic, checksum, ownDimensions, docs = 0, keyBytes = 0] = words;
  if (
    magic !== MAGIC ||
    ownDimensions !== dimensions ||
    checksum !== runToEnd(checksumSteps(bytes.subarray(CHECKSUM_START)))
  )
    return undefined;
  const keysStart = (HEADER_WORDS + docs * 2) * 4;
  const rowsStart = keysStart + keyBytes;
  const scalesStart = bytes.byteOffset + (HEADER_WORDS + docs) * 4;
  const chunk = createChunk(name);
  if (docs > 0) {
    for (const key of decodeUtf8(bytes.subarray(keysStart, rowsStart)).split('\0'))
      chunk.keys.push(key);
  }
  for (let doc = 0; doc < docs; doc++)
    chunk.firstRows.push(chunk.firstRows.at(-1)! + words[HEADER_WORDS + doc]!);
  for (const scale of new Float32Array(bytes.buffer, scalesStart, docs)) chunk.scales.push(scale);
  chunk.rows = new Int8Array(
    bytes.buffer,
    bytes.byteOffset + rowsStart,
    rowCount(chunk) * dimensions,
  );
  return chunk;
}
