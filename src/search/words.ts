/** Scripts that put no space between words: their runs are taken as pairs of characters. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}\p{Script=Myanmar}]+/u;
const WORDS = new RegExp(`${UNSPACED.source}|[\\p{L}\\p{N}\\p{M}]+`, 'gu');

/** The words of a text: compatibility forms unified, lower-cased, accents of Latin, Greek and Cyrillic taken off. */
export function wordsOf(text: string): string[] {
  const plain = text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]+/g, '')
    .normalize('NFKC')
    .toLowerCase();
  const words = plain.match(WORDS) ?? [];
  return words.flatMap((word) => (UNSPACED.test(word) ? pairsOf(word) : [word]));
}

function pairsOf(run: string): string[] {
  const characters = Array.from(run);
  return characters.length < 2 ? characters : characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}
