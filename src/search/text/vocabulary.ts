import { grown } from '../../platform/byte-writer.js';
import { foldWord } from './characters.js';
import { createForms } from './forms.js';
import { isStopWord, languageOfWord, stemsOf } from './languages.js';
import { formUnits, WORD_TOKEN } from './tokenize.js';

/** Every spelling that was met, with what it is known by: each is stemmed once. */
export interface Vocabulary {
  /** The number of the form in `formUnits`. */
  readonly formOf: (length: number, hash: number, kind: number, language: number) => number;
  /** The term of a form; -1 where nothing of it is left to search for. */
  readonly term: (form: number) => number;
  /** Its second term, for the spelling without accents; -1 where it has none. */
  readonly otherTerm: (form: number) => number;
  readonly isStop: (form: number) => boolean;
  /** The terms, by number. */
  readonly terms: readonly string[];
  readonly numberOf: (term: string) => number | undefined;
  readonly size: () => number;
}

export function createVocabulary(): Vocabulary {
  const terms: string[] = [];
  const numbers = new Map<string, number>();
  const forms = createForms();
  let first = new Int32Array(1 << 13);
  let second = new Int32Array(1 << 13);
  let stop = new Uint8Array(1 << 13);

  const take = (term: string | undefined) => {
    if (!term) return -1;
    const known = numbers.get(term);
    if (known !== undefined) return known;
    numbers.set(term, terms.length);
    return terms.push(term) - 1;
  };

  const learn = (form: number, length: number, kind: number, language: number) => {
    if (form === first.length) {
      first = grown(first, form * 2);
      second = grown(second, form * 2);
      stop = grown(stop, form * 2);
    }
    const word = String.fromCharCode(...formUnits.subarray(0, length));
    const stems = kind === WORD_TOKEN ? stemsOf(word, language) : [foldWord(word)];
    first[form] = take(stems[0]);
    second[form] = take(stems[1]);
    stop[form] = kind === WORD_TOKEN && isStopWord(word, languageOfWord(word, language)) ? 1 : 0;
  };

  return {
    formOf(length, hash, kind, language) {
      // The language goes into the hash only: two languages' forms of one spelling are told apart by it.
      const mixed =
        Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) ^ Math.imul(language + 1, 0x297a2d39);
      const known = forms.size();
      const form = forms.numberOf(length, mixed);
      if (form === known) learn(form, length, kind, language);
      return form;
    },
    term: (form) => first[form]!,
    otherTerm: (form) => second[form]!,
    isStop: (form) => stop[form] === 1,
    terms,
    numberOf: (term) => numbers.get(term),
    size: forms.size,
  };
}
