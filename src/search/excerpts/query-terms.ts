import { ENGLISH } from '../text/languages.js';
import { contentWords, queryWords, type QueryWord } from '../text/query-words.js';
import { wantedText } from '../query/parse-query.js';

/** Judges words and texts by an embedding table; without one, all words count the same. */
export interface Relevance {
  /** How rare a lower-case word is in general, from 0 to 1. */
  readonly rarityOf: (word: string) => number;
  /** How similar a text is in meaning to the query, from 0 to 1. */
  readonly similarityOf: (text: string) => number;
  /** How similar two lower-case words are in meaning, from 0 to 1. */
  readonly similarityOfWords: (a: string, b: string) => number;
}

export const BY_WORDS: Relevance = {
  rarityOf: () => 1,
  similarityOf: () => 0,
  similarityOfWords: () => 0,
};

export interface QueryTerm {
  readonly word: string;
  readonly stems: readonly string[];
  /** From 0 to 1; small for a word that says little, such as `get`. */
  readonly weight: number;
}

/** Words that are at least this rare in general say what a query is about. */
const MIN_RARITY = 0.77;
/** Longer words that begin with a word of the query match it if it has at least this length. */
const MIN_PREFIX_LENGTH = 4;
/** Words that are at least this similar mean the same, such as `analyses` and `analysis`. */
const MIN_SYNONYM_SIMILARITY = 0.7;

/** The words that a query asks for, without stop words and operators. */
export class QueryTerms {
  readonly terms: readonly QueryTerm[];
  readonly #similarityOf: Relevance['similarityOfWords'];

  constructor(query: string, { rarityOf, similarityOfWords }: Omit<Relevance, 'similarityOf'>) {
    this.#similarityOf = similarityOfWords;
    const byStem = new Map<string, QueryTerm>();
    for (const { word, stems } of contentWords(wordsOf(wantedText(query, [ENGLISH]))))
      byStem.set(stems[0]!, { word, stems, weight: rarityOf(word) });
    this.terms = [...byStem.values()];
  }

  /** The terms that say what the query is about: the rare ones or, if there are none, all. */
  get rare(): QueryTerm[] {
    const rare = this.terms.filter(({ weight }) => weight >= MIN_RARITY);
    return rare.length > 0 ? rare : [...this.terms];
  }

  /** Returns the share of the rare terms' weight that some terms have; 1 without rare ones. */
  rareShare(found: ReadonlySet<QueryTerm>): number {
    const { rare } = this;
    const total = weightOf(rare);
    return total === 0 ? 1 : weightOf(rare.filter((term) => found.has(term))) / total;
  }

  /** Returns the terms that a text contains, also in another form or at the start of a word. */
  in(text: string): Set<QueryTerm> {
    return this.among(wordsOf(text));
  }

  /** Like `in`, for the words of a text (`wordsOf`), so that a caller can keep those. */
  among(words: readonly QueryWord[]): Set<QueryTerm> {
    const found = new Set<QueryTerm>();
    for (const { word, stems } of words)
      for (const term of this.terms)
        if (!found.has(term) && isForm(term, word, stems)) found.add(term);
    return found;
  }

  /** Returns the terms that a text contains, as in `in`, or a word of the same meaning for. */
  meantIn(text: string): Set<QueryTerm> {
    const found = this.in(text);
    const missing = this.terms.filter((term) => !found.has(term));
    const words = missing.length > 0 ? wordsOf(text).map(({ word }) => word) : [];
    const distinct = [...new Set(words)];
    for (const term of missing) {
      const isMeant = (word: string) =>
        this.#similarityOf(term.word, word) >= MIN_SYNONYM_SIMILARITY;
      if (distinct.some(isMeant)) found.add(term);
    }
    return found;
  }
}

export function wordsOf(text: string): readonly QueryWord[] {
  return queryWords(text, [ENGLISH]);
}

export function weightOf(terms: Iterable<QueryTerm>): number {
  let sum = 0;
  for (const { weight } of terms) sum += weight;
  return sum;
}

function isForm(term: QueryTerm, word: string, stems: readonly string[]): boolean {
  if (stems.some((stem) => term.stems.includes(stem))) return true;
  return term.word.length >= MIN_PREFIX_LENGTH && word.startsWith(term.word);
}
