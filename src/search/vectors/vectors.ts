import { bytesToText, textToBytes } from '../segment/segment.js';
import { checksumSteps, runSteps } from '../../platform/byte-writer.js';
import type { Meaning } from '../query/search.js';
import { createThreshold } from '../query/top-k.js';
import { plainDots, type Dots } from './dots.js';
import { createSimdDots } from './simd-dots.js';
import { LENGTH } from './unit.js';

/** What is to be kept of the vectors: the blobs that make them up, with the documents of each that are no more. */
export interface VectorManifest {
  /** The number of the next blob. */
  readonly next: number;
  readonly chunks: readonly { readonly name: string; readonly gone: readonly number[] }[];
}

interface FlushedVectors {
  readonly manifest: VectorManifest;
  readonly blobs: readonly { readonly name: string; readonly bytes: Uint8Array<ArrayBuffer> }[];
  readonly obsolete: readonly string[];
}

export interface NearestOptions {
  /** So many documents at most. */
  readonly most: number;
  /** Nearer than this, from 0 to 1. */
  readonly least: number;
  readonly isAllowed?: ((key: string) => boolean) | undefined;
}

/** The vectors of documents, one for each passage. A document's own is the mean of them, and is not kept: its product with a query is told by theirs. */
export interface Vectors {
  readonly has: (key: string) => boolean;
  /** Adds those of a document's passages, or changes them; none for a document whose meaning is not understood. */
  readonly put: (key: string, passages: readonly Int8Array[]) => void;
  readonly remove: (key: string) => void;
  readonly keys: () => string[];
  /** How many vectors there are. */
  readonly size: () => number;
  /**
   * How near each passage is to a query: of its document's cosine .7, of its own the rest. A slice of some milliseconds in each
   * step.
   */
  readonly nearestSteps: (
    query: Int8Array,
    options: NearestOptions,
  ) => Generator<undefined, Meaning>;
  readonly flush: () => FlushedVectors;
}

/** A row is the vector of a passage. */
interface Chunk {
  readonly name: string | undefined;
  readonly keys: string[];
  /** The first row of each document, and after the last the number of all. */
  readonly firsts: number[];
  /** Of each document: what makes the sum of its vectors as long as one of them. */
  readonly scales: number[];
  readonly gone: Set<number>;
  rows: Int8Array<ArrayBuffer>;
}

/** Where a document's vectors are. */
interface Place {
  readonly chunk: Chunk;
  readonly document: number;
}

/** @param dimensions of each vector, divisible by eight */
export function createVectors(dimensions: number, next = 0): Vectors {
  return vectorsOver(dimensions, [], next);
}

/** The vectors that were flushed; undefined where a blob is missing, damaged or of other dimensions. */
export function openVectors(
  dimensions: number,
  { next, chunks }: VectorManifest,
  blobs: ReadonlyMap<string, Uint8Array<ArrayBuffer>>,
): Vectors | undefined {
  const opened: Chunk[] = [];
  for (const { name, gone } of chunks) {
    const blob = blobs.get(name);
    const chunk = blob && openChunk(name, blob, dimensions);
    if (!chunk) return undefined;
    for (const document of gone) chunk.gone.add(document);
    opened.push(chunk);
  }
  return vectorsOver(dimensions, opened, next);
}

/** A chunk with fewer rows is put together with others when there are so many such. */
const SMALL_CHUNK = 8192;
const MOST_SMALL = 8;
const MOST_GONE = 0.3;
/** So many rows are compared between two yields. */
const ROWS_AT_ONCE = 16_384;

