import { trimEndOf } from '../../model/text/trim-end.js';
import { hashText } from '../../platform/bytes/hash.js';
import { queryWords, type QueryWord } from './query-words.js';

/** A document's name, as a segment stores it: hashes of its text and of its terms, each 32 bits. */
export interface NameTerms {
  readonly text: number;
  /** Without stop words, unless there are only these; without repetitions. */
  readonly terms: readonly number[];
}

/** The words of a query, to be compared with names. */
export interface NameQuery {
  readonly text: number;
  /** Per word, the terms that it may have in a name. */
  readonly words: readonly (readonly number[])[];
}

export function nameTerms(name: string, language: number): NameTerms {
  const terms = contentWords(queryWords(name, [language])).map(({ stems }) => termHash(stems[0]!));
  return { text: textHash(name), terms: [...new Set(terms)] };
}

/**
 * Returns a query as it may be compared with names; a second time with the parts of names in camel
 * case, if it has any. `languages`: those of the documents.
 */
export function nameQueries(query: string, languages: readonly number[]): NameQuery[] {
  const typed = queryWords(query, languages);
  const inParts = typed.flatMap((word) => word.parts ?? [word]);
  return (inParts.length > typed.length ? [typed, inParts] : [typed]).map((words) => ({
    text: textHash(query),
    words: contentWords(words).map(({ stems }) => stems.map(termHash)),
  }));
}

function contentWords(words: readonly QueryWord[]): readonly QueryWord[] {
  const content = words.filter(({ isStop }) => !isStop);
  return content.length > 0 ? content : words;
}

function termHash(term: string): number {
  return hashText(term)[0];
}

/**
 * Ignores letter case, surrounding quotes, the ending of a note's file name, and differences in
 * spaces.
 */
function textHash(text: string): number {
  const plain = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\s+/gu, ' ')
    .replace(/^[\s"]+/u, '');
  return hashText(trimEndOf(plain, /[\s"]/u).replace(/\.md$/, ''))[0];
}
