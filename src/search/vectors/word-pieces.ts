import { formUnits } from '../text/tokenize.js';
import { WordForms } from '../text/word-forms.js';

/** Maximum length, in characters, of a word that is cut into pieces; the same limit as BERT's. */
const MAX_WORD_LENGTH = 100;
/** The cache is cleared when it has this many words. */
const MAX_CACHED_WORDS = 20_000;
/** Longer words are not cached. */
const MAX_CACHED_LENGTH = formUnits.length;

const IGNORED = /[^\P{C}\t\n\r]|\ufffd/gu;
const MARKS = /\p{Mn}/gu;
/** Tokens of their own: punctuation (as in BERT) and ideographs. Others end there or at a space. */
const SINGLE =
  '\\p{P}$+<=>^`|~\\u4e00-\\u9fff\\u3400-\\u4dbf\\u{20000}-\\u{2a6df}\\u{2a700}-\\u{2ceaf}\\uf900-\\ufaff\\u{2f800}-\\u{2fa1f}';
const TOKENS = new RegExp(`[${SINGLE}]|[^\\s${SINGLE}]+`, 'gu');

/** Receives each word, punctuation mark and ideograph of a text, in order. */
export type WordVisitor = (
  /** Numbers of its pieces, by the rules of BERT's uncased tokenizer. */
  pieces: readonly number[],
  /** True if it contains a letter. */
  isWord: boolean,
  /** True if it consists of `a` to `z` and digits only. */
  isPlain: boolean,
) => void;

/** Leaves out BERT's special tokens. */
export type WordReader = (text: string, visit: WordVisitor) => void;

/**
 * @param numberOf Numbers of the pieces. A piece that continues a word begins with `##`.
 * @param forUnknown Pieces for a word that is not composed of known pieces.
 */
export function createWordReader(
  numberOf: ReadonlyMap<string, number>,
  forUnknown: readonly number[] = [],
): WordReader {
  let forms = new WordForms();
  /** Pieces of each form. */
  let cached: (readonly number[])[] = [];

  const cut = (word: string): readonly number[] =>
    (word.length > MAX_WORD_LENGTH ? undefined : piecesOf(word, numberOf)) ?? forUnknown;

  /** Returns the pieces of the word in `formUnits`. */
  const cachedPieces = (length: number, hash: number): readonly number[] => {
    if (forms.size >= MAX_CACHED_WORDS) {
      forms = new WordForms();
      cached = [];
    }
    const form = forms.numberOf(length, hash);
    cached[form] ??= cut(String.fromCharCode(...formUnits.subarray(0, length)));
    return cached[form];
  };

  /** Pieces of each ASCII character, for those that are tokens by themselves. */
  const single = Array.from({ length: 128 }, (_, unit) => cut(String.fromCharCode(unit)));

  /** Reads a part of a text that is plain ASCII. */
  const readPlain = (text: string, from: number, to: number, visit: WordVisitor) => {
    for (let at = from; at < to;) {
      const unit = text.charCodeAt(at);
      if (LOWER[unit] === 0) {
        if (unit > SPACE) visit(single[unit]!, false, false);
        at++;
        continue;
      }
      const start = at;
      let hash = 0;
      let highest = 0;
      for (; at < to; at++) {
        const small = LOWER[text.charCodeAt(at)]!;
        if (small === 0) break;
        if (at - start < MAX_CACHED_LENGTH) formUnits[at - start] = small;
        hash = Math.imul(hash ^ small, HASH_FACTOR);
        if (small > highest) highest = small;
      }
      const length = at - start;
      const pieces =
        length > MAX_CACHED_LENGTH
          ? cut(text.slice(start, at).toLowerCase())
          : cachedPieces(length, hash);
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
    // Each part between white space is either plain or not.
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

/** Matches plain ASCII text. Most texts are plain and take the fast path. */
const IS_PLAIN = /^[\t\n\r -~]*$/;
const LETTER = /\p{L}/u;
const NOT_PLAIN = /[^a-z0-9]/;
const FIRST_LETTER = 0x61;

const SPACE = 0x20;

function isPlainUnit(unit: number): boolean {
  return unit > SPACE && unit < 0x7f;
}

/** Returns true for white space; other characters below a space are ignored. */
function isSpace(unit: number): boolean {
  return unit === SPACE || unit === 0x0a || unit === 0x09 || unit === 0x0d;
}

const HASH_FACTOR = 0x01000193;
/** Lower case of each plain letter and digit; 0 for everything else. */
const LOWER = Uint8Array.from({ length: 128 }, (_, unit) => {
  const character = String.fromCharCode(unit).toLowerCase();
  return /[a-z0-9]/.test(character) ? character.charCodeAt(0) : 0;
});

/** Returns words, punctuation marks and ideographs, in lower case and without accents. */
export function tokensOf(text: string): string[] {
  return (
    text.replace(IGNORED, '').normalize('NFD').replace(MARKS, '').toLowerCase().match(TOKENS) ?? []
  );
}

/** Takes the longest pieces greedily. Returns undefined if none fits at some point. */
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