function vectorsOver(dimensions: number, opened: Chunk[], nextNumber: number): Vectors {
  let closed = opened;
  let open = emptyChunk();
  let next = nextNumber;
  const kept = new Set(opened.flatMap(({ name }) => name ?? []));
  const places = new Map<string, Place>();
  for (const chunk of closed) place(chunk);

  function place(chunk: Chunk): void {
    chunk.keys.forEach((key, document) => {
      if (!chunk.gone.has(document)) places.set(key, { chunk, document });
    });
  }

  function remove(key: string): void {
    const found = places.get(key);
    found?.chunk.gone.add(found.document);
    places.delete(key);
  }

  function put(key: string, passages: readonly Int8Array[]): void {
    remove(key);
    places.set(key, { chunk: open, document: open.keys.length });
    append(open, key, passages, Math.fround(scaleOf(passages, dimensions)), dimensions);
  }

  const chunks = () => (open.keys.length > 0 ? [...closed, open] : closed);

  /** Seals what waits, and makes one of several small chunks, or of one with much gone. */
  function tidy(): void {
    const isWorn = ({ gone, keys }: Chunk) => gone.size > keys.length * MOST_GONE;
    const isSmall = (chunk: Chunk) => rowsOf(chunk) < SMALL_CHUNK;
    const small = closed.filter(isSmall);
    const merged = [
      ...closed.filter((chunk) => isWorn(chunk) && !isSmall(chunk)),
      ...(small.length >= MOST_SMALL ? small : []),
    ];
    const sources = open.keys.length > 0 ? [...merged, open] : merged;
    if (sources.length === 0) return;
    const name = `vectors-${next++}`;
    const isWhole = merged.length === 0 && open.gone.size === 0;
    const target = isWhole ? { ...open, name } : joined(sources, name, dimensions);
    closed = [
      ...closed.filter((chunk) => !merged.includes(chunk)),
      ...(target.keys.length > 0 ? [target] : []),
    ];
    place(target);
    open = emptyChunk();
  }

  return {
    has: (key) => places.has(key),
    put,
    remove,
    keys: () => [...places.keys()],
    size: () => chunks().reduce((sum, chunk) => sum + rowsOf(chunk), 0),
    *nearestSteps(query, { most, least, isAllowed }) {
      const products = new Map<Chunk, Int32Array>();
      const found: Near[] = [];
      const threshold = createThreshold(most);
      for (const chunk of chunks()) {
        const { keys, gone } = chunk;
        const documents = keys.length; // what is added while this pauses is for the next query
        const own = yield* multiply(query, chunk);
        products.set(chunk, own);
        for (let document = 0; document < documents; document++) {
          const sum = bestSum(chunk, document, own);
          if (sum < threshold.least() || sum <= least * WHOLE || gone.has(document)) continue;
          if (isAllowed?.(keys[document]!) === false) continue;
          threshold.take(sum);
          found.push({ chunk, document, sum });
        }
      }
      const nearest = found
        .filter(({ sum }) => sum >= threshold.least())
        .sort((a, b) => b.sum - a.sum);
      return {
        nearest: nearest.slice(0, most).map(({ chunk, document }) => ({
          key: chunk.keys[document]!,
          passage: bestPassage(chunk, document, products.get(chunk)!),
        })),
        of(key, passage) {
          const place = places.get(key);
          return place
            ? nearness(place, passage, productsOf(place, query, products.get(place.chunk)))
            : 0;
        },
      };
    },
    flush() {
      tidy();
      const names = new Set(closed.flatMap(({ name }) => name ?? []));
      const blobs = closed.flatMap((chunk) =>
        chunk.name === undefined || kept.has(chunk.name)
          ? []
          : [{ name: chunk.name, bytes: chunkToBytes(chunk, dimensions) }],
      );
      const obsolete = [...kept].filter((name) => !names.has(name));
      for (const name of obsolete) kept.delete(name);
      for (const { name } of blobs) kept.add(name);
      return {
        manifest: {
          next,
          chunks: closed.map(({ name, gone }) => ({ name: name ?? '', gone: [...gone] })),
        },
        blobs,
        obsolete,
      };
    },
  };
}

let fastest: Dots | undefined;

