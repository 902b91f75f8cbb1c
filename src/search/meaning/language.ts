import { detectLanguage, ENGLISH, isStopWord } from '../languages.js';
import { tokensOf } from './word-pieces.js';

/** So much of a text tells its language. */
const SAMPLE = 4096;
/** Fewer words than this, if they are of plain letters, are given the benefit of the doubt: names and jargon. */
const FEW_WORDS = 4;

/** A guess that is right for sentences and mild with a few bare words. `isKnown` says whether a word is one of the table's own. */
export function looksEnglish(text: string, isKnown: (word: string) => boolean): boolean {
  const sample = text.slice(0, SAMPLE);
  const words = tokensOf(sample).filter((token) => /\p{L}/u.test(token));
  const share = (test: (word: string) => boolean) => words.filter(test).length / words.length;
  if (words.length === 0) return true;
  if (share((word) => /[^a-z0-9]/.test(word)) > 1 / 3 || detectLanguage(sample) !== ENGLISH) return false;
  const isPlain = !/[^\P{L}a-z]/iu.test(sample);
  if (!isPlain && !words.some((word) => isStopWord(word, ENGLISH))) return false;
  return share(isKnown) >= 0.5 || (isPlain && words.length < FEW_WORDS);
}
