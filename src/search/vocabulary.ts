import { foldWord } from './characters.js';
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
  let slots = new Int32Array(1 << 14).fill(-1);
  let units = new Uint16Array(1 << 17);
  let unitsEnd = 0;
  let starts = new Int32Array(1 << 13);
  let hashes = new Int32Array(1 << 13);
  let first = new Int32Array(1 << 13);
  let second = new Int32Array(1 << 13);
  let stop = new Uint8Array(1 << 13);
  let count = 0;

  const take = (term: string | undefined) => {
    if (!term) return -1;
    const known = numbers.get(term);
    if (known !== undefined) return known;
    numbers.set(term, terms.length);
    return terms.push(term) - 1;
  };

  const grow = () => {
    const more = starts.length * 2;
    starts = grown(starts, more);
    hashes = grown(hashes, more);
    first = grown(first, more);
    second = grown(second, more);
    stop = grown(stop, more);
    slots = new Int32Array(more * 2).fill(-1);
    for (let form = 0; form < count; form++) slots[freeSlot(hashes[form]!)] = form;
  };

  const freeSlot = (hash: number) => {
    let slot = hash & (slots.length - 1);
    while (slots[slot]! >= 0) slot = (slot + 1) & (slots.length - 1);
    return slot;
  };

  const isForm = (form: number, hash: number, length: number) => {
    const start = starts[form]!;
    if (hashes[form] !== hash || (form + 1 < count ? starts[form + 1]! : unitsEnd) - start !== length) return false;
    for (let at = 0; at < length; at++) if (units[start + at] !== formUnits[at]) return false;
    return true;
  };

  const add = (slot: number, length: number, hash: number, kind: number, language: number) => {
    if (unitsEnd + length > units.length) units = grown(units, units.length * 2);
    const form = count++;
    starts[form] = unitsEnd;
    hashes[form] = hash;
    units.set(formUnits.subarray(0, length), unitsEnd);
    unitsEnd += length;
    slots[slot] = form;
    const word = String.fromCharCode(...formUnits.subarray(0, length));
    const stems = kind === WORD_TOKEN ? stemsOf(word, language) : [foldWord(word)];
    first[form] = take(stems[0]);
    second[form] = take(stems[1]);
    stop[form] = kind === WORD_TOKEN && isStopWord(word, languageOfWord(word, language)) ? 1 : 0;
    if (count === starts.length) grow();
    return form;
  };

  return {
    formOf(length, hash, kind, language) {
      // The language goes into the hash only: two languages' forms of one spelling meet in one slot chain, told apart by it.
      const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) ^ Math.imul(language + 1, 0x297a2d39);
      let slot = mixed & (slots.length - 1);
      for (let form = slots[slot]!; form >= 0; form = slots[slot]!) {
        if (isForm(form, mixed, length)) return form;
        slot = (slot + 1) & (slots.length - 1);
      }
      return add(slot, length, mixed, kind, language);
    },
    term: (form) => first[form]!,
    otherTerm: (form) => second[form]!,
    isStop: (form) => stop[form] === 1,
    terms,
    numberOf: (term) => numbers.get(term),
    size: () => count,
  };
}

/** The same numbers with room for more. */
export function grown<T extends Uint8Array | Uint16Array | Int32Array>(array: T, length: number): T {
  const larger = new (array.constructor as new (length: number) => T)(length);
  larger.set(array);
  return larger;
}
