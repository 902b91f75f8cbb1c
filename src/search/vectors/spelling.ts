const LETTERS = Array.from('abcdefghijklmnopqrstuvwxyz');
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
    const found = editsOf(word).filter(isWord);
    return found.find(isFamiliar) ?? found[0] ?? typed;
  });
}

/** Returns the forms at one edit, those first that correct the most frequent errors. */
function editsOf(word: string): string[] {
  const swapped: string[] = [];
  const shorter: string[] = [];
  const longer: string[] = [];
  const replaced: string[] = [];
  for (let at = 1; at <= word.length; at++) {
    const before = word.slice(0, at);
    const after = word.slice(at);
    longer.push(...LETTERS.map((letter) => before + letter + after));
    if (after === '') continue;
    shorter.push(before + after.slice(1));
    replaced.push(...LETTERS.map((letter) => before + letter + after.slice(1)));
    if (after.length > 1) swapped.push(before + after.charAt(1) + after.charAt(0) + after.slice(2));
  }
  return [...swapped, ...longer, ...shorter, ...replaced];
}
