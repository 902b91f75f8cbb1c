import type { EmbeddingTable } from './embedding-table.js';
import type { WordCounts } from './looks-english.js';
import { toUnitVector } from './unit-vector.js';
import { createWordReader } from './word-pieces.js';

/** Nearest documents that are fused with keyword results. */
export const NEAREST_DOCS_LIMIT = 200;
/** For documents that contain no word of the query; unrelated texts are somewhat similar, too. */
export const MIN_SIMILARITY = 0.3;

/** A text is read in parts of about this many code units, which limits memory. */
const PART_LENGTH = 65_536;

export type Embedder = Readonly<ReturnType<typeof createEmbedder>>;

export function createEmbedder({ dimensions, numberOf, rows, weights }: EmbeddingTable) {
  const read = createWordReader(numberOf);
  const sum = new Float64Array(dimensions);
  const maxWeight = weights.reduce((max, weight) => Math.max(max, weight), 0);
  /** Occurrences of each piece in the current text, and the pieces that occur. */
  const times = new Int32Array(weights.length);
  const found: number[] = [];
  let counts: WordCounts = { words: 0, odd: 0, known: 0 };
  const count = (pieces: readonly number[], isWord: boolean, isPlain: boolean) => {
    for (const piece of pieces) if (times[piece]!++ === 0) found.push(piece);
    if (!isWord) return;
    counts.words++;
    if (!isPlain) counts.odd++;
    if (pieces.length === 1) counts.known++;
  };
  return {
    dimensions,
    /** Returns true for a lower-case word that the table has whole. */
    isWord: (word: string) => numberOf.has(word),
    /** Rarity of a lower-case word: near 0 if in every text, 1 if the table lacks it whole. */
    rarityOf: (word: string): number => {
      const piece = numberOf.get(word);
      return piece === undefined ? 1 : weights[piece]! / maxWeight;
    },
    /**
     * Returns a unit vector times 127, rounded, and the same on every host; zeros for a text
     * without a known word piece. Adds the text's words to `own`, for `looksEnglish`.
     */
    vectorOf: (text: string, own: WordCounts = { words: 0, odd: 0, known: 0 }): Int8Array => {
      counts = own;
      for (const part of partsOf(text)) read(part, count);
      sum.fill(0);
      for (const piece of found) {
        addRow(sum, rows, piece * dimensions, weights[piece]! * times[piece]!);
        times[piece] = 0;
      }
      found.length = 0;
      return toUnitVector(sum);
    },
  };
}

/** Four columns per iteration halve the time; the number of columns is divisible by four. */
function addRow(sum: Float64Array, rows: Int8Array, at: number, weight: number): void {
  for (let column = 0; column < sum.length; column += 4) {
    sum[column]! += weight * rows[at + column]!;
    sum[column + 1]! += weight * rows[at + column + 1]!;
    sum[column + 2]! += weight * rows[at + column + 2]!;
    sum[column + 3]! += weight * rows[at + column + 3]!;
  }
}

/** Splits a text into parts of about `PART_LENGTH` code units, at white space if possible. */
function* partsOf(text: string): Generator<string> {
  for (let from = 0; from < text.length;) {
    const space = text.slice(from + PART_LENGTH, from + 2 * PART_LENGTH).search(/\s/);
    const to = from + PART_LENGTH + (space < 0 ? PART_LENGTH : space);
    yield text.slice(from, to);
    from = to;
  }
}
