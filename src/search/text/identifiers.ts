import { tokenize } from './tokenize.js';

/**
 * An identifier or option of a program, whose words are joined by other characters: `is_union`,
 * `__init__`, `std::vector`, `C++`, `C#`, `--no-verify`, `-avz`.
 */
const IDENTIFIER =
  /_*[\p{L}\p{N}\p{M}]+(?:(?:_+|::)[\p{L}\p{N}\p{M}]+)*(?:_+|\+\+|#(?![#\p{L}\p{N}]))?|--?[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*/uy;
/** An emphasized word in Markdown. */
const EMPHASIZED = /^_([^_]+(?:_+[^_]+)*)_$/;
const IS_JOINED = /^-|_|::|\+\+|#/;
/** What precedes an option of one hyphen. */
const BEFORE_OPTION = /[\s`[(|'"]/;
const WORD_CHARACTER = /[\p{L}\p{N}]/u;
const MAX_LENGTH = 64;

const UNDERSCORE = 0x5f;
const HYPHEN = 0x2d;
const COLON = 0x3a;
const PLUS = 0x2b;
const HASH = 0x23;

/**
 * Returns the identifier, in lower case, whose first word is at these offsets; undefined if there
 * is none or it is a single word.
 */
export function identifierAt(text: string, start: number, end: number): string | undefined {
  const before = text.charCodeAt(start - 1);
  const after = text.charCodeAt(end);
  const isJoined =
    before === UNDERSCORE ||
    after === UNDERSCORE ||
    after === HASH ||
    (before === HYPHEN && isOption(text, start)) ||
    ((after === COLON || after === PLUS) && text.charCodeAt(end + 1) === after);
  if (!isJoined) return undefined;
  let from = start;
  while (text.charCodeAt(from - 1) === UNDERSCORE) from--;
  if (before === HYPHEN) from -= text.charCodeAt(start - 2) === HYPHEN ? 2 : 1;
  const isFirst =
    !WORD_CHARACTER.test(text.charAt(from - 1)) &&
    !(text.charCodeAt(from - 1) === COLON && text.charCodeAt(from - 2) === COLON);
  if (!isFirst) return undefined;
  IDENTIFIER.lastIndex = from;
  const found = IDENTIFIER.exec(text)?.[0] ?? '';
  const whole = EMPHASIZED.exec(found)?.[1] ?? found;
  return IS_JOINED.test(whole) && whole.length <= MAX_LENGTH ? whole.toLowerCase() : undefined;
}

function isOption(text: string, start: number): boolean {
  return (
    start === 1 ||
    text.charCodeAt(start - 2) === HYPHEN ||
    BEFORE_OPTION.test(text.charAt(start - 2))
  );
}

/** Returns the identifiers in a text. */
export function identifiersIn(text: string): string[] {
  const found: string[] = [];
  tokenize(text, 0, text.length, (start, end) => {
    const whole = identifierAt(text, start, end);
    if (whole !== undefined) found.push(whole);
  });
  return found;
}
