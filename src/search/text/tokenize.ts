import {
  characterTables,
  HIGH_SURROGATE,
  IGNORED,
  SEPARATOR,
  UNSPACED,
  WORD,
} from './characters.js';

/** A longer word is cut to this many code units. */
const MAX_FORM_LENGTH = 64;

/** Code units of the current token in lower case, valid only inside `visit`. */
export const formUnits = new Uint16Array(MAX_FORM_LENGTH);

/** A word, a pair of unspaced characters, or the last or only one of a run of them. */
export const WORD_TOKEN = 0;
export const PAIR_TOKEN = 1;
export const LAST_TOKEN = 2;
export const ONLY_TOKEN = 3;

/** Returns the term for the start of a run of unspaced characters, if a token is its first pair. */
export function runStartAt(text: string, start: number, kind: number): string | undefined {
  if (kind !== PAIR_TOKEN) return undefined;
  const before = text.charCodeAt(start - 1);
  const isLowSurrogate = (before & 0xfc00) === 0xdc00;
  if (isLowSurrogate || characterTables().classes[before] === UNSPACED) return undefined;
  return `^${String.fromCodePoint(text.codePointAt(start)!)}`;
}

/** True if the current token has a capital after its first unit, valid only inside `visit`. */
export let hasInnerCapital = false;

/** Receives offsets in the text, the number of units in `formUnits`, their hash, and the kind. */
export type TokenVisitor = (
  start: number,
  end: number,
  length: number,
  hash: number,
  kind: number,
) => void;

const HASH_START = 0x811c9dc5;
const HASH_FACTOR = 0x01000193;

/** Visits the tokens of `text` between two offsets, in order. Allocates nothing per token. */
export function tokenize(text: string, from: number, to: number, visit: TokenVisitor): void {
  const { classes, lower } = characterTables();
  let at = from;
  while (at < to) {
    const kind = classes[text.charCodeAt(at)]!;
    if (kind === WORD) {
      const start = at;
      let length = 0;
      let hash = HASH_START;
      hasInnerCapital = false;
      for (; at < to; at++) {
        const unit = text.charCodeAt(at);
        const next = classes[unit]!;
        if (next === IGNORED) continue;
        if (next !== WORD) break;
        if (length === MAX_FORM_LENGTH) continue;
        const small = lower[unit]!;
        if (small !== unit && length > 0) hasInnerCapital = true;
        formUnits[length++] = small;
        hash = Math.imul(hash ^ small, HASH_FACTOR);
      }
      visit(start, at, length, hash, WORD_TOKEN);
    } else if (kind === SEPARATOR || kind === IGNORED) at++;
    else at = visitRun(text, at, to, visit);
  }
}

/** Visits the pairs of a run of unspaced characters and its last one; returns its end. */
function visitRun(text: string, from: number, to: number, visit: TokenVisitor): number {
  const { classes } = characterTables();
  let at = from;
  let before = -1;
  let count = 0;
  while (at < to) {
    const kind = classes[text.charCodeAt(at)]!;
    if (kind !== UNSPACED && kind !== HIGH_SURROGATE) break;
    const next = Math.min(to, kind === HIGH_SURROGATE ? at + 2 : at + 1);
    if (before >= 0) visitSpan(text, before, next, PAIR_TOKEN, visit);
    before = at;
    at = next;
    count++;
  }
  visitSpan(text, before, at, count === 1 ? ONLY_TOKEN : LAST_TOKEN, visit);
  return at;
}

function visitSpan(
  text: string,
  start: number,
  end: number,
  kind: number,
  visit: TokenVisitor,
): void {
  let hash = HASH_START;
  for (let at = start; at < end; at++) {
    const unit = text.charCodeAt(at);
    formUnits[at - start] = unit;
    hash = Math.imul(hash ^ unit, HASH_FACTOR);
  }
  visit(start, end, end - start, hash, kind);
}
