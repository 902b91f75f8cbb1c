import { isWordCode, matchAt } from './characters.js';
import type { ValueStyle } from './values.js';

/**
 * The end of a name before its value: quotes and brackets, a type, and a sign, perhaps with the
 * mark of a block in YAML. The value may be on the next line, unless another name is there.
 */
const SIGN =
  /\ue000{0,31}["'`»“”’\])*]{0,3}(?:\??: ?[A-Za-z]{1,20}(?= ?=))?[ \t\u00a0]{0,20}(?::=|=>|=(?:3D)?={0,2}|:{1,2}|[：＝]|->|→|\||%3[AD])[ \t\u00a0]{0,20}(?:(?:[|>][-+]?\d?)?(?:\ue000{0,9}\r?\n[ \t>+]{0,20}){1,2}(?![ \t>+]|(?:export |set |- )?[a-z_\u00c0-\u1fff][\w.\u00c0-\u1fff-]{0,40}["']?[ \t]{0,40}(?::(?=[ \t\ue000\r\n]|$)|=(?!=)(?=[^\s\ue000]))|[A-Z][A-Z_]{0,40}=(?=[\s\ue000]|$)))?/iy;
const SIGN_START = '\ue000"\'`»“”’])*?: \t\u00a0=：＝-→|%\r\n,{<';
const [SPACE_CODE, COLON, EQUALS] = [32, 58, 61];
/** Characters of a type after a name. */
const MAX_TYPE = 21;

/** True if a sign, or space before one, may begin with a character. */
export function mayBeSign(character: string): boolean {
  return SIGN_START.includes(character);
}

/** Returns the sign between a name and its value here; empty if there is none. */
export function signAt(text: string, at: number): string {
  const first = text.charCodeAt(at);
  if (isWordCode(first)) return '';
  const plain = plainSign(text, at, first);
  if (plain !== undefined) return plain;
  return SIGN_START.includes(text[at] ?? 'a') ? (matchAt(SIGN, text, at)?.[0] ?? '') : '';
}

/** Returns how a value follows its name after a sign. */
export function styleOfSign(sign: string): ValueStyle {
  if (sign === '=') return 'assigned';
  if (sign.includes('|') && !sign.includes('\n')) return 'adjacent';
  return /[: ：\n]/.test(sign) || !sign.includes('=') ? 'spaced' : 'assigned';
}

/** Returns the sign here if it is one of the most frequent, without a pattern. */
function plainSign(text: string, at: number, first: number): string | undefined {
  if (first === SPACE_CODE && isWordCode(text.charCodeAt(at + 1))) return '';
  if (first === EQUALS && isWordCode(text.charCodeAt(at + 1)))
    return text[at + 1] === '3' ? undefined : '=';
  if (first !== COLON) return undefined;
  const from = text.charCodeAt(at + 1) === SPACE_CODE ? at + 2 : at + 1;
  let end = from;
  while (end < from + MAX_TYPE && isWordCode(text.charCodeAt(end))) end++;
  // a type may be between the name and its sign
  if (end === from || text[end] === '=' || text.startsWith(' =', end)) return undefined;
  return text.slice(at, from);
}