/** The products of a query with each row of a chunk, a slice of some milliseconds in each step. */
function* multiply(query: Int8Array, chunk: Chunk): Generator<undefined, Int32Array> {
  fastest ??= createSimdDots() ?? plainDots;
  const products = new Int32Array(rowsOf(chunk));
  for (let from = 0; from < products.length; from += ROWS_AT_ONCE) {
    fastest(query, chunk.rows, products, from, Math.min(products.length, from + ROWS_AT_ONCE));
    yield;
  }
  return products;
}

/** A document that was compared: `sum` is its own product, weighed with its best passage's. */
interface Near {
  readonly chunk: Chunk;
  readonly document: number;
  readonly sum: number;
}

/** The product of two vectors that are the same. */
const WHOLE = LENGTH * LENGTH;
const DOCUMENT_SHARE = 0.7;

function weighed(document: number, passage: number): number {
  return DOCUMENT_SHARE * document + (1 - DOCUMENT_SHARE) * passage;
}

/** The product of a document's own vector, weighed with that of its best passage; 0 where it has none. */
function bestSum({ firsts, scales }: Chunk, document: number, products: Int32Array): number {
  const first = firsts[document]!;
  const end = firsts[document + 1]!;
  if (end === first) return 0;
  let best = products[first]!;
  let all = best;
  for (let row = first + 1; row < end; row++) {
    const product = products[row]!;
    all += product;
    if (product > best) best = product;
  }
  return Math.fround(weighed(all * scales[document]!, best));
}

/** The first of a document's passages with the largest product. */
function bestPassage({ firsts }: Chunk, document: number, products: Int32Array): number {
  const own = products.subarray(firsts[document], firsts[document + 1]);
  return own.indexOf(own.reduce((best, product) => Math.max(best, product), -Infinity));
}

function emptyChunk(name?: string): Chunk {
  return { name, keys: [], firsts: [0], scales: [], gone: new Set(), rows: new Int8Array() };
}

function rowsOf({ firsts }: Chunk): number {
  return firsts.at(-1)!;
}

function append(
  chunk: Chunk,
  key: string,
  rows: readonly Int8Array[],
  scale: number,
  dimensions: number,
): void {
  const before = rowsOf(chunk);
  const needed = (before + rows.length) * dimensions;
  if (needed > chunk.rows.length) {
    const larger = new Int8Array(Math.max(needed, chunk.rows.length * 2));
    larger.set(chunk.rows);
    chunk.rows = larger;
  }
  rows.forEach((row, at) => chunk.rows.set(row, (before + at) * dimensions));
  chunk.keys.push(key);
  chunk.scales.push(scale);
  chunk.firsts.push(before + rows.length);
}

/** One chunk of several, without what is gone. */
function joined(sources: readonly Chunk[], name: string, dimensions: number): Chunk {
  const target = emptyChunk(name);
  target.rows = new Int8Array(sources.reduce((sum, chunk) => sum + rowsOf(chunk), 0) * dimensions);
  for (const { keys, firsts, scales, gone, rows } of sources) {
    keys.forEach((key, document) => {
      if (gone.has(document)) return;
      const own: Int8Array[] = [];
      for (let row = firsts[document]!; row < firsts[document + 1]!; row++)
        own.push(rows.subarray(row * dimensions, (row + 1) * dimensions));
      append(target, key, own, scales[document]!, dimensions);
    });
  }
  return target;
}

function scaleOf(passages: readonly Int8Array[], dimensions: number): number {
  if (passages.length < 2) return 1;
  let square = 0;
  for (let column = 0; column < dimensions; column++)
    square += passages.reduce((sum, vector) => sum + vector[column]!, 0) ** 2;
  return square === 0 ? 0 : LENGTH / Math.sqrt(square);
}

