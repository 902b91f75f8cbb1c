import { RULES } from './rules.js';
import type { AddSpan } from './characters.js';

export interface Secret {
  readonly start: number;
  readonly end: number;
  /** A quotation mark that the replacement needs, because a number in JSON has none. */
  readonly quote: string;
}

const LITERAL = /^(?:null|true|false)\b/;
const MAX_LITERAL = 6;
const NUMBER = /^-?\d[\d.]*(?:e[-+]?\d+)?$/i;
/** The end of a text after the last string of JSON, with its quote. */
const OUTSIDE = /(\ue000*)"[\s,:[\]{}\d.eE+-]+$/;
const MAX_NUMBER = 400;

/** Returns the quote that a number outside of the strings of JSON needs when it is replaced. */
function missingQuote(plain: string, start: number, end: number): string {
  if (end - start > MAX_NUMBER || !NUMBER.test(plain.slice(start, end))) return '';
  const escapes = OUTSIDE.exec(plain.slice(Math.max(0, start - MAX_NUMBER), start))?.[1];
  return escapes === undefined ? '' : `${'\\'.repeat(escapes.length)}"`;
}

/** Returns the secrets in a text, in order and without overlaps. */
export function findSecrets(text: string): Secret[] {
  const plain = unescaped(text);
  const found: Secret[] = [];
  const add: AddSpan = (from, to) => {
    let start = from;
    let end = to;
    // an escape is replaced as a whole
    while (plain.charCodeAt(start - 1) === FILLER) start--;
    while (plain.charCodeAt(end - 1) === FILLER) end--;
    if (end > start && !LITERAL.test(text.slice(start, start + MAX_LITERAL)))
      found.push({ start, end, quote: missingQuote(plain, start, end) });
  };
  for (const rule of RULES) rule(plain, add);
  found.sort((a, b) => a.start - b.start || b.end - a.end);
  const merged: Secret[] = [];
  for (const secret of found) {
    const last = merged.at(-1);
    if (last && secret.start < last.end)
      merged[merged.length - 1] = { ...last, end: Math.max(last.end, secret.end) };
    else merged.push(secret);
  }
  return merged;
}

const BACKSLASH = 92;
/** Stands for the backslashes of an escape. */
const FILLER = 0xe000;
/** Characters that escapes stand for, by the last character of the escape. */
const ESCAPED: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\n',
  t: '\t',
  b: ' ',
  f: ' ',
  '"': '"',
  "'": "'",
  '`': '`',
  '/': '/',
};
const UNICODE = /u[0-9A-Fa-f]{4}/y;

/**
 * Returns a text of the same length in which the escapes of JSON and of strings in code are what
 * they stand for, after as many U+E000 as are needed.
 */
export function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  const units = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at++) {
    units[at] = text.charCodeAt(at);
    if (units[at] !== BACKSLASH) continue;
    let next = at + 1;
    while (text.charCodeAt(next) === BACKSLASH) next++;
    UNICODE.lastIndex = next;
    const isUnicode = text[next] === 'u' && UNICODE.test(text);
    const character = isUnicode
      ? String.fromCharCode(Number.parseInt(text.slice(next + 1, next + 5), 16))
      : ESCAPED[text[next] ?? ''];
    const last = isUnicode ? next + 4 : next;
    units.fill(character === undefined ? BACKSLASH : FILLER, at, next);
    if (character === undefined) {
      at = next - 1;
      continue;
    }
    units.fill(FILLER, next, last);
    units[last] = character.charCodeAt(0);
    at = last;
  }
  return new TextDecoder('utf-16le').decode(units);
}
