import { detectLanguage, ENGLISH, isStopWord } from '../languages.js';
import { tokensOf, type WordReader } from './word-pieces.js';

/** So much of a text tells its language. */
const SAMPLE = 4096;
/** Fewer words than this, if they are of plain letters, are given the benefit of the doubt: names and jargon. */
const FEW_WORDS = 4;

/** A guess that is right for sentences and mild with a few bare words; `read` knows the words of the table: they are of one piece. */
export function looksEnglish(text: string, read: WordReader): boolean {
  const sample = text.slice(0, SAMPLE);
  let [words, odd, known] = [0, 0, 0];
  read(sample, (pieces, isWord, isPlain) => {
    if (!isWord) return;
    words++;
    if (!isPlain) odd++;
    if (pieces.length === 1) known++;
  });
  if (words === 0) return true;
  if (odd / words > 1 / 3 || detectLanguage(sample) !== ENGLISH) return false;
  const isPlain = !/[^\P{L}a-z]/iu.test(sample);
  if (!isPlain && !tokensOf(sample).some((word) => isStopWord(word, ENGLISH))) return false;
  return known / words >= 0.5 || (isPlain && words < FEW_WORDS);
}
