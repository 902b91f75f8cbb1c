/** Longer words are not cut into pieces: BERT's own limit, in characters. */
const LONGEST_WORD = 100;
/** Words whose pieces are remembered; when so many are, all are forgotten. */
const REMEMBERED_WORDS = 20_000;
/** Longer words are not remembered: as keys they might keep the whole text alive that they were cut from. */
const LONGEST_REMEMBERED = 12;

const IGNORED = /[^\P{C}\t\n\r]|\ufffd/gu;
const MARKS = /\p{Mn}/gu;
/** What stands alone: punctuation, what BERT takes for it, and ideographs. Everything else runs up to white space. */
const ALONE = '\\p{P}$+<=>^`|~\\u4e00-\\u9fff\\u3400-\\u4dbf\\u{20000}-\\u{2a6df}\\u{2a700}-\\u{2ceaf}\\uf900-\\ufaff\\u{2f800}-\\u{2fa1f}';
const TOKENS = new RegExp(`[${ALONE}]|[^\\s${ALONE}]+`, 'gu');

/** Most texts are plain, and then the same is done in a fraction of the time. */
const IS_PLAIN = /^[\t\n\r -~]*$/;
const PLAIN_TOKENS = /[a-z0-9]+|[^\sa-z0-9]/g;

/** The numbers of a text's word pieces, by the rules of BERT's uncased tokenizer, without its special tokens. */
export type WordPieces = (text: string) => number[];

/**
 * @param numberOf pieces and their numbers; one that goes on within a word begins with `##`
 * @param unknown the number that stands for a word that cannot be put together from pieces; without it such a word is left out
 */
export function createWordPieces(numberOf: ReadonlyMap<string, number>, unknown?: number): WordPieces {
  const remembered = new Map<string, readonly number[]>();
  const forUnknown = unknown === undefined ? [] : [unknown];

  const cut = (word: string): readonly number[] => {
    const known = remembered.get(word);
    if (known) return known;
    const pieces = word.length > LONGEST_WORD ? undefined : piecesOf(word, numberOf);
    if (word.length <= LONGEST_REMEMBERED) {
      if (remembered.size >= REMEMBERED_WORDS) remembered.clear();
      remembered.set(word, pieces ?? forUnknown);
    }
    return pieces ?? forUnknown;
  };

  return (text) => {
    const pieces: number[] = [];
    for (const word of tokensOf(text)) for (const piece of cut(word)) pieces.push(piece);
    return pieces;
  };
}

/** Lower-cased words, marks and ideographs, accents taken off. */
export function tokensOf(text: string): string[] {
  if (IS_PLAIN.test(text)) return text.toLowerCase().match(PLAIN_TOKENS) ?? [];
  return text.replace(IGNORED, '').normalize('NFD').replace(MARKS, '').toLowerCase().match(TOKENS) ?? [];
}

/** The longest piece that fits, again and again; undefined where none does. */
function piecesOf(word: string, numberOf: ReadonlyMap<string, number>): number[] | undefined {
  const pieces: number[] = [];
  for (let start = 0; start < word.length;) {
    const mark = start > 0 ? '##' : '';
    let end = word.length;
    let piece = numberOf.get(mark + word.slice(start, end));
    while (piece === undefined && --end > start) piece = numberOf.get(mark + word.slice(start, end));
    if (piece === undefined) return undefined;
    pieces.push(piece);
    start = end;
  }
  return pieces;
}
