import { formsAtOneEdit } from '../text/edits.js';

/** A shorter word has too many others at one edit. */
const MIN_LENGTH = 5;
/** A longer word has no correction, but many edits. */
const MAX_LENGTH = 40;

/**
 * Corrects unknown words by one edit to a known word; a swap of neighbouring letters is one. The
 * first letter is kept, as people rarely get it wrong. Words without a correction stay.
 * @param isWord Returns true for a lower-case word that the embedding table has whole.
 * @param isFamiliar Returns true for a word that occurs in what is searched.
 */
export function correctSpelling(
  query: string,
  isWord: (word: string) => boolean,
  isFamiliar: (word: string) => boolean,
): string {
  return query.replace(/[\p{L}\p{M}\p{N}]+/gu, (typed) => {
    const word = typed.toLowerCase();
    if (word.length < MIN_LENGTH || word.length > MAX_LENGTH || !/^[a-z]+$/.test(word))
      return typed;
    if (isWord(word) || isFamiliar(word)) return typed;
    const found = formsAtOneEdit(word, 1).filter(isWord);
    return found.find(isFamiliar) ?? found[0] ?? typed;
  });
}
