import { detectLanguage, ENGLISH, isStopWord } from '../text/languages.js';
import { tokensOf } from './word-pieces.js';

/** So much of a text tells its language. */
export const SAMPLE = 4096;
/** Fewer words than this, if they are of plain letters, are given the benefit of the doubt: names and jargon. */
const FEW_WORDS = 4;

/** How many words a text has. */
export interface WordCounts {
  words: number;
  /** Of other letters than `a` to `z`. */
  odd: number;
  /** That are in the table as they are. */
  known: number;
}

/** A guess that is right for sentences and mild with a few bare words, from the start of a text and its words. */
export function looksEnglish(sample: string, { words, odd, known }: WordCounts): boolean {
  if (words === 0) return true;
  if (odd / words > 1 / 3 || detectLanguage(sample) !== ENGLISH) return false;
  const isPlain = !/[^\P{L}a-z]/iu.test(sample);
  if (!isPlain && !tokensOf(sample).some((word) => isStopWord(word, ENGLISH))) return false;
  return known / words >= 0.5 || (isPlain && words < FEW_WORDS);
}
