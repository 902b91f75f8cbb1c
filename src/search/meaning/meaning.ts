import { wordingOf, type SearchDocument } from '../documents.js';
import { looksEnglish } from './language.js';
import { openTable } from './table.js';
import { toUnit } from './unit.js';
import { createWordReader } from './word-pieces.js';

/** So many of the nearest documents are weighed with those found by word. */
export const NEAREST = 200;
/** What is less near, and holds no word of the query, has nothing to do with it: so near is any text to any sentence. */
export const LEAST_NEARNESS = 0.3;

/** A text is taken in parts of about this many characters, so that a long one needs little room. */
const PART = 65_536;

/** Puts what a text is about into a vector. */
export interface Embedder {
  readonly dimensions: number;
  /** Unit vector times 127, rounded; all zeros for a text without a known piece. The same text gives the same numbers on every host. */
  readonly vectorOf: (text: string) => Int8Array;
  /** Whether the text can be expected to be understood. */
  readonly isEnglish: (text: string) => boolean;
}

/** @param packed the text of assets/meaning.txt; reading it takes a tenth of a second or more, so open it once, when it is needed, off the main thread */
export function openMeaning(packed: string): Embedder {
  const { dimensions, numberOf, rows, weights } = openTable(packed);
  const read = createWordReader(numberOf);
  const sum = new Float64Array(dimensions);
  /** How often each piece stands in the text at hand, and those that do. */
  const times = new Int32Array(weights.length);
  const met: number[] = [];
  const count = (pieces: readonly number[]) => {
    for (const piece of pieces) if (times[piece]!++ === 0) met.push(piece);
  };
  return {
    dimensions,
    vectorOf(text) {
      for (const part of partsOf(text)) read(part, count);
      sum.fill(0);
      for (const piece of met) {
        addRow(sum, rows, piece * dimensions, weights[piece]! * times[piece]!);
        times[piece] = 0;
      }
      met.length = 0;
      return toUnit(sum);
    },
    isEnglish: (text) => looksEnglish(text, read),
  };
}

/** Four columns a step, which halves the time; their number is divisible by four. */
function addRow(sum: Float64Array, rows: Int8Array, at: number, weight: number): void {
  for (let column = 0; column < sum.length; column += 4) {
    sum[column]! += weight * rows[at + column]!;
    sum[column + 1]! += weight * rows[at + column + 1]!;
    sum[column + 2]! += weight * rows[at + column + 2]!;
    sum[column + 3]! += weight * rows[at + column + 3]!;
  }
}

/** So much of a document tells whether it will be understood. */
const SAMPLE = 4096;

/** The vectors of a document's passages, one in each step; none where it is not understood. */
export function* embedSteps({ vectorOf, isEnglish }: Embedder, { passages }: SearchDocument): Generator<undefined, Int8Array[]> {
  const wordings = passages.map(wordingOf);
  if (!isEnglish(wordings.join('\n').slice(0, SAMPLE))) return [];
  const vectors: Int8Array[] = [];
  for (const wording of wordings) {
    yield;
    vectors.push(vectorOf(wording));
  }
  return vectors;
}

/** The text, cut at white space. */
function* partsOf(text: string): Generator<string> {
  for (let from = 0; from < text.length;) {
    const space = text.slice(from + PART, from + 2 * PART).search(/\s/);
    const to = space < 0 ? from + 2 * PART : from + PART + space;
    yield text.slice(from, to);
    from = to;
  }
}
