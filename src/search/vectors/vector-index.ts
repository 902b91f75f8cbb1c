import { createTopKThreshold } from './top-k.js';
import { takeChanges, type BlobChanges } from '../blob-changes.js';
import { scalarDotProducts, type DotProducts } from './dot-products.js';
import {
  bestPassage,
  bestProduct,
  MAX_PRODUCT,
  productsOf,
  similarityOf,
  type SemanticScores,
  type VectorAddress,
} from './semantic-scores.js';
import { createSimdDotProducts } from './simd-dot-products.js';
import {
  appendDoc,
  createChunk,
  decodeChunk,
  encodeChunk,
  mergeChunks,
  rowCount,
  scaleOf,
  type VectorChunk,
} from './vector-chunk.js';

/** Persisted description of the vectors: their blobs, with the deleted documents of each. */
export interface VectorManifest {
  /** Number of the next blob. */
  readonly next: number;
  readonly chunks: readonly { readonly name: string; readonly deleted: readonly number[] }[];
}

export interface NearestOptions {
  readonly limit: number;
  /** Documents must be more similar than this, from 0 to 1. */
  readonly minSimilarity: number;
  readonly isAllowed?: ((key: string) => boolean) | undefined;
}

/** @param dimensions of each vector, divisible by eight */
export function createVectorIndex(dimensions: number, next = 0): VectorIndex {
  return new VectorIndex(dimensions, [], next);
}

/** Returns undefined if a blob is missing, damaged or of other dimensions. */
export function openVectorIndex(
  dimensions: number,
  { next, chunks }: VectorManifest,
  blobs: ReadonlyMap<string, Uint8Array<ArrayBuffer>>,
): VectorIndex | undefined {
  const opened: VectorChunk[] = [];
  for (const { name, deleted } of chunks) {
    const blob = blobs.get(name);
    const chunk = blob && decodeChunk(name, blob, dimensions);
    if (!chunk) return undefined;
    for (const doc of deleted) chunk.deleted.add(doc);
    opened.push(chunk);
  }
  return new VectorIndex(dimensions, opened, next);
}

/** Chunks with fewer rows are merged once there are `MAX_SMALL_CHUNKS` of them. */
const SMALL_CHUNK_ROWS = 8192;
const MAX_SMALL_CHUNKS = 8;
const MAX_DELETED_SHARE = 0.3;
/** Rows compared between two yields, some milliseconds' work. */
const SLICE_ROWS = 16_384;

/**
 * Vectors of documents, one per passage. A document's vector is their sum, scaled to the same
 * length, and is not stored: its product with a query follows from those of the passages.
 */
export class VectorIndex {
  readonly #dimensions: number;
  readonly #addresses = new Map<string, VectorAddress>();
  /** Names of the persisted chunks. */
  readonly #persisted: Set<string>;
  #closed: readonly VectorChunk[];
  #open = createChunk();
  #next: number;

  constructor(dimensions: number, chunks: readonly VectorChunk[], next: number) {
    this.#dimensions = dimensions;
    this.#closed = chunks;
    this.#next = next;
    this.#persisted = new Set(chunks.map(({ name }) => name));
    for (const chunk of chunks) this.#addAddresses(chunk);
  }

  has(key: string): boolean {
    return this.#addresses.has(key);
  }

