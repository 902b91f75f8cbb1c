import { nameKind, type NameKind } from './names.js';
import type { AddSpan } from './span.js';
import { isSecretValue, type ValueStyle } from './values.js';

/** A run of letters of one kind of script, because Chinese has no spaces between words. */
const NAME =
  /[是为為]|[\u3400-\u9fff]+?(?=[是为為]|[^\u3400-\u9fff]|$)|[A-Za-z0-9_$\u00c0-\u024f\u0300-\u1fff]+(?:[-.][A-Za-z0-9_$\u00c0-\u024f\u0300-\u1fff]+)*/g;
/** What ends a name and introduces its value: quotes and brackets, a type, and a sign. */
const SIGN =
  /\u0001{0,9}["'`»“”’\])*]{0,3}(?:\??: ?[A-Za-z]{1,20}(?= ?=))?[ \t\u00a0]{0,20}(?::=|=>|=(?:3D)?={0,2}|:{1,2}|[：＝]|->|→|\||%3[AD])[ \t\u00a0\u0001]{0,20}(?:\r?\n[ \t\u0001]{0,20})?/iy;
/** An attribute or a property for the value of what the name names. */
const PAIRED =
  /\u0001{0,9}["'][\s\u0001]{0,9},?[\s\u0001]{0,9}["']?(?:value|val|content|default)\u0001{0,9}["']?\s{0,3}[:=][\s\u0001]{0,9}/iy;
/** The end of an option's name in a list of arguments. */
const NEXT_ARGUMENT = /\u0001{0,9}["'],[\s\u0001]{0,9}(?=["'])/y;
const IS =
  /^(?:is|was|are|ist|war|lautet|lauten|heisst|heißt|est|es|são|sera|será|son|hier|было|будет|это|was|now|to|auf|nun|jetzt|[是为為])$/;
const OPENING = /\u0001*(["'`«„“”‘「『]|\*\*)[ \u00a0]?/y;
const CLOSING: Readonly<Record<string, string>> = {
  '«': '»',
  '„': '“',
  '“': '”',
  '‘': '’',
  '「': '」',
  '『': '』',
};
const MAX_QUOTED = 4000;
const UNQUOTED = /[^\s\u0001"'`<>«»“”„，。；、！（）「」]+/y;
const SCHEME = /(?:basic|bearer|token|digest|apikey|negotiate|bot|key)[ \u00a0]+/iy;
const BREAK = /[.;!?。；！？,，\n(){}\u0001"]/;
/** Words between a name and "is" or a sign, as in "the password of the server is". */
const MAX_WORDS_BETWEEN = 6;

interface Pending {
  readonly kind: NameKind;
  words: number;
}

/** Adds values that follow the name of a secret. */
export function findNamed(text: string, add: AddSpan): void {
  let end = 0;
  let before = '';
  let pending: Pending | undefined;
  NAME.lastIndex = 0;
  for (let match = NAME.exec(text); match; match = NAME.exec(text)) {
    const [name] = match;
    const start = match.index;
    const gap = text.slice(end, Math.min(start, end + 20));
    end = start + name.length;
    if (gap.length > 3 || BREAK.test(gap)) {
      pending = undefined;
      before = '';
    }
    const kind = nameKind(name, before);
    before = name.toLowerCase().slice(-40);
    if (kind !== undefined) pending = { kind, words: 0 };
    else if (pending === undefined || ++pending.words > MAX_WORDS_BETWEEN) {
      pending = undefined;
      continue;
    }
    const found = readValue(text, { start, end, name, pending, isDirect: kind !== undefined });
    if (!found) continue;
    add(found.start, found.end, found.quote);
    pending = undefined;
    end = NAME.lastIndex = Math.max(found.end, end);
  }
}

interface NameAt {
  readonly start: number;
  readonly end: number;
  readonly name: string;
  readonly pending: Pending;
  /** True if the name is of a secret itself; false for a word after it. */
  readonly isDirect: boolean;
}

interface Value {
  readonly start: number;
  readonly end: number;
  readonly quote?: string;
}

function readValue(text: string, at: NameAt): Value | undefined {
  const { start, end, name, pending, isDirect } = at;
  const { kind } = pending;
  const previous = text[start - 1];
  const paired = isDirect ? lengthAt(PAIRED, text, end) : 0;
  if (paired > 0) return valueAt(text, end + paired, kind, 'spaced', false);
  const sign = lengthAt(SIGN, text, end);
  const signText = text.slice(end, end + sign);
  // the colons of a time or an address belong to what is said
  if (sign > 0 && (isDirect || /[=：\s]/.test(signText))) {
    const isSpaced = !isDirect || /[: ：\n|]/.test(signText) || !signText.includes('=');
    const isQuery = previous === '?' || previous === '&' || previous === ';' || previous === '#';
    return valueAt(text, end + sign, kind, isSpaced ? 'spaced' : 'assigned', isQuery, signText);
  }
  if (!isDirect)
    return IS.test(name.toLowerCase()) ? valueAfterSpace(text, end, kind, 'said') : undefined;
  if (previous === '<' && text[end] === '>') return valueAt(text, end + 1, kind, 'assigned', false);
  const isOption = previous === '-' || (previous === '/' && /\s/.test(text[start - 2] ?? ' '));
  if (!isOption) return valueAfterSpace(text, end, kind, 'beside');
  const next = lengthAt(NEXT_ARGUMENT, text, end);
  if (next > 0) return valueAt(text, end + next, kind, 'option', false);
  return valueAfterSpace(text, end, kind, 'option');
}

function valueAfterSpace(text: string, at: number, kind: NameKind, style: ValueStyle) {
  const gap = /^[ \t\u00a0\u0001`'"*]{0,3}[ \t\u00a0]+/.exec(text.slice(at, at + 12))?.[0].length;
  const isJoined = /[\u3400-\u9fff]/.test(text[at - 1] ?? '');
  if (gap === undefined && !isJoined) return undefined;
  return valueAt(text, at + (gap ?? 0), kind, style, false);
}

/** Reads the value here. Returns undefined if it is harmless. */
function valueAt(
  text: string,
  at: number,
  kind: NameKind,
  style: ValueStyle,
  isQuery: boolean,
  sign = '',
): Value | undefined {
  const from = at + (/^[[(][\s\u0001]*(?=["'])/.exec(text.slice(at, at + 12))?.[0].length ?? 0);
  const opening = matchAt(OPENING, text, from);
  const [whole, mark] = opening ?? ['', undefined];
  let start = from + whole.length;
  const scheme = lengthAt(SCHEME, text, start);
  start += scheme;
  const end =
    mark === undefined
      ? unquotedEnd(text, start, isQuery)
      : quotedEnd(text, start, mark, whole.trimEnd());
  const value = text.slice(start, end);
  const isQuoted = mark !== undefined;
  const used = isQuoted && style !== 'said' && style !== 'beside' ? 'quoted' : style;
  if (used === 'spaced' && kind === 'password' && isAlone(text, end, value)) style = 'assigned';
  const isSecret = isSecretValue(value, kind, used === 'spaced' ? style : used);
  if (!isSecret) return undefined;
  const closing = /^(\u0001*)"/.exec(sign);
  const isNumber = closing && !isQuoted && /^-?[0-9.]+$/.test(value);
  return { start, end, ...(isNumber && { quote: `${'\\'.repeat(closing[1]?.length ?? 0)}"` }) };
}

/** True if an unquoted word is all that follows on its line. */
function isAlone(text: string, end: number, value: string): boolean {
  return (
    /^[\p{L}\p{M}]{6,}$/u.test(value) &&
    /^[ \t]*(?:[.,;)]?\s*$|\r?\n|\u0001*["'])/.test(text.slice(end, end + 4) || '\n')
  );
}

/** Returns the end of a quoted value: the same quote after as many backslashes, or the next line. */
function quotedEnd(text: string, start: number, mark: string, opening: string): number {
  const closing = CLOSING[mark] ?? mark;
  const escapes = opening.length - mark.length;
  const limit = Math.min(text.length, start + MAX_QUOTED);
  for (
    let at = text.indexOf(closing, start);
    at >= 0 && at < limit;
    at = text.indexOf(closing, at + 1)
  ) {
    let first = at;
    while (first > start && text[first - 1] === '\u0001') first--;
    if (at - first <= escapes)
      return text[first - 1] === ' ' && closing === '»' ? first - 1 : first;
  }
  return unquotedEnd(text, start, false);
}

function unquotedEnd(text: string, start: number, isQuery: boolean): number {
  const [run = ''] = matchAt(UNQUOTED, text, start) ?? [];
  const stop = isQuery ? /[&;#]/ : /[;&,|](?=$|[&|]|[\w .%-]{1,40}[=:])|\)[;,.]/;
  const cut = run.search(stop);
  const value = cut < 0 ? run : run.slice(0, cut);
  const trailing = /[.,;:)\]}—]+$/.exec(value.slice(-8))?.[0].length ?? 0;
  return start + value.length - trailing;
}

function lengthAt(pattern: RegExp, text: string, at: number): number {
  return matchAt(pattern, text, at)?.[0].length ?? 0;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
