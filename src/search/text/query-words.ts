import { foldWord } from './characters.js';
import { camelCaseParts } from './identifiers.js';
import { detectLanguage, isStopWord, stemsOf } from './languages.js';
import {
  formUnits,
  hasInnerCapital,
  LAST_TOKEN,
  ONLY_TOKEN,
  tokenize,
  PAIR_TOKEN,
  WORD_TOKEN,
} from './tokenize.js';

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
  /** True for two characters of an unspaced script, of which a word has several. */
  readonly isPair?: boolean;
  /** True for the last character of a run of an unspaced script, which ends a run in the index. */
  readonly isEnd?: boolean;
  /** The words of a name in camel case, by which it is found if it does not occur as a whole. */
  readonly parts?: readonly QueryWord[];
}

/**
 * Returns the words of a query text, in order. Each is stemmed by the rules of the given languages
 * and of the query's own language. `hasEnds`: also returns the last character of each run of an
 * unspaced script.
 */
export function queryWords(
  text: string,
  languages: readonly number[],
  hasEnds = false,
): QueryWord[] {
  const own = detectLanguage(text);
  const stopLanguages = [own, languages[0] ?? own];
  const words: QueryWord[] = [];
  const camelCase = new Map<number, readonly string[]>();
  tokenize(text, 0, text.length, (start, end, length, _hash, kind) => {
    if (kind === LAST_TOKEN && !hasEnds) return;
    const word = String.fromCharCode(...formUnits.subarray(0, length));
    const isWord = kind === WORD_TOKEN;
    const stems = isWord
      ? [...new Set([...languages, own].flatMap((language) => stemsOf(word, language)))]
      : [foldWord(word)];
    const known = stems.filter((stem) => stem !== '');
    if (known.length === 0) return;
    const isStop = isWord && stopLanguages.some((language) => isStopWord(word, language));
    const parts = hasInnerCapital ? camelCaseParts(text.slice(start, end)) : [];
    if (parts.length > 0) camelCase.set(words.length, parts);
    words.push({
      word,
      stems: known,
      isStop,
      isSingle: kind === ONLY_TOKEN,
      isPair: kind === PAIR_TOKEN,
      isEnd: kind === LAST_TOKEN,
    });
  });
  for (const [at, parts] of camelCase)
    words[at] = { ...words[at]!, parts: queryWords(parts.join(' '), languages) };
  return words;
}