  /** `passages` is empty if the language of the document is not supported. */
  put(key: string, passages: readonly Int8Array[]): void {
    this.remove(key);
    this.#addresses.set(key, { chunk: this.#open, doc: this.#open.keys.length });
    const scale = scaleOf(passages, this.#dimensions);
    appendDoc(this.#open, key, passages, scale, this.#dimensions);
  }

  remove(key: string): void {
    const found = this.#addresses.get(key);
    found?.chunk.deleted.add(found.doc);
    this.#addresses.delete(key);
  }

  keys(): string[] {
    return [...this.#addresses.keys()];
  }

  docs(): number {
    return this.#addresses.size;
  }

  /** Includes deleted vectors. */
  size(): number {
    return this.#chunks().reduce((sum, chunk) => sum + rowCount(chunk), 0);
  }

  /** Combines the cosines of the document (0.7) and the passage; some milliseconds per step. */
  *nearestSteps(
    query: Int8Array,
    { limit, minSimilarity, isAllowed }: NearestOptions,
  ): Generator<undefined, SemanticScores> {
    const products = new Map<VectorChunk, Int32Array>();
    const found: (VectorAddress & { readonly product: number })[] = [];
    const { min, add } = createTopKThreshold(limit);
    const minProduct = minSimilarity * MAX_PRODUCT;
    for (const chunk of this.#chunks()) {
      const { keys, deleted } = chunk;
      // documents that are added during a pause do not belong to this query
      const docs = keys.length;
      const own = yield* multiply(query, chunk);
      products.set(chunk, own);
      for (let doc = 0; doc < docs; doc++) {
        const product = bestProduct(chunk, doc, own);
        if (product < min() || product <= minProduct || deleted.has(doc)) continue;
        if (isAllowed?.(keys[doc]!) === false) continue;
        add(product);
        found.push({ chunk, doc, product });
      }
    }
    const nearest = found
      .filter(({ product }) => product >= min())
      .sort((a, b) => b.product - a.product);
    return {
      nearest: nearest.slice(0, limit).map(({ chunk, doc }) => ({
        key: chunk.keys[doc]!,
        passage: bestPassage(chunk, doc, products.get(chunk)!),
      })),
      similarity: (key, passage) => {
        const address = this.#addresses.get(key);
        const own = address && productsOf(address, query, products.get(address.chunk));
        return own?.length ? similarityOf(address!, passage, own) : undefined;
      },
    };
  }

  /** As `SearchIndex.flush`. */
  flush(): BlobChanges & { readonly manifest: VectorManifest } {
    this.#compact();
    const changes = takeChanges(this.#persisted, this.#closed, (chunk) =>
      encodeChunk(chunk, this.#dimensions),
    );
    const chunks = this.#closed.map(({ name, deleted }) => ({ name, deleted: [...deleted] }));
    return { manifest: { next: this.#next, chunks }, ...changes };
  }

  #chunks(): readonly VectorChunk[] {
    return this.#open.keys.length > 0 ? [...this.#closed, this.#open] : this.#closed;
  }

  #addAddresses(chunk: VectorChunk): void {
    chunk.keys.forEach((key, doc) => {
      if (!chunk.deleted.has(doc)) this.#addresses.set(key, { chunk, doc });
    });
  }

  /** Closes the open chunk; merges it with large fragmented chunks, and with many small ones. */
  #compact(): void {
    const small = this.#closed.filter(isSmall);
    const merged = [
      ...this.#closed.filter((chunk) => isFragmented(chunk) && !isSmall(chunk)),
      ...(small.length >= MAX_SMALL_CHUNKS ? small : []),
    ];
    const open = this.#open;
    const sources = open.keys.length > 0 ? [...merged, open] : merged;
    if (sources.length === 0) return;
    const name = `vectors-${this.#next++}`;
    const isUnchanged = merged.length === 0 && open.deleted.size === 0;
    const target = isUnchanged ? { ...open, name } : mergeChunks(sources, name, this.#dimensions);
    this.#closed = [
      ...this.#closed.filter((chunk) => !merged.includes(chunk)),
      ...(target.keys.length > 0 ? [target] : []),
    ];
    this.#addAddresses(target);
    this.#open = createChunk();
  }
}

function isSmall(chunk: VectorChunk): boolean {
  return rowCount(chunk) < SMALL_CHUNK_ROWS;
}

function isFragmented({ deleted, keys }: VectorChunk): boolean {
  return deleted.size > keys.length * MAX_DELETED_SHARE;
}

let fastest: DotProducts | undefined;

/** Computes the products with each row. */
function* multiply(query: Int8Array, chunk: VectorChunk): Generator<undefined, Int32Array> {
  fastest ??= createSimdDotProducts() ?? scalarDotProducts;
  const products = new Int32Array(rowCount(chunk));
  for (let from = 0; from < products.length; from += SLICE_ROWS) {
    fastest(query, chunk.rows, products, from, Math.min(products.length, from + SLICE_ROWS));
    yield;
  }
  return products;
}
