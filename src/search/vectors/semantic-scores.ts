import { scalarDotProducts } from './dot-products.js';
import { UNIT_LENGTH } from './unit-vector.js';
import type { VectorChunk } from './vector-chunk.js';

/** Semantic scores for one query, computed by the vector index. */
export interface SemanticScores {
  /** From -1 to 1; undefined if the document has no vectors. */
  readonly similarity: (key: string, passage: number) => number | undefined;
  /** Most similar documents with their best passages; they may contain none of the words. */
  readonly nearest: readonly { readonly key: string; readonly passage: number }[];
}

export interface VectorAddress {
  readonly chunk: VectorChunk;
  readonly doc: number;
}

/** Dot product of two identical vectors. */
export const MAX_PRODUCT = UNIT_LENGTH * UNIT_LENGTH;
const DOC_WEIGHT = 0.7;

function combine(docProduct: number, passageProduct: number): number {
  return DOC_WEIGHT * docProduct + (1 - DOC_WEIGHT) * passageProduct;
}

/** Combines the product of a document with that of its best passage; 0 if it has no vectors. */
export function bestProduct(
  { firstRows, scales }: VectorChunk,
  doc: number,
  products: Int32Array,
): number {
  const first = firstRows[doc]!;
  const end = firstRows[doc + 1]!;
  if (end === first) return 0;
  let best = products[first]!;
  let sum = best;
  for (let row = first + 1; row < end; row++) {
    const product = products[row]!;
    sum += product;
    if (product > best) best = product;
  }
  return Math.fround(combine(sum * scales[doc]!, best));
}

/** Returns the first of a document's passages with the largest product. */
export function bestPassage({ firstRows }: VectorChunk, doc: number, products: Int32Array): number {
  const own = products.subarray(firstRows[doc], firstRows[doc + 1]);
  return own.indexOf(own.reduce((best, product) => Math.max(best, product), -Infinity));
}

/** Products of a document's passages, from `all` of its chunk, or computed if added later. */
export function productsOf(
  { chunk, doc }: VectorAddress,
  query: Int8Array,
  all: Int32Array | undefined,
): Int32Array {
  const first = chunk.firstRows[doc]!;
  const end = chunk.firstRows[doc + 1]!;
  if (all && end <= all.length) return all.subarray(first, end);
  const own = new Int32Array(end - first);
  const rows = chunk.rows.subarray(first * query.length, end * query.length);
  scalarDotProducts(query, rows, own, 0, own.length);
  return own;
}

/** `products` are those of the document's passages. Returns 0 if there is no such passage. */
export function similarityOf(
  { chunk, doc }: VectorAddress,
  passage: number,
  products: Int32Array,
): number {
  const own = products[products.length === 1 ? 0 : passage];
  if (own === undefined) return 0;
  const sum = products.reduce((all, product) => all + product, 0);
  return combine(sum * chunk.scales[doc]!, own) / MAX_PRODUCT;
}
