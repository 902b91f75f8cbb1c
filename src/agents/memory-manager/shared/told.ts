import { contentWords, wordsOf, type QueryWord } from '../../../search/index.js';

/** Share of a text's words that must be new for the text to add something. */
const MIN_NEW_SHARE = 0.25;
/** Words with a capital letter that do not begin a sentence, with the end of the word before. */
const NAMES = /[^\s.!?:…–-]\s["'“‘(]?(\p{Lu}[\p{L}\p{M}\p{N}]*(?:\s\p{Lu}[\p{L}\p{M}\p{N}]*)*)/gu;

/** What a reader has been told. */
export class Told {
  readonly #stems = new Set<string>();

  add(text: string): void {
    for (const { stems } of contentWordsOf(text)) for (const stem of stems) this.#stems.add(stem);
  }

  /** Returns true if a text has a number or name that nobody told, or enough other words. */
  isNew(text: string): boolean {
    const words = contentWordsOf(text);
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
