import type { WordCounts } from './language.js';
import { openTableSteps } from './table.js';
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
  /**
   * Unit vector times 127, rounded; all zeros for a text without a known piece. The same text gives the same numbers on every host.
   * Its words are added to `counts`, for `looksEnglish`: whether the text can be expected to be understood.
   */
  readonly vectorOf: (text: string, counts?: WordCounts) => Int8Array;
}

/** @param packed the text of assets/meaning.txt; reading it takes a tenth of a second or more, in slices, so open it once, when it is needed */
export function* openMeaningSteps(packed: string): Generator<undefined, Embedder> {
  const { dimensions, numberOf, rows, weights } = yield* openTableSteps(packed);
  const read = createWordReader(numberOf);
  const sum = new Float64Array(dimensions);
  /** How often each piece stands in the text at hand, and those that do. */
  const times = new Int32Array(weights.length);
  const met: number[] = [];
  let counts: WordCounts = { words: 0, odd: 0, known: 0 };
  const count = (pieces: readonly number[], isWord: boolean, isPlain: boolean) => {
    for (const piece of pieces) if (times[piece]!++ === 0) met.push(piece);
    if (!isWord) return;
    counts.words++;
    if (!isPlain) counts.odd++;
    if (pieces.length === 1) counts.known++;
  };
  return {
    dimensions,
    vectorOf(text, own = { words: 0, odd: 0, known: 0 }) {
      counts = own;
      for (const part of partsOf(text)) read(part, count);
      sum.fill(0);
      for (const piece of met) {
        addRow(sum, rows, piece * dimensions, weights[piece]! * times[piece]!);
        times[piece] = 0;
      }
      met.length = 0;
      return toUnit(sum);
    },
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

/** The text, cut at white space. */
function* partsOf(text: string): Generator<string> {
  for (let from = 0; from < text.length;) {
    const space = text.slice(from + PART, from + 2 * PART).search(/\s/);
    const to = space < 0 ? from + 2 * PART : from + PART + space;
    yield text.slice(from, to);
    from = to;
  }
}
