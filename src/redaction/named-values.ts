import { nameKind, STEM, type SecretName, type NameKind } from './names.js';
import { lengthAt, matchAt, readBudget } from './plain-text.js';
import type { AddSpan, PlainText, TextSpan } from './plain-text.js';
import { readValue } from './read-value.js';
import { findInSentence } from './sentences.js';
import type { Evidence } from './values.js';

const MAX_NAME = 60;
/** Characters around a name that decide what it is the name of. */
const MAX_AROUND = 24;
const BEFORE = /[\p{L}\d-]{1,20}[ _-]?$/u;
const AFTER = /^(?: (?:d[eu'’]s? ?(?:la |l['’])?|от |to |for )?[\p{L}]{2,16}){1,3}/u;
const CLEAR = /passw|secret|token/i;
const MAX_REMEMBERED = 1000;
const CHARACTERS_SKIPPED = 32;

/** Adds values that follow the name of a secret, or are in a sentence with it. */
export function findNamed(plain: PlainText, add: AddSpan): void {
  const { text } = plain;
  const budget = readBudget(128);
  const sentences = readBudget(512);
  const kinds = new Map<string, NameKind | 'none'>();
  let end = 0;
  STEM.lastIndex = 0;
  for (let match = STEM.exec(text); match; match = STEM.exec(text)) {
    if (match.index < end) continue;
    if (!budget.take(match.index)) {
      STEM.lastIndex += CHARACTERS_SKIPPED;
      continue;
    }
    const name = nameAround(text, match.index, end, STEM.lastIndex);
    end = STEM.lastIndex = name.end;
    const whole = text.slice(name.start, name.end);
    // the words around most names do not matter
    const around = CLEAR.test(whole) ? [] : wordsAround(text, name);
    const key = around.length > 0 ? `${whole}\0${around.join('\0')}` : whole;
    if (kinds.size > MAX_REMEMBERED) kinds.clear();
    const known = kinds.get(key);
    const kind = known ?? nameKind(whole, ...around) ?? 'none';
    if (known === undefined) kinds.set(key, kind);
    if (kind === 'none') continue;
    const named = { start: name.start, end: name.end, kind };
    const value = valueOf(plain, named);
    if (value) {
      add(value.start, value.end);
      end = value.end;
      budget.refund();
    } else if (value === undefined && sentences.take(end)) end = findInSentence(plain, named, add);
    STEM.lastIndex = end = Math.max(end, name.end);
  }
}

function wordsAround(text: string, { start, end }: TextSpan) {
  const before = BEFORE.exec(text.slice(Math.max(0, start - MAX_AROUND), start))?.[0];
  return [before, AFTER.exec(text.slice(end, end + MAX_AROUND))?.[0]];
}

/** Returns the identifier around a part of it. */
function nameAround(text: string, at: number, from: number, to: number) {
  // scripts without spaces join a name and its neighbours
  if (text.charCodeAt(at) > 0x3000) return { start: at, end: to };
  let start = at;
  const first = Math.max(from, at - MAX_NAME);
  while (start > first && isNameCode(text.charCodeAt(start - 1), true)) start--;
  while (start < at && !isNameCode(text.charCodeAt(start), false)) start++;
  let end = to;
  const last = Math.min(text.length, to + MAX_NAME);
  while (end < last && isNameCode(text.charCodeAt(end), true)) end++;
  while (end > to && !isNameCode(text.charCodeAt(end - 1), false)) end--;
  return { start, end };
}

/** True for letters, digits, `_` and `$`; not for those of scripts without spaces. */
function isNameCode(code: number, mayJoin: boolean): boolean {
  if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90)) return true;
  if ((code >= 48 && code <= 57) || code === 95 || code === 36) return true;
  if (mayJoin && (code === 45 || code === 46)) return true;
  return code >= 0xc0 && code < 0x2000;
}

