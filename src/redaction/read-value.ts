import { lengthAt, matchAt, type PlainText, type TextSpan } from './plain-text.js';
import type { NameKind } from './names.js';
import { isSecretValue, type Evidence } from './values.js';

interface Place {
  readonly at: number;
  readonly kind: NameKind;
  /** How closely the value follows its name if it has no quotes. */
  readonly evidence: Evidence;
  /** What a value in quotes is taken for. */
  readonly inQuotes?: Evidence | undefined;
  /** True in the query of a URL. */
  readonly isQuery?: boolean;
}

/** The start of a list or of bytes before a quoted value. */
const LIST = /(?:\[\]byte\(|[[(])\s{0,9}(?=["'])|[ru]?b?(?=["'])/y;
/** Before a space, a straight quote closes. */
const OPENING = /\*{0,2}(?:(["'`])(?!\s)|([«„“”‘「『])[ \u00a0]?)|\*\*/y;
const CLOSING = new Map(['«»', '„“', '“”', '‘’', '「」', '『』'].map(([a = '', b]) => [a, b]));
/** The end of a quoted name, before the value that it has. */
const NAME_END = /["'`]\s?(?::|=>?)(?!=)/y;
const SCHEME = /(?:basic|bearer|token|digest|apikey|bot|key)[ \u00a0]+/iy;
/** One of the groups of one length in which keys of networks and of second factors are printed. */
const GROUP = /[A-Za-z\d]{3,8}(?![A-Za-z\d])/y;
const AFTER_GROUPS = /(?![\w-]|[.,:]\d)/y;
const MIN_GROUPED = 12;
const MAX_GROUPED = 140;
const MAX_QUOTED = 4000;
/** Characters between quotes that only sentences have. */
const MAX_QUOTATION = 200;
const UNQUOTED = /[^\s"'`<>«»“”„，。；：、！（）「」]+/y;
/** The part of a value that decides. */
const HEAD = /[^\s"'`<>«»“”„，。；：、！（）「」]{1,100}/y;
const MAX_HEAD = 100;
const QUERY_STOP = /[&;#)]/;
/** The end of an assignment in a list, of a call, or of a link's text. */
const STOP = /[;&,|](?=$|[&|]|[\w .%-]{1,40}[=:])|\)[;,.]|\][[(]/;
const TRAILING = /(?:[.,;:)\]}—]|\*\*){1,8}$/;

/** Returns the secret here; undefined if the value is harmless. */
export function readValue(plain: PlainText, place: Place): TextSpan | undefined {
  const { text } = plain;
  const { kind, evidence } = place;
  const from = place.at + lengthAt(LIST, text, place.at);
  const opening = matchAt(OPENING, text, from);
  const opened = from + (opening?.[0].length ?? 0);
  const mark = opening?.[1] ?? opening?.[2];
  const start = opened + lengthAt(SCHEME, text, opened);
  const closed = mark === undefined ? undefined : closingAt(plain, start, mark);
  if (closed !== undefined) {
    // a name has a value of its own
    if (evidence === 'loose' && lengthAt(NAME_END, text, closed) > 0) return undefined;
    const isSecret = isSecretValue(text.slice(start, closed), kind, place.inQuotes ?? 'quoted');
    return isSecret ? { start, end: closed } : undefined;
  }
  const groups = groupsLength(text, start, kind);
  if (groups > 0) return { start, end: start + groups };
  const head = start + lengthAt(HEAD, text, start);
  const end = unquotedEnd(text, start, head, place.isQuery);
  if (!isSecretValue(text.slice(start, end), kind, evidence)) return undefined;
  // a short head is the whole value
  if (head - start < MAX_HEAD || end < head - 8) return { start, end };
  const all = start + lengthAt(UNQUOTED, text, start);
  return { start, end: unquotedEnd(text, start, all, place.isQuery) };
}

/** Returns where a quoted value ends: before the same quote, after no more backslashes. */
function closingAt({ text, depthAt }: PlainText, start: number, mark: string): number | undefined {
  const closing = CLOSING.get(mark) ?? mark;
  const part = text.slice(start, start + (closing === mark ? MAX_QUOTED : MAX_QUOTATION));
  const depth = depthAt(start - 1);
  for (let at = part.indexOf(closing); at >= 0; at = part.indexOf(closing, at + 1)) {
    if (depthAt(start + at) > depth) continue;
    return closing === '»' && /\s$/.test(part.slice(0, at)) ? start + at - 1 : start + at;
  }
  return undefined;
}

/** Returns how long groups of digits, or of letters that are no words, are; 0 if there are none. */
function groupsLength(text: string, at: number, kind: NameKind): number {
  const size = lengthAt(GROUP, text, at);
  let end = at + size;
  while (size > 0 && end - at < MAX_GROUPED && ' \u00a0-'.includes(text[end] ?? '.')) {
    if (lengthAt(GROUP, text, end + 1) !== size) break;
    end += size + 1;
  }
  const whole = text.slice(at, end);
  if (whole.length === size || !matchAt(AFTER_GROUPS, text, end)) return 0;
  const isLong = whole.length >= MIN_GROUPED && whole.length > 2 * size + 1;
  if (/^[\d \u00a0-]+$/.test(whole)) return isLong || kind === 'password' ? whole.length : 0;
  if (!isLong || /(.)\1{3}/.test(whole)) return 0;
  return /[a-z]\d|\d[a-z]|[bcdfghjklmnpqrstvwxz]{4}/i.test(whole) ? whole.length : 0;
}

function unquotedEnd(text: string, start: number, to: number, isQuery = false): number {
  const whole = text.slice(start, to);
  const cut = whole.search(isQuery ? QUERY_STOP : STOP);
  const value = cut < 0 ? whole : whole.slice(0, cut);
  const trailing = TRAILING.exec(value.slice(-8))?.[0].length ?? 0;
  return start + value.length - trailing;
}
