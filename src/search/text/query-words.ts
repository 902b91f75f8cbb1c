import { foldWord } from './characters.js';
import { detectLanguage, isStopWord, stemsOf } from './languages.js';
import { formUnits, LAST_TOKEN, ONLY_TOKEN, tokenize, WORD_TOKEN } from './tokenize.js';

/** A word of a query. */
export interface QueryWord {
  /** As typed, in lower case. */
  readonly word: string;
  /** Terms that it may have in the index, at most two per language. */
  readonly stems: readonly string[];
  readonly isStop: boolean;
  /**
   * True for a single character of an unspaced script, which the index mostly contains as the first
   * of a pair.
   */
  readonly isSingle: boolean;
}

/**
 * Returns the words of a query text, in order. Each is stemmed by the rules of the given languages
 * and of the query's own language.
 */
export function queryWords(text: string, languages: readonly number[]): QueryWord[] {
  const own = detectLanguage(text);
  const stopLanguages = [own, languages[0] ?? own];
  const words: QueryWord[] = [];
  tokenize(text, 0, text.length, (_start, _end, length, _hash, kind) => {
    if (kind === LAST_TOKEN) return;
    const word = String.fromCharCode(...formUnits.subarray(0, length));
    const isWord = kind === WORD_TOKEN;
    const stems = isWord
      ? [...new Set([...languages, own].flatMap((language) => stemsOf(word, language)))]
      : [foldWord(word)];
    const known = stems.filter((stem) => stem !== '');
    if (known.length === 0) return;
    const isStop = isWord && stopLanguages.some((language) => isStopWord(word, language));
    words.push({ word, stems: known, isStop, isSingle: kind === ONLY_TOKEN });
  });
  return words;
}
