import { trimEndOf } from '../../model/text/trim-end.js';
import { hashText } from '../../platform/bytes/hash.js';
import { detectLanguage, isStopWord } from './languages.js';
import { contentWords, queryWords } from './query-words.js';
import { LAST_TOKEN, tokenize } from './tokenize.js';
import type { Vocabulary } from './vocabulary.js';

/** A document's name, as a segment stores it: hashes of its text and of its terms, each 32 bits. */
export interface NameTerms {
  readonly text: number;
  /** Without stop words, unless there are only these; without repetitions. None for a heading. */
  readonly terms: readonly number[];
}

export interface NameQuery {
  readonly text: number;
  /** Per word, the terms that it may have in a name. */
  readonly words: readonly (readonly number[])[];
  /** Those of all words. */
  readonly terms: ReadonlySet<number>;
}

/** Hashes a name. Its words are mostly in the vocabulary already, because they are in the title. */
export function nameTerms(name: string, language: number, vocabulary: Vocabulary): NameTerms {
  const own = detectLanguage(name);
  const words: { term: number; isStop: boolean }[] = [];
  tokenize(name, 0, name.length, (start, end, length, hash, kind) => {
    if (kind === LAST_TOKEN) return;
    const form = vocabulary.formOf(length, hash, kind, language);
    const term = vocabulary.term(form);
    const isOwnStop = () =>
      own !== language && isStopWord(name.slice(start, end).toLowerCase(), own);
    if (term >= 0) words.push({ term, isStop: vocabulary.isStop(form) || isOwnStop() });
  });
  const terms = new Set(contentWords(words).map(({ term }) => term));
  return {
    text: textHash(name),
    terms: Array.from(terms, (term) => termHash(vocabulary.terms[term]!)),
  };
}

interface NamedText {
  readonly name: string;
  readonly text: string;
}

/** Returns the names of a document, then its headings, which are names if a query equals one. */
export function namesOf(
  names: readonly string[],
  passages: readonly (readonly NamedText[])[],
  language: number,
  vocabulary: Vocabulary,
): NameTerms[] {
  const headings = passages.flatMap((passage) =>
    passage.flatMap(({ name, text }) => (name === 'heading' ? text.split('\n') : [])),
  );
  return [
    ...names.map((name) => nameTerms(name, language, vocabulary)),
    ...Array.from(new Set(headings), (text) => ({ text: textHash(text), terms: [] })),
  ];
}

/** A second query has the parts of names in camel case, if any. `languages`: of the documents. */
export function nameQueries(query: string, languages: readonly number[]): NameQuery[] {
  const typed = queryWords(query, languages);
  const inParts = typed.flatMap((word) => word.parts ?? [word]);
  return (inParts.length > typed.length ? [typed, inParts] : [typed]).map((own) => {
    const words = contentWords(own).map(({ stems }) => stems.map(termHash));
    return { text: textHash(query), words, terms: new Set(words.flat()) };
  });
}

function termHash(term: string): number {
  return hashText(term)[0];
}

/** Ignores letter case, surrounding quotes, `.md` at the end, and differences in spaces. */
function textHash(text: string): number {
  const plain = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\s+/gu, ' ')
    .replace(/^[\s"]+/u, '');
  return hashText(trimEndOf(plain, /[\s"]/u).replace(/\.md$/, ''))[0];
}
