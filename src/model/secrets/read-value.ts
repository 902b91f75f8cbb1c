import { isWordCode, lengthAt, matchAt } from './characters.js';
import type { NameKind } from './names.js';
import { mayBeSign, signAt, styleOfSign } from './signs.js';
import { isCompound, isSecretValue, isWords, passphraseEnd, type ValueStyle } from './values.js';

/** The rest of the user information in a URL, which has rules of its own. */
const USER_INFO = /:[^\s/"'<>\ue000]{1,400}@/y;
/** Characters of the sign of a pair. */
const MAX_SIGN = 9;
/** An attribute or a property for the value of what the name names, after at most three others. */
const PAIRED =
  /(?:(?:\ue000{0,9}["'])?[ \t:=]{0,9}(?:\ue000{0,9}\r?\n|[,{])|\ue000{0,9}["'](?=\s))[\s\ue000>+]{0,60}(?:["']?[\w-]{1,20}(?:\ue000{0,9}["'])?[ \t]{0,12}[:=]\s?(?:\ue000{0,9}["'][^"'\n\ue000]{0,40}\ue000{0,9}["']|\w{1,12})[\s\ue000>+,;]{1,60}){0,3}["']?(?:(?:parameter)?value|val|content|default)(?:\ue000{0,9}["'])?\s{0,3}[:=](?:\ue000{0,9}\s){0,9}/iy;
/** The end of an element's attribute or of a key in XML, before its value. */
const ELEMENT =
  /(?:\ue000{0,9}["']|<\/\w{1,20})>(?:\ue000{0,9}[\s>+]){0,9}(?:<(?:string|value)>)?(?=[^<\s])/y;
/** The end of an option's name in a list of arguments. */
const NEXT_ARGUMENT = /\ue000{0,9}["'],(?:\ue000{0,9}\s){0,9}(?=\ue000{0,9}["'])/y;
/** A function that gives a value to what its first argument names. */
const SETTER =
  /(?:define|set\w{0,20}|put\w{0,20}|add\w{0,20}|append|getenv|env|default|property)\s?\(\s?\ue000{0,9}["']$/i;
const ATTRIBUTE = /(?:name|key)=\ue000{0,9}["']$|<key>$/i;
/** Characters before a name that decide how its value follows. */
const MAX_BEFORE = 40;
const IS =
  /^(?:is|was|are|ist|war|lautet|lauten|heisst|heißt|est|es|è|é|jest|são|sera|será|son|hier|было|будет|это|now|to|auf|nun|jetzt|[是为為])$/i;
const MAX_IS = 8;
/** Names of other values next to a secret. */
const OTHER = /^(?:user|login|host|port|url|e?mail|name|database)(?:name)?$/i;
const ASSIGNMENT = /[\w.-]{1,40}=(?=[^\s=])/y;
/** Before a space, a straight quote closes. */
const OPENING = /\ue000*(?:(["'`]|\*\*)(?!\s)|([«„“”‘「『])[ \u00a0]?)/y;
const LIST = /(?:\[\]byte\(|[[(])[\s\ue000]{0,9}(?=["'])/y;
const CLOSING: Readonly<Record<string, string>> = {
  '«': '»',
  '„': '“',
  '“': '”',
  '‘': '’',
  '「': '」',
  '『': '』',
};
/** The end of a quoted name, before the value that it has. */
const NAME_END = /\ue000{0,31}["'`][ \t]{0,9}(?:[:：]|=>?(?!=))[ \t]{0,9}(?=[^\s=])/y;
/** Digits in groups of the same length, as keys of networks are printed. */
const GROUPS = /(?:\d{3,8}[ \u00a0-]){1,9}\d{3,8}(?![\w-]|[.,:]\d)/y;
const MIN_GROUPED = 12;
const MAX_QUOTED = 4000;
const UNQUOTED = /[^\s\ue000"'`<>«»“”„，。；：、！（）「」]+/y;
/** The part of a value that decides; long, because what is harmless has its end. */
const UNQUOTED_HEAD = /[^\s\ue000"'`<>«»“”„，。；：、！（）「」]{1,100}/y;
const MAX_HEAD = 100;
const MAX_REMEMBERED = 256;
/** Values that are judged in one run of characters, which bounds the cost of a long run. */
const MAX_JUDGED_IN_RUN = 4;
const SCHEME_START = 'aAbBdDkKnNtT';
const SCHEME = /(?:basic|bearer|token|digest|apikey|negotiate|bot|key)[ \u00a0]+/iy;
const SPACE = /[\ue000`'"*]{0,3}[ \t\u00a0]{1,9}/y;
/** What a value next to its name must have at least: eight characters, one of which no word has. */
const ADJACENT = /(?=[^\s]{8})[^\s]{0,64}?[0-9!#$%&*+?@^~=]/y;
/** Words with capitals that points join, as only a password of a sentence has them. */
const JOINED_WORDS = /\p{Lu}\p{Ll}{2,}(?:[._]\p{Lu}\p{Ll}{2,})+(?=[\s,;!?]|\.(?:\s|$)|$)/uy;
const LONG_RUN = /[A-Za-z0-9+/_=:-]{20}/y;
const MIN_LONG = 20;
/** A value after "is", which has a digit or a sign. */
const SAID = /[\ue000"'`«„“‘「『* ]{0,4}[^\s]{0,40}?[0-9!#$%&*+?@^~_=]/y;
const QUOTED = '\ue000"\'';
const QUOTES = '«„“"\'`‘「『';

interface NameAt {
  readonly start: number;
  readonly end: number;
  readonly kind: NameKind;
}

export interface Value {
  readonly start: number;
  readonly end: number;
}

interface Place {
  readonly at: number;
  readonly kind: NameKind;
  readonly style: ValueStyle;
  /** True in the query of a URL and in a connection string. */
  readonly isQuery?: boolean;
}

/** Reads the values of one text; every method takes amortized constant time. */
export class ValueReader {
  readonly text: string;
  readonly #nextClosing = new Map<string, { readonly from: number; readonly at: number }>();
  /** Verdicts on values, because a text repeats them. */
  readonly #judged: Partial<Record<NameKind, Partial<Record<ValueStyle, Map<string, boolean>>>>> =
    {};
  #runEnd = 0;
  #judgedInRun = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** Returns the value here; undefined if it is harmless. */
  read({ at, kind, style, isQuery = false }: Place): Value | undefined {
    const { text } = this;
    const isPlain = isWordCode(text.charCodeAt(at));
    if (isPlain && at < this.#runEnd && this.#judgedInRun >= MAX_JUDGED_IN_RUN) return undefined;
    if (isPlain && (isSpaceAt(text, at + 1) || isSpaceAt(text, at + 2))) return undefined;
    const from = isPlain ? at : at + lengthAt(LIST, text, at);
    const opening = isPlain ? null : matchAt(OPENING, text, from);
    const [whole, mark] = [opening?.[0] ?? '', opening?.[1] ?? opening?.[2]];
    const opened = from + whole.length;
    const start =
      opened + (SCHEME_START.includes(text.charAt(opened)) ? lengthAt(SCHEME, text, opened) : 0);
    const closed =
      mark === undefined ? undefined : this.#closingAt(start, mark, whole.trimEnd().length);
    if (closed !== undefined && style !== 'said' && isNameBefore(text, at, closed))
      return undefined;
    const grouped = isPlain ? groupsLength(text, at, kind, style) : 0;
    if (grouped > 0) return { start: at, end: at + grouped };
    if (
      mark === undefined &&
      (style === 'assigned' || (style === 'spaced' && kind === 'password'))
    ) {
      const end = kind === 'key' ? start : passphraseEnd(text, start, style);
      if (end > start) return { start, end };
    }
    const end = closed ?? this.#headEnd(start, isQuery);
    if (end === undefined) return undefined;
    const value = text.slice(start, end);
    const isQuoted = closed !== undefined;
    if (!this.#isSecret(value, kind, this.#styleOf(style, isQuoted, kind, value, end)))
      return undefined;
    // a short head is the whole value
    if (isQuoted || end - start < MAX_HEAD / 2) return { start, end };
    return {
      start,
      end: unquotedEnd(text, start, start + lengthAt(UNQUOTED, text, start), isQuery),
    };
  }

  #isSecret(value: string, kind: NameKind, style: ValueStyle): boolean {
    const judged = this.#judgedAs(kind, style);
    let isSecret = judged.get(value);
    if (isSecret === undefined) {
      if (judged.size >= MAX_REMEMBERED) judged.clear();
      judged.set(value, (isSecret = isSecretValue(value, kind, style)));
    }
    return isSecret;
  }

  #judgedAs(kind: NameKind, style: ValueStyle): Map<string, boolean> {
    let ofKind = this.#judged[kind];
    ofKind ??= this.#judged[kind] = {};
    return (ofKind[style] ??= new Map());
  }

  #styleOf(style: ValueStyle, isQuoted: boolean, kind: NameKind, value: string, end: number) {
    // an option has a phrase where code has a description
    if (isQuoted && style === 'option' && isWords(value)) return 'option';
    if (isQuoted && (style === 'assigned' || style === 'spaced' || style === 'option'))
      return 'quoted';
    const isAlone = style === 'spaced' && kind === 'password' && endsLine(this.text, end, value);
    return isAlone ? 'assigned' : style;
  }

  /** Returns the end of an unquoted value's head; undefined if its run was judged enough. */
  #headEnd(start: number, isQuery: boolean): number | undefined {
    if (start >= this.#runEnd) this.#judgedInRun = 0;
    if (++this.#judgedInRun > MAX_JUDGED_IN_RUN) return undefined;
    const run = start + lengthAt(UNQUOTED_HEAD, this.text, start);
    if (this.#judgedInRun === 1) this.#runEnd = run;
    return unquotedEnd(this.text, start, run, isQuery);
  }

  /** Returns where a quoted value ends: before the same quote after at most as many backslashes. */
  #closingAt(start: number, mark: string, openingLength: number): number | undefined {
    const { text } = this;
    const closing = CLOSING[mark] ?? mark;
    const escapes = openingLength - mark.length;
    for (
      let at = this.#next(closing, start);
      at < start + MAX_QUOTED;
      at = this.#next(closing, at + 1)
    ) {
      let first = at;
      while (first > start && text[first - 1] === '\ue000') first--;
      const extra = at - first - escapes;
      // within a value, backslashes come in pairs, each escaped as often as its quotes
      if (extra > 0 && extra % (2 * (escapes + 1)) !== 0) continue;
      return closing === '»' && /\s/.test(text[first - 1] ?? '') ? first - 1 : first;
    }
    return undefined;
  }

  /** Returns the next index of a mark, or infinity. Remembers it for later positions. */
  #next(mark: string, from: number): number {
    const known = this.#nextClosing.get(mark);
    if (known && from >= known.from && from <= known.at) return known.at;
    const found = this.text.indexOf(mark, from);
    const at = found < 0 ? Number.POSITIVE_INFINITY : found;
    this.#nextClosing.set(mark, { from, at });
    return at;
  }
}

/** Returns the secret that follows the name of one. */
export function readAfterName(reader: ValueReader, name: NameAt): Value | undefined {
  const { text } = reader;
  const { start, end, kind } = name;
  const next = text[end];
  if (next === undefined) return undefined;
  const previous = text[start - 1];
  if (mayBeSign(next)) {
    const paired = pairedLength(text, name);
    if (paired > 0) return reader.read({ at: end + paired, kind, style: 'spaced' });
    const sign = signAt(text, end);
    if (sign !== '') {
      if (
        previous === '/' &&
        text.startsWith('://', start - 3) &&
        lengthAt(USER_INFO, text, end) > 0
      )
        return undefined;
      const isOnNextLine = sign.includes('=') && /\n[ >+]{0,2}$/.test(sign);
      if (isOnNextLine && !QUOTED.includes(text[end + sign.length] ?? '')) return undefined;
      const isQuery = previous !== undefined && '?&;#'.includes(previous);
      return reader.read({ at: end + sign.length, kind, style: styleOfSign(sign), isQuery });
    }
    const isOption = previous === '-' || (previous === '/' && /\s/.test(text[start - 2] ?? ' '));
    if (!isOption) return readAfterSpace(reader, name, 'adjacent');
    const argument = lengthAt(NEXT_ARGUMENT, text, end);
    if (argument > 0) return reader.read({ at: end + argument, kind, style: 'spaced' });
    return readAfterSpace(reader, name, 'option');
  }
  if (previous === '<' && next === '>' && !QUOTED.includes(text[end + 1] ?? ' '))
    return reader.read({ at: end + 1, kind, style: 'assigned' });
  return undefined;
}

/** Returns how far after its name the value is that something names as such; 0 if nothing does. */
function pairedLength(text: string, { start, end }: NameAt): number {
  const paired = mayBePaired(text, end) ? lengthAt(PAIRED, text, end) : 0;
  if (paired > 0 || !'\ue000"\'<'.includes(text[end] ?? ' ')) return paired;
  const before = text.slice(Math.max(0, start - MAX_BEFORE), start);
  if (ATTRIBUTE.test(before)) return lengthAt(ELEMENT, text, end);
  return SETTER.test(before) ? lengthAt(NEXT_ARGUMENT, text, end) : 0;
}

/** True if what follows a name and its sign begins a line, a list or an attribute. */
function mayBePaired(text: string, end: number): boolean {
  let at = end;
  while (at < end + MAX_SIGN && ' \t:='.includes(text[at] ?? 'a')) at++;
  return '\ue000"\'\r\n,{'.includes(text[at] ?? 'a');
}

/** Returns the secret at or after a word that follows the name of one in its phrase. */
export function readInPhrase(reader: ValueReader, word: NameAt, text: string): Value | undefined {
  const { start, end, kind } = word;
  const sign = signAt(reader.text, end);
  // the colons of a time or an address belong to what is said
  if (sign !== '' && /[=：\s]/.test(sign.trimStart())) {
    const isOther = OTHER.test(text) || lengthAt(ASSIGNMENT, reader.text, end + sign.length) > 0;
    if (isOther) return undefined;
    return reader.read({
      at: end + sign.length,
      kind,
      style: sign.includes('|') ? 'adjacent' : 'spaced',
    });
  }
  if (text.length <= MAX_IS && IS.test(text)) return readAfterSpace(reader, word, 'said');
  const isInPath = '/\\'.includes(reader.text[start - 1] ?? ' ');
  const mayBeLong = end - start >= MIN_LONG || '+/=:-'.includes(reader.text.charAt(end));
  if (mayBeLong && !isInPath && lengthAt(LONG_RUN, reader.text, start) > 0)
    return reader.read({ at: start, kind, style: 'near' });
  const quote = reader.text[start - 1] ?? ' ';
  if (!QUOTES.includes(quote) || (quote === "'" && /\w/.test(reader.text[start - 2] ?? ' ')))
    return undefined;
  const value = reader.read({ at: start - 1, kind, style: 'said' });
  return value && /\d/.test(reader.text.slice(value.start, value.end)) ? value : undefined;
}

function readAfterSpace(reader: ValueReader, { end, kind }: NameAt, style: ValueStyle) {
  const { text } = reader;
  const gap = lengthAt(SPACE, text, end);
  if (gap === 0 && !/[\u3400-\u9fff]/.test(text[end - 1] ?? '')) return undefined;
  const at = end + gap;
  if (style === 'adjacent' && lengthAt(ADJACENT, text, at) === 0) return undefined;
  if (style === 'said' && lengthAt(SAID, text, at) === 0) {
    const length = kind === 'password' ? lengthAt(JOINED_WORDS, text, at) : 0;
    const isName = length > 0 && isCompound(text.slice(at, at + length));
    return isName ? { start: at, end: at + length } : undefined;
  }
  return reader.read({ at, kind, style });
}

/** True if a quoted text, which is not compared, is the name of a value after it. */
function isNameBefore(text: string, at: number, closed: number): boolean {
  return (
    lengthAt(NAME_END, text, closed) > 0 && !text.slice(Math.max(0, at - 4), at).includes('==')
  );
}

/** Returns how long a password of digits in groups is, or a secret of many; 0 if there is none. */
function groupsLength(text: string, at: number, kind: NameKind, style: ValueStyle): number {
  if (kind === 'key' || style === 'adjacent' || style === 'near') return 0;
  const length = lengthAt(GROUPS, text, at);
  const [first = '', ...others] = text.slice(at, at + length).split(/[ \u00a0-]/);
  const isLong = length >= MIN_GROUPED && first.length > 3;
  if (kind !== 'password' && !isLong) return 0;
  return others.every((group) => group.length === first.length) ? length : 0;
}

const LINE_END = ' \t.,;)\r\n\ue000"\'';

/** True if a word, or a compound of words, is all that follows on its line. */
function endsLine(text: string, end: number, value: string): boolean {
  if (!LINE_END.includes(text[end] ?? '\n')) return false;
  const rest = text.slice(end, end + 4) || '\n';
  return /^[ \t]*(?:[.,;)]?\s*$|\r?\n|\ue000*["'])/.test(rest) && isCompound(value);
}

const QUERY_STOP = /[&;#]/;
/** The end of an assignment in a list, of a call, or of a link's text. */
const STOP = /[;&,|](?=$|[&|]|[\w .%-]{1,40}[=:])|\)[;,.]|\][[(]/;
const TRAILING = /(?:[.,;:)\]}—]|\*\*)+$/;

function unquotedEnd(text: string, start: number, to: number, isQuery: boolean): number {
  const whole = text.slice(start, to);
  const cut = whole.search(isQuery ? QUERY_STOP : STOP);
  const value = cut < 0 ? whole : whole.slice(0, cut);
  if (isWordCode(value.charCodeAt(value.length - 1))) return start + value.length;
  const trailing = TRAILING.exec(value.slice(-8))?.[0].length ?? 0;
  return start + value.length - trailing;
}

/** True if a space is here, or the end. */
function isSpaceAt(text: string, at: number): boolean {
  if (at >= text.length) return true;
  const code = text.charCodeAt(at);
  return code < 128 ? code === 32 || (code >= 9 && code <= 13) : /\s/.test(text.charAt(at));
}
