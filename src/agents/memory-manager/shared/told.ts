import { ENGLISH, queryWords } from '../../../search/index.js';

/** Share of a text's words that must be new for the text to add something. */
const MIN_NEW_SHARE = 0.25;

/** What a reader has been told. */
export class Told {
  readonly #stems = new Set<string>();

  add(text: string): void {
    for (const { stems } of contentWords(text)) for (const stem of stems) this.#stems.add(stem);
  }

  /** Returns true if a text has a number that nobody told, or enough other words. */
  isNew(text: string): boolean {
    const words = contentWords(text);
    const untold = words.filter(({ stems }) => !stems.some((stem) => this.#stems.has(stem)));
    return (
      untold.some(({ word }) => /\d/.test(word)) ||
      (untold.length > 0 && untold.length >= words.length * MIN_NEW_SHARE)
    );
  }
}

function contentWords(text: string) {
  const words = queryWords(text, [ENGLISH]);
  const content = words.filter(({ isStop }) => !isStop);
  return content.length > 0 ? content : words;
}
