import { tokenize } from './tokenize.js';

/** Identifier or option whose words are joined: `is_union`, `C#`, `-avz`; or a word after `$`. */
const IDENTIFIER =
  /_*[\p{L}\p{N}\p{M}]+(?:(?:_+|::)[\p{L}\p{N}\p{M}]+)*(?:_+|\+\+|#(?![#\p{L}\p{N}]))?|--?[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*/uy;
/** An emphasized word in Markdown. */
const EMPHASIZED = /^_([^_]+(?:_+[^_]+)*)_$/;
const IS_JOINED = /^-|_|::|\+\+|#/;
/** Characters before an option of one hyphen. */
const BEFORE_OPTION = /[\s`[(|'"]/;
const WORD_CHARACTER = /[\p{L}\p{N}]/u;
const MAX_LENGTH = 64;

const DOLLAR = 0x24;
const UNDERSCORE = 0x5f;
const HYPHEN = 0x2d;
const COLON = 0x3a;
const PLUS = 0x2b;
const HASH = 0x23;
const NINE = 0x39;

/** Returns the identifier, in lower case, whose first word is here; undefined for a single word. */
export function identifierAt(text: string, start: number, end: number): string | undefined {
  const before = text.charCodeAt(start - 1);
  const after = text.charCodeAt(end);
  const isJoined =
    before === UNDERSCORE ||
    after === UNDERSCORE ||
    after === HASH ||
    before === DOLLAR ||
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
  if (whole === '' || whole.length > MAX_LENGTH) return undefined;
  if (IS_JOINED.test(whole)) return whole.toLowerCase();
  return before === DOLLAR ? `$${whole.toLowerCase()}` : undefined;
}

function isOption(text: string, start: number): boolean {
  return (
    start === 1 ||
    text.charCodeAt(start - 2) === HYPHEN ||
    BEFORE_OPTION.test(text.charAt(start - 2))
  );
}

/** Words joined by hyphens, or digits in threes: `e-mail`, `1,000,260`. */
const SEPARATED =
  /\p{L}[\p{L}\p{M}]*(?:[-\u2010\u2011]\p{L}[\p{L}\p{M}]*){1,3}(?![-\p{N}])|\d{1,3}(?:[.,'\u2019 \u00a0\u202f]\d{3})+(?!\d)/uy;
const HYPHENS = '-\u2010\u2011';
const IN_NUMBER = ".,'\u2019 \u00a0\u202f";
const NUMBER_BEFORE = /[\p{L}\p{N}-]$|\p{N}[.,'\u2019 \u00a0\u202f]$/u;
const WORD_BEFORE = /[-\u2010\u2011'\u2019\p{L}\p{N}]$/u;

/** Returns in one the separated word or number that begins here, in lower case. */
export function joinedAt(text: string, start: number, end: number): string | undefined {
  const isNumber = text.charCodeAt(start) <= NINE;
  if (end === text.length || !(isNumber ? IN_NUMBER : HYPHENS).includes(text.charAt(end)))
    return undefined;
  if ((isNumber ? NUMBER_BEFORE : WORD_BEFORE).test(text.slice(Math.max(0, start - 2), start)))
    return undefined;
  SEPARATED.lastIndex = start;
  const found = SEPARATED.exec(text)?.[0];
  return found !== undefined && found.length <= MAX_LENGTH
    ? found.replace(/[^\p{L}\p{M}\p{N}]/gu, '').toLowerCase()
    : undefined;
}

type ReadAt = (text: string, start: number, end: number) => string | undefined;

/** Returns what `readAt` finds at the tokens of a text. */
export function findAtTokens(text: string, readAt: ReadAt): string[] {
  const found: string[] = [];
  tokenize(text, 0, text.length, (start, end) => {
    const whole = readAt(text, start, end);
    if (whole !== undefined) found.push(whole);
  });
  return found;
}

const PART = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+/gu;
/** Shorter parts, such as `is`, say too little. */
const MIN_PART_LENGTH = 3;

/** Returns lower-case words: `read`, `text` and `file` for `readTextFile`; none for other words. */
export function camelCaseParts(name: string): string[] {
  const parts = /\p{Ll}\p{Lu}|\p{Lu}\p{Lu}\p{Ll}/u.test(name) ? (name.match(PART) ?? []) : [];
  return parts.length > 1 ? parts.map((part) => part.toLowerCase()) : [];
}

/** Returns the parts of a name in camel case that are indexed in addition to the name. */
export function indexedParts(name: string): string[] {
  return camelCaseParts(name).filter(({ length }) => length >= MIN_PART_LENGTH);
}

/** A longer title is hardly written as one word. */
const MAX_JOINED_WORDS = 5;

/** Returns the words of a title joined as one; undefined if it has one word, or too many. */
export function joinedWords(title: string): string | undefined {
  const words = title.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  const joined = words.join('').toLowerCase();
  const isJoinable = words.length > 1 && words.length <= MAX_JOINED_WORDS;
  return isJoinable && joined.length <= MAX_LENGTH ? joined : undefined;
}
