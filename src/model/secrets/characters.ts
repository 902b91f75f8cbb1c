/** Kinds of characters in a text, as bits. Patterns are only tried for texts that have theirs. */
export const DIGIT = 1;
export const LETTER = 2;
/** Characters beyond ASCII. */
export const WIDE = 4;
/** Signs of paths and addresses. */
export const PATH = 8;
/** Brackets that open. */
export const OPEN = 16;
/** Other signs, and spaces. */
export const SIGN = 32;

const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/\d/.test(character)) return DIGIT;
  if (/[A-Za-z]/.test(character)) return LETTER;
  if (/[/\\.:~]/.test(character)) return PATH;
  return /[([{]/.test(character) ? OPEN : SIGN;
});

/** Returns the kinds of characters that a text has. */
export function charactersOf(text: string): number {
  let kinds = 0;
  for (let at = 0; at < text.length; at++) kinds |= KINDS[text.charCodeAt(at)] ?? WIDE;
  return kinds;
}

/** True for an ASCII letter, a digit or `_`. */
export function isWordCode(code: number): boolean {
  return code === 95 || ((KINDS[code] ?? WIDE) & (DIGIT | LETTER)) > 0;
}

/** Receives the part of a text that is a secret. */
export type AddSpan = (start: number, end: number) => void;

/** Returns how long the match of a sticky pattern is here; 0 if there is none. */
export function lengthAt(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex - at : 0;
}

const NONE: readonly RegExpExecArray[] = [];

/**
 * Returns the matches of a global pattern. Most texts have none, and `matchAll` copies the pattern
 * before it looks, which takes several times as long as looking.
 */
export function matchesOf(pattern: RegExp, text: string): Iterable<RegExpExecArray> {
  pattern.lastIndex = 0;
  const hasMatch = pattern.test(text);
  pattern.lastIndex = 0;
  return hasMatch ? text.matchAll(pattern) : NONE;
}

/** Returns the match of a sticky pattern here. */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