/** Quotes and brackets after a name, perhaps a remark or a type, and a sign. */
const SIGN =
  /["'`»“”’\])*]{0,3}(?: ?[([（][^()[\]（）\n:="]{1,40}[)\]）])?(?:[?!]?: ?[\w<>]{1,20}(?= = ?\S))?[ \t\u00a0]{0,20}(?::=|=>|->|→|=(?!=)|={2,3}(?=\s?["'`])|::?|[：＝]|%3[AD])[ \t\u00a0]{0,20}(?:(?:[|>][-+]?)?\r?\n[ \t>+]{0,20})?/iy;
/** Another name at the start of a line. */
const NEXT_NAME = /[-\w."'\u00c0-\u1fff ]{1,40}(?::(?:\s|$)|=(?=[^\s=])|=$)|[-*#] |\r?\n|$/my;
/** A name that is an argument, or a function that takes the value. */
const ARGUMENT =
  /(?:\]?["'`/]i?\)?\s?[,)]|\))(?:\.\w{1,20}\()?\s{0,9}(?=[rb]?["'`])|\(\s?(?=["'`])/y;
const GETTER = /^(?:get|read|find|fetch|load|has|is|t)(?![a-z])/;
const LIST_ARGUMENT = /["'`],\s{0,9}(?=["'`])/y;
/** An attribute or a property for the value of what the name names, after at most three others. */
const PAIRED =
  /["']?(?:[ \t]?[:=])?[\s,{>+]{1,60}(?:["']?[\w-]{1,20}["']?[ \t]{0,12}[:=]\s?(?:["'][^"'\n]{0,40}["']|\w{1,12})[\s>+,;]{1,60}){0,3}["']?\w{0,9}(?:value|val|content|default)["']?\s{0,3}[:=]\s{0,9}/iy;
/** The start of a reference to what is named. */
const REFERENCE = /[$#]\{$|\{\{ ?$|\$\($|\barn:[\w:-]*$/;
const SPACE = /[ \t]{1,3}(?=[^-\s])/y;
/** The rest of the user information in a URL, which has a rule of its own. */
const USER_INFO = /:[^\s/"'<>]{1,200}@/y;

/**
 * Returns the secret that a name is bound to by a sign, or as an argument; null if it is bound to
 * what is none.
 */
function valueOf(plain: PlainText, { start, end, kind }: SecretName): TextSpan | null | undefined {
  const { text } = plain;
  const previous = text[start - 1] ?? '\n';
  const isQuery = '?&;#'.includes(previous);
  const read = (length: number, evidence: Evidence, inQuotes?: Evidence) =>
    readValue(plain, { at: end + length, kind, evidence, inQuotes, isQuery }) ?? null;
  const last = previous === ' ' ? (text[start - 2] ?? '') : previous;
  if (/[\w{(:-]/.test(last) && REFERENCE.test(text.slice(Math.max(0, start - MAX_NAME), start)))
    return null;
  if (text.startsWith('[secret]', start - 1)) return null;
  if (previous === '/' && lengthAt(USER_INFO, text, end) > 0) return null;
  const paired = lengthAt(PAIRED, text, end);
  if (paired > 0) return read(paired, 'loose');
  const sign = matchAt(SIGN, text, end)?.[0];
  if (sign !== undefined) {
    const isNext = sign.includes('\n');
    if (isNext && lengthAt(NEXT_NAME, text, end + sign.length) > 0) return null;
    const isBound = !isNext && isTight(text, { start, end, kind }, sign);
    const value = read(sign.length, isBound ? 'bound' : 'loose');
    // a colon may belong to a sentence
    return value ?? (/^[^"'`=]*[:：—–]\s*$/.test(sign) ? undefined : null);
  }
  if (text[start] === '$') return null;
  const isOption = previous === '-' || (previous === '/' && /\s/.test(text[start - 2] ?? ' '));
  const option = isOption ? lengthAt(LIST_ARGUMENT, text, end) || lengthAt(SPACE, text, end) : 0;
  if (option > 0) return read(option, 'bound', 'bound');
  const argument = lengthAt(ARGUMENT, text, end);
  if (argument === 0) return undefined;
  const isGetter = GETTER.test(text.slice(start, end).replace(/^.*\./, ''));
  return isGetter ? null : read(argument, 'loose', 'argument');
}

/** A value that ends its line and is no type or heading. */
const LAST =
  /(?![A-Z][a-z]+[ \t\r\n,;]|[A-Z][a-z]+$)[^\s,]{1,200}[ \t]{0,9}(?:[#;].{0,100})?(?:\r?\n|$|["'])/y;
const LINE_START = /^[ \t>+]*(?:- )?["']?(?:[\w.-]{1,40}[ .])?$/;

/** True for `name=value`, `/name:value` and a line `name: value`, as in files of settings. */
function isTight(text: string, { start, end, kind }: SecretName, sign: string): boolean {
  if (/^\S*=\S*$/.test(sign) || (sign === ':' && /[/-]/.test(text[start - 1] ?? ''))) return true;
  if (kind !== 'password' && text.slice(start, end) !== 'pass') return false;
  if (/[：＝]|->|→/.test(sign) || lengthAt(LAST, text, end + sign.length) === 0) return false;
  const before = text.slice(Math.max(0, start - MAX_NAME), start);
  return LINE_START.test(before.slice(before.lastIndexOf('\n') + 1));
}
