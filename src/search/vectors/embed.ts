import { ENGLISH } from '../text/languages.js';
import { passageText, type SearchDocument } from '../documents/documents.js';
import { languageOf } from '../documents/language.js';
import type { EmbedderSource } from './embedder-source.js';
import { judgeEnglish, LANGUAGE_SAMPLE_LENGTH, looksEnglish } from './looks-english.js';
import { correctSpelling } from './spelling.js';
import type { SearchIndex } from '../search-index.js';

/** Embeds a passage per step; returns no vectors if the language is not supported. */
export function* embedDocumentSteps(
  source: EmbedderSource,
  { passages }: SearchDocument,
): Generator<undefined, Int8Array[]> {
  const { vectorOf } = yield* source.openSteps();
  const vectors: Int8Array[] = [];
  const counts = { words: 0, odd: 0, known: 0 };
  let sample = '';
  for (const passage of passages) {
    yield;
    const text = passageText(passage);
    const isSampled = sample.length >= LANGUAGE_SAMPLE_LENGTH;
    vectors.push(isSampled ? vectorOf(text) : vectorOf(text, counts));
    if (isSampled) continue;
    sample += `${text}\n`;
    const isEnough = sample.length >= LANGUAGE_SAMPLE_LENGTH || vectors.length === passages.length;
    if (
      isEnough &&
      !looksEnglish(sample.slice(0, LANGUAGE_SAMPLE_LENGTH), counts, languageOf(passages))
    )
      return [];
  }
  return vectors;
}

export interface SearchedTexts {
  readonly isMostlyEnglish: boolean;
  /** Returns true if a lower-case word occurs. */
  readonly hasWord: (word: string) => boolean;
  /** Returns a query without operators and excluded words. */
  readonly wantedIn: (query: string) => string;
}

/** `isUnclear`: the language cannot be told, and the documents are English. */
export interface QueryVector {
  readonly vector: Int8Array;
  readonly isUnclear: boolean;
}

/**
 * Embeds a query, with its spelling corrected. Returns undefined if it has no known word, is half
 * code or numbers, or is not English.
 */
export function* embedQuerySteps(
  source: EmbedderSource,
  typed: string,
  { isMostlyEnglish, hasWord, wantedIn }: SearchedTexts,
): Generator<undefined, QueryVector | undefined> {
  const query = wantedIn(typed);
  if (isMostlyCode(query)) return undefined;
  const { vectorOf, isWord } = yield* source.openSteps();
  const corrected = correctSpelling(query, isWord, hasWord);
  const counts = { words: 0, odd: 0, known: 0 };
  const vector = vectorOf(corrected, counts);
  const judged = judgeEnglish(corrected.slice(0, LANGUAGE_SAMPLE_LENGTH), counts);
  const isAccepted = judged === 'yes' || (judged === 'unclear' && isMostlyEnglish);
  const isKnown = vector.some((value) => value !== 0) && isAccepted;
  return isKnown ? { vector, isUnclear: judged === 'unclear' } : undefined;
}

/** A number, a version, a path, a call, an option, or a name that is joined from words. */
const CODE =
  /\p{N}|[\\/_(){}[\]<>=$@|~^*+%`]|[\p{L}][.:]{1,2}\p{L}|\p{Ll}\p{Lu}|^-|^\p{Lu}\p{L}*-\p{Lu}/u;

function isMostlyCode(query: string): boolean {
  const tokens = query.split(/\s+/).filter((token) => /[\p{L}\p{N}]/u.test(token));
  return tokens.filter((token) => CODE.test(token)).length * 2 >= Math.max(1, tokens.length);
}

export function searchedTextsOf(index: SearchIndex): SearchedTexts {
  return {
    isMostlyEnglish: index.isMostlyIn(ENGLISH),
    hasWord: (word) => index.hasWord(word, ENGLISH),
    wantedIn: (query) => index.wantedText(query, ENGLISH),
  };
}
