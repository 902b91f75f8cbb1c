import { createForms } from '../text/forms.js';
import { formUnits } from '../text/tokenize.js';

/** Longer words are not cut into pieces: BERT's own limit, in characters. */
const LONGEST_WORD = 100;
/** Words whose pieces are remembered; when so many are, all are forgotten. */
const REMEMBERED_WORDS = 20_000;
/** Longer words are not remembered. */
const LONGEST_REMEMBERED = formUnits.length;

const IGNORED = /[^\P{C}\t\n\r]|\ufffd/gu;
const MARKS = /\p{Mn}/gu;
/** What stands alone: punctuation, what BERT takes for it, and ideographs. Everything else runs up to white space. */
const ALONE =
  '\\p{P}$+<=>^`|~\\u4e00-\\u9fff\\u3400-\\u4dbf\\u{20000}-\\u{2a6df}\\u{2a700}-\\u{2ceaf}\\uf900-\\ufaff\\u{2f800}-\\u{2fa1f}';
const TOKENS = new RegExp(`[${ALONE}]|[^\\s${ALONE}]+`, 'gu');

/** Called for each word, mark and ideograph of a text, in order. */
export type WordVisitor = (
  /** The numbers of its pieces, by the rules of BERT's uncased tokenizer. */
  pieces: readonly number[],
  /** Whether there is a letter in it. */
  isWord: boolean,
  /** Whether it is of nothing but `a` to `z` and digits. */
  isPlain: boolean,
) => void;

/** Visits the words of a text, without BERT's special tokens. */
export type WordReader = (text: string, visit: WordVisitor) => void;

/**
 * @param numberOf pieces and their numbers; one that goes on within a word begins with `##`
 * @param forUnknown the pieces of a word that cannot be put together from pieces
 */
export function createWordReader(
  numberOf: ReadonlyMap<string, number>,
  forUnknown: readonly number[] = [],
): WordReader {
  let forms = createForms();
  /** Of each form. */
  let remembered: (readonly number[])[] = [];

  const cut = (word: string): readonly number[] =>
    (word.length > LONGEST_WORD ? undefined : piecesOf(word, numberOf)) ?? forUnknown;

  /** Of the word in `formUnits`. */
  const recall = (length: number, hash: number): readonly number[] => {
    if (forms.size() >= REMEMBERED_WORDS) {
      forms = createForms();
      remembered = [];
    }
    const form = forms.numberOf(length, hash);
    return (remembered[form] ??= cut(String.fromCharCode(...formUnits.subarray(0, length))));
  };

  /** Of each plain character that stands alone. */
  const alone = Array.from({ length: 128 }, (_, unit) => cut(String.fromCharCode(unit)));

  /** A part of a text that is plain. */
  const readPlain = (text: string, from: number, to: number, visit: WordVisitor) => {
    for (let at = from; at < to;) {
      const unit = text.charCodeAt(at);
      if (LOWER[unit] === 0) {
        if (unit > SPACE) visit(alone[unit]!, false, false);
        at++;
        continue;
      }
      const start = at;
      let hash = 0;
      let highest = 0;
      for (; at < to; at++) {
        const small = LOWER[text.charCodeAt(at)]!;
        if (small === 0) break;
        if (at - start < LONGEST_REMEMBERED) formUnits[at - start] = small;
        hash = Math.imul(hash ^ small, HASH_FACTOR);
        if (small > highest) highest = small;
      }
      const length = at - start;
      const pieces =
        length > LONGEST_REMEMBERED
          ? cut(text.slice(start, at).toLowerCase())
          : recall(length, hash);
      visit(pieces, highest >= FIRST_LETTER, true);
    }
  };

  const readOther = (text: string, visit: WordVisitor) => {
    for (const word of tokensOf(text)) visit(cut(word), LETTER.test(word), !NOT_PLAIN.test(word));
  };

  return (text, visit) => {
    if (IS_PLAIN.test(text)) {
      readPlain(text, 0, text.length, visit);
      return;
    }
    // Between white space each part is one or the other.
    for (let at = 0; at < text.length; at++) {
      const start = at;
      let isPlain = true;
      for (; at < text.length && !isSpace(text.charCodeAt(at)); at++)
        isPlain &&= isPlainUnit(text.charCodeAt(at));
      if (isPlain) readPlain(text, start, at, visit);
      else readOther(text.slice(start, at), visit);
    }
  };
}

/** The numbers of a text's word pieces. */
export type WordPieces = (text: string) => number[];

/** @param unknown the number that stands for a word that cannot be put together from pieces; without it such a word is left out */
export function createWordPieces(
  numberOf: ReadonlyMap<string, number>,
  unknown?: number,
): WordPieces {
  const read = createWordReader(numberOf, unknown === undefined ? [] : [unknown]);
  return (text) => {
    const all: number[] = [];
    read(text, (pieces) => all.push(...pieces));
    return all;
  };
}

/** Most texts are plain, and then the same is done in a fraction of the time. */
const IS_PLAIN = /^[\t\n\r -~]*$/;
const LETTER = /\p{L}/u;
const NOT_PLAIN = /[^a-z0-9]/;
const FIRST_LETTER = 0x61;

const SPACE = 0x20;

function isPlainUnit(unit: number): boolean {
  return unit > SPACE && unit < 0x7f;
}

/** Of the characters below a space others than these are left out. */
function isSpace(unit: number): boolean {
  return unit === SPACE || unit === 0x0a || unit === 0x09 || unit === 0x0d;
}

const HASH_FACTOR = 0x01000193;
/** Of each plain letter and digit its lower case; 0 of everything else. */
const LOWER = Uint8Array.from({ length: 128 }, (_, unit) => {
  const character = String.fromCharCode(unit).toLowerCase();
  return /[a-z0-9]/.test(character) ? character.charCodeAt(0) : 0;
});

/** Lower-cased words, marks and ideographs, accents taken off. */
export function tokensOf(text: string): string[] {
  return (
    text.replace(IGNORED, '').normalize('NFD').replace(MARKS, '').toLowerCase().match(TOKENS) ?? []
  );
}

/** The longest piece that fits, again and again; undefined where none does. */
function piecesOf(word: string, numberOf: ReadonlyMap<string, number>): number[] | undefined {
  const pieces: number[] = [];
  for (let start = 0; start < word.length;) {
    const mark = start > 0 ? '##' : '';
    let end = word.length;
    let piece = numberOf.get(mark + word.slice(start, end));
    while (piece === undefined && --end > start)
      piece = numberOf.get(mark + word.slice(start, end));
    if (piece === undefined) return undefined;
    pieces.push(piece);
    start = end;
  }
  return pieces;
}
