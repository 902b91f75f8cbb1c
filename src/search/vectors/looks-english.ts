import { detectLanguage, ENGLISH, isStopWord } from '../text/languages.js';
import { tokensOf } from './word-pieces.js';

/** Length, in code units, of the sample by which the language of a text is detected. */
export const LANGUAGE_SAMPLE_LENGTH = 4096;
/** Fewer words in plain letters are accepted even if unknown, because they may be names or jargon. */
const MIN_WORDS_TO_JUDGE = 4;

/** Counts of a text's words. */
export interface WordCounts {
  words: number;
  /** Words with letters other than `a` to `z`. */
  odd: number;
  /** Words that the table contains whole. */
  known: number;
}

/** Returns true if a text seems to be English. The result is reliable for sentences, and lenient with a few bare words. */
export function looksEnglish(sample: string, { words, odd, known }: WordCounts): boolean {
  if (words === 0) return true;
  if (odd / words > 1 / 3 || detectLanguage(sample) !== ENGLISH) return false;
  const isPlain = !/[^\P{L}a-z]/iu.test(sample);
  if (!isPlain && !tokensOf(sample).some((word) => isStopWord(word, ENGLISH))) return false;
  return known / words >= 0.5 || (isPlain && words < MIN_WORDS_TO_JUDGE);
}
