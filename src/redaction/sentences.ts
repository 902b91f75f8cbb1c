import type { SecretName } from './names.js';
import { lengthAt, matchAt, type AddSpan, type PlainText } from './plain-text.js';
import { readValue } from './read-value.js';
import { isPassphrase, isSecretValue } from './values.js';

/** Characters after a name in which its value is looked for. */
const MAX_AFTER = 140;
/** Characters of a value that follows its name without a sign. */
const MIN_NEXT = 8;
const WORD =
  /[^\s"'`«»„“”‘’<>()[\]*\u3000-\u9fff\uff00-\uff5e—–=&@:/,;#][^\s"'`«»„“”‘’<>()[\]*\u3000-\u9fff\uff00-\uff5e—–]*/g;
/** Characters that most words of sentences do not have. */
const VALUE = /\d|.[!#$%^&*~?+@.]|[bcdfghjklmnpqrstvwxz]{4}|\p{Ll}\p{Lu}/u;
const TRAILING = /[.,;:!?}]{1,8}$/;
/** Signs, quotes or a script without spaces, which make nearly anything the value of a name. */
const BINDER = /[:=：—–→]\s{0,3}["'`«„“‘*(]{0,3}\s?$|["`«„“‘「][ \u00a0]?$|\s'$|[\u4e00-\u9fff] ?$/;
const OPENED = /["'`«„“‘「][ \u00a0]?$/;
/** Words before something that only looks like a secret, and signs of code. */
const NO_SECRET =
  /[{}|;]|=>|\w[(<]|\(\w+:|\[\]|\?:|\+\w|public|öffentlich|открыт|公|hash|sha-?\d|digest|check ?sum|prüfsumme|commit|print|uuid|version|example|e\.g\.|z\. ?B\./i;
const SENTENCE_END = /[.!?](?=\s)|"\s?[,}\]]|[。！？]|(?:^|[^:\s>+])[ \t]*\r?\n/;
const NUMBER =
  /^(?: ?[(（][^()（）\n]{1,40}[)）])?[^\d\n]{0,50}?(\d{3,4}[ -]\d{3,4}|\d{4,12}[A-Z]?)(?![\w-]|[.,:]\d| ?(?:bit|byte|char|px|ms))/;
const SEED = /(?:[a-z]{3,8}[\s,>+-]{1,4}(?:\d{1,2}[.):]? ?)?){11,24}[a-z]{3,8}/;
/** Characters after a name in which a list of words or of codes is looked for. */
const MAX_LIST = 400;
const PHRASE =
  /^[^\n.:]{0,30}?(?::|=|—|\s(?:is|ist|est|es|это))\s?["'`«„“]?[ \u00a0]?([\p{L}\d]{2,20}(?:[ -][\p{L}\d]{1,20}){2,24})(?=[ \u00a0]?(?:["'`»“.,;)]|$|\n))/iu;
/** Text before a list of codes, and before each of them. */
const LIST = /[^\n:]{0,60}[:\n][\s>+]{0,9}/y;
const ITEM = /[\s,;>+]{0,9}(?:[-*] |\d{1,2}[.)] )?/y;
const CODE =
  /(?:(?=[A-Za-z-]{0,20}\d)[A-Za-z0-9]{3,10}(?:-[A-Za-z0-9]{3,10}){1,4}|(?=[a-z]{0,12}\d)[a-z0-9]{8,12}|\d{3,5} \d{3,5}|\d{6,10})(?![\w-])/y;

/** Adds the values in the sentence of a name. Returns where the last one ends, or the name. */
export function findInSentence(plain: PlainText, named: SecretName, add: AddSpan): number {
  const { text } = plain;
  const { start, end, kind } = named;
  const name = text.slice(start, end);
  if (/phrase|frase|seed|mnemonic|фраз|助记词/i.test(name)) return findWords(text, end, add);
  // a word of code, of a pattern or of tests
  if (name === 'pass' || /^\)?[([{\\?*+|<=/]/.test(text.slice(end, end + 2))) return end;
  if (kind === 'number') return Math.max(findCodes(text, end, add), findNumber(text, end, add));
  return findAfter(plain, named, add);
}

/** Adds the words after a name that look like its value; the farther, the more they must. */
function findAfter(plain: PlainText, { end, kind }: SecretName, add: AddSpan): number {
  const { text } = plain;
  const near = lengthOfSentence(text, end);
  const part = text.slice(end, end + MAX_AFTER);
  const other = part.search(NO_SECRET);
  let found = end;
  for (const { 0: word, index } of part.matchAll(WORD)) {
    if (other >= 0 && other <= index) break;
    const at = end + index;
    const before = part.slice(0, index);
    const mark = OPENED.exec(before)?.[0].length ?? 0;
    const isCode = part[index + word.length] === '(' || /[#@]$/.test(before);
    if (at < found || isCode || !(mark > 0 || VALUE.test(word))) continue;
    const value = word.replace(TRAILING, '');
    const isNext = before.trim() === '' && value.length >= MIN_NEXT && /^[ps]/.test(kind);
    const isIn = index < near;
    const isBearer = isNext && /bearer$/i.test(text.slice(end - 6, end));
    const isBound = isIn && (isNext || BINDER.test(before.slice(-12)));
    const evidence = isBearer ? 'bound' : isBound ? 'loose' : isIn ? 'weak' : 'far';
    const read = isBound
      ? readValue(plain, { at: at - mark, kind, evidence, inQuotes: 'argument' })
      : isSecretValue(value, kind, evidence) && { start: at, end: at + value.length };
    if (!read) continue;
    found = read.end;
    add(read.start, found);
  }
  return found;
}

function lengthOfSentence(text: string, at: number): number {
  const stop = text.slice(at, at + MAX_AFTER).search(SENTENCE_END);
  return stop < 0 ? MAX_AFTER : stop + 1;
}

/** Adds the number of a PIN or a code. Returns where it ends. */
function findNumber(text: string, from: number, add: AddSpan): number {
  const sentence = text.slice(from, from + lengthOfSentence(text, from));
  const [whole = '', number = ''] = NUMBER.exec(sentence) ?? [];
  if (number === '' || NO_SECRET.test(whole)) return from;
  const end = from + whole.length;
  add(end - number.length, end);
  return end;
}

/** Adds a passphrase or a seed phrase. Returns where it ends. */
function findWords(text: string, from: number, add: AddSpan): number {
  const part = text.slice(from, from + MAX_LIST);
  const seed = SEED.exec(part)?.[0];
  const words = seed ?? PHRASE.exec(part)?.[1] ?? '';
  const isSecret = seed !== undefined || (words.split(/[ -]/).length > 3 && isPassphrase(words));
  if (!isSecret) return from;
  const start = from + part.indexOf(words);
  add(start, start + words.length);
  return start + words.length;
}

/** Adds the codes of a list. Returns where it ends. */
function findCodes(text: string, from: number, add: AddSpan): number {
  let at = from + lengthAt(LIST, text, from);
  let end = from;
  for (let length = at - from; length > 0; at = end) {
    at += lengthAt(ITEM, text, at);
    length = matchAt(CODE, text, at)?.[0].length ?? 0;
    if (length === 0 || at > from + MAX_LIST) break;
    add(at, at + length);
    end = at + length;
  }
  return end;
}