/** The products of a document's passages: those of `all` of its chunk, or anew where it has been put elsewhere since these were made. */
function productsOf(
  { chunk, document }: Place,
  query: Int8Array,
  all: Int32Array | undefined,
): Int32Array {
  const [first, end] = [chunk.firsts[document]!, chunk.firsts[document + 1]!];
  if (all && end <= all.length) return all.subarray(first, end);
  const own = new Int32Array(end - first);
  plainDots(
    query,
    chunk.rows.subarray(first * query.length, end * query.length),
    own,
    0,
    own.length,
  );
  return own;
}

function nearness({ chunk, document }: Place, passage: number, products: Int32Array): number {
  const own = products[products.length === 1 ? 0 : passage];
  if (own === undefined) return 0;
  const sum = products.reduce((all, product) => all + product, 0);
  return weighed(sum * chunk.scales[document]!, own) / WHOLE;
}

/*
 * A chunk as bytes, little-endian: magic, checksum over what comes after it, dimensions, documents, bytes of the keys; the number of
 * rows of each document (uint 32), then the scale of each (float 32); the keys, one after another with a zero byte between; the rows.
 * Padded to a multiple of four.
 */
const MAGIC = 0x32565053; // "SPV2"
const HEADER_WORDS = 5;
const CHECKED_FROM = 8;

/** The chunk's rows lie in the bytes from then on, so that nothing is held twice. */
function chunkToBytes(chunk: Chunk, dimensions: number): Uint8Array<ArrayBuffer> {
  const keys = textToBytes(chunk.keys.join('\0'));
  const documents = chunk.keys.length;
  const rowsAt = (HEADER_WORDS + documents * 2) * 4 + keys.length;
  const used = rowsOf(chunk) * dimensions;
  const bytes = new Uint8Array(Math.ceil((rowsAt + used) / 4) * 4);
  const words = new Uint32Array(bytes.buffer, 0, HEADER_WORDS + documents);
  words.set([MAGIC, 0, dimensions, documents, keys.length]);
  chunk.keys.forEach(
    (_, document) =>
      (words[HEADER_WORDS + document] = chunk.firsts[document + 1]! - chunk.firsts[document]!),
  );
  new Float32Array(bytes.buffer, words.byteLength, documents).set(chunk.scales);
  bytes.set(keys, rowsAt - keys.length);
  const rows = new Int8Array(bytes.buffer, rowsAt, used);
  rows.set(chunk.rows.subarray(0, used));
  chunk.rows = rows;
  words[1] = runSteps(checksumSteps(bytes.subarray(CHECKED_FROM)));
  return bytes;
}

/** Undefined where the bytes are no such chunk. */
function openChunk(
  name: string,
  bytes: Uint8Array<ArrayBuffer>,
  dimensions: number,
): Chunk | undefined {
  if (bytes.length < HEADER_WORDS * 4 || bytes.length % 4 !== 0) return undefined;
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  const [magic, checksum, ownDimensions, documents = 0, keyBytes = 0] = words;
  if (
    magic !== MAGIC ||
    ownDimensions !== dimensions ||
    checksum !== runSteps(checksumSteps(bytes.subarray(CHECKED_FROM)))
  )
    return undefined;
  const keysAt = (HEADER_WORDS + documents * 2) * 4;
  const chunk = emptyChunk(name);
  if (documents > 0)
    for (const key of bytesToText(bytes.subarray(keysAt, keysAt + keyBytes)).split('\0'))
      chunk.keys.push(key);
  for (let document = 0; document < documents; document++)
    chunk.firsts.push(chunk.firsts.at(-1)! + words[HEADER_WORDS + document]!);
  for (const scale of new Float32Array(
    bytes.buffer,
    bytes.byteOffset + (HEADER_WORDS + documents) * 4,
    documents,
  ))
    chunk.scales.push(scale);
  chunk.rows = new Int8Array(
    bytes.buffer,
    bytes.byteOffset + keysAt + keyBytes,
    rowsOf(chunk) * dimensions,
  );
  return chunk;
}
