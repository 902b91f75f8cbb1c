import { detectLanguage, ENGLISH, isStopWord } from '../text/languages.js';
import { tokensOf } from './word-pieces.js';

/** Code units of a text by which its language is detected. */
export const LANGUAGE_SAMPLE_LENGTH = 4096;
/** Fewer plain words are accepted even if unknown: they may be names or jargon. */
const MIN_WORDS_TO_JUDGE = 4;

export interface WordCounts {
  words: number;
  /** Words with letters other than `a` to `z`. */
  odd: number;
  /** Words that the table contains whole. */
  known: number;
}

export type Englishness = 'yes' | 'unclear' | 'no';

/** Reliable for sentences, lenient with a few words. `language`: the detected one of the text. */
export function looksEnglish(sample: string, counts: WordCounts, language?: number): boolean {
  const judged = judgeEnglish(sample, counts, language);
  return judged === 'yes' || (judged === 'unclear' && counts.words < MIN_WORDS_TO_JUDGE);
}

/** Unclear: plain letters with few known words, such as names, jargon or bare German words. */
export function judgeEnglish(
  sample: string,
  { words, odd, known }: WordCounts,
  language = detectLanguage(sample),
): Englishness {
  if (words === 0) return 'yes';
  if (odd / words > 1 / 3 || language !== ENGLISH) return 'no';
  const isPlain = !/[^\P{L}a-z]/iu.test(sample);
  if (!isPlain && !tokensOf(sample).some((word) => isStopWord(word, ENGLISH))) return 'no';
  if (known / words >= 0.5) return 'yes';
  return isPlain ? 'unclear' : 'no';
}
