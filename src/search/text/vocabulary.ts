import { resized } from '../../platform/bytes/bytes.js';
import { foldWord } from './characters.js';
import { isNegation } from './excluded-words.js';
import { indexedParts } from './identifiers.js';
import { isStopWord, languageOfWord, stemsOf } from './languages.js';
import { formUnits, WORD_TOKEN } from './tokenize.js';
import { WordForms } from './word-forms.js';

/** Word forms with their terms, so that each form is stemmed once. */
export class Vocabulary {
  readonly #forms = new WordForms();
  readonly #terms: string[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #parts = new Map<string, readonly number[]>();
  #first = new Int32Array(1 << 13);
  #second = new Int32Array(1 << 13);
  #stop = new Uint8Array(1 << 13);

  /** Returns the number of the form in `formUnits`. */
  formOf(length: number, hash: number, kind: number, language: number): number {
    // The language is part of the hash only, where it distinguishes forms with the same spelling.
    const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) ^ Math.imul(language + 1, 0x297a2d39);
    const known = this.#forms.size;
    const form = this.#forms.numberOf(length, mixed);
    if (form === known) this.#add(form, length, kind, language);
    return form;
  }

  /** Returns the term of a form; -1 if nothing searchable is left of it. */
  term(form: number): number {
    return this.#first[form]!;
  }

  /** Returns the second term of a form, for the spelling without accents; -1 if there is none. */
  otherTerm(form: number): number {
    return this.#second[form]!;
  }

  isStop(form: number): boolean {
    return this.#stop[form]! > 0;
  }

  /** False for stop words but negations, which phrases need. */
  hasPosition(form: number): boolean {
    return this.#stop[form] !== 1;
  }

  get terms(): readonly string[] {
    return this.#terms;
  }

  numberOf(term: string): number | undefined {
    return this.#numbers.get(term);
  }

  get size(): number {
    return this.#forms.size;
  }

  /** Adds a term unless it is known; returns its number. */
  addTerm(term: string): number {
    const known = this.#numbers.get(term);
    if (known !== undefined) return known;
    this.#numbers.set(term, this.#terms.length);
    return this.#terms.push(term) - 1;
  }

  partsOf(name: string, language: number): readonly number[] {
    const key = `${language} ${name}`;
    const known =
      this.#parts.get(key) ?? indexedParts(name).map((part) => this.addWord(part, language));
    this.#parts.set(key, known);
    return known;
  }

  /** Adds the term of a lower-case word that is no form of the text. */
  addWord(word: string, language: number): number {
    return this.addTerm(stemsOf(word, language)[0]!);
  }

  #add(form: number, length: number, kind: number, language: number): void {
    if (form === this.#first.length) {
      this.#first = resized(this.#first, form * 2);
      this.#second = resized(this.#second, form * 2);
      this.#stop = resized(this.#stop, form * 2);
    }
    const word = String.fromCharCode(...formUnits.subarray(0, length));
    const isWord = kind === WORD_TOKEN;
    const stems = isWord ? stemsOf(word, language) : [foldWord(word)];
    this.#first[form] = this.#termOf(stems[0]);
    this.#second[form] = this.#termOf(stems[1]);
    const isStop = isWord && isStopWord(word, languageOfWord(word, language));
    this.#stop[form] = isStop ? (isNegation(word) ? 2 : 1) : 0;
  }

  #termOf(stem: string | undefined): number {
    return stem ? this.addTerm(stem) : -1;
  }
}
