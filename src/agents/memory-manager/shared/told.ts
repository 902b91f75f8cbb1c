import { contentWords, wordsOf, type QueryWord } from '../../../search/index.js';

/** Share of a text's words that must be new for the text to add something. */
const MIN_NEW_SHARE = 0.25;
/** Words with a capital letter that do not begin a sentence, with the end of the word before. */
const NAMES = /[^\s.!?:…–-]\s["'“‘(]?(\p{Lu}[\p{L}\p{M}\p{N}]*(?:\s\p{Lu}[\p{L}\p{M}\p{N}]*)*)/gu;

/** What a reader has been told. */
export class Told {
  readonly #stems = new Set<string>();

  /** Tells a text. Returns true if it has an untold number or name, or enough new words. */
  add(text: string): boolean {
    const words = contentWordsOf(text);
    const adds = this.#isNew(text, words);
    for (const { stems } of words) for (const stem of stems) this.#stems.add(stem);
    return adds;
  }

  #isNew(text: string, words: readonly QueryWord[]): boolean {
    const names = [...text.matchAll(NAMES)].map(([, name]) => name);
    const untold = words.filter((word) => this.#isUntold(word));
    return (
      untold.some(({ word }) => /\d/.test(word)) ||
      (untold.length > 0 && untold.length >= words.length * MIN_NEW_SHARE) ||
      contentWordsOf(names.join(' ')).some((word) => this.#isUntold(word))
    );
  }

  #isUntold({ stems }: QueryWord): boolean {
    return !stems.some((stem) => this.#stems.has(stem));
  }
}

/** Returns the words of a text without stop words, if it has others. */
export function contentWordsOf(text: string): readonly QueryWord[] {
  return contentWords(wordsOf(text));
}
