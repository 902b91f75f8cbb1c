import {
  charactersOf,
  DIGIT,
  isWordCode,
  lengthAt,
  LETTER,
  OPEN,
  PATH,
  SIGN,
  WIDE,
} from './characters.js';
import { isLabel, namesPassword, type NameKind } from './names.js';

/** How a value follows its name. */
export type ValueStyle =
  /** `name="value"`, `"name": "value"` */
  | 'quoted'
  /** `name=value` */
  | 'assigned'
  /** `name = value` or `name: value` */
  | 'spaced'
  /** `--name value` */
  | 'option'
  /** `the name is value` */
  | 'said'
  /** `name value` */
  | 'adjacent'
  /** `the name of something value` */
  | 'near';

/** Variables, templates and other stand-ins for a value. */
const STAND_IN =
  /^(?:--[a-z].*|\$\{?[A-Za-z_][\w.:-]*(?:[\\/].*)?|\$[({].*|%[A-Za-z_]+%|%[sdv@].*|[<{[(#@].*|!\[.*|[*•.…·_-]+|(?:x+[-_ ]?)+|\?+|\/(?:\^|.*[({[]).*|["'`].*|your[-_ ].*|read-host|get-[a-z]+|new-object|convertto-securestring|import-clixml)$/i;
const TEMPLATES = ['{{', '${', '$('];
const STAND_IN_START =
  /^(?:your|my|the|some|dein|ihr|votre|tu|su|ton|insert|enter|put|add|replace|change|test|example|dummy|fake|sample|placeholder|redacted|hidden|removed|secret|geheim|todo|tbd|foo|bar|abc|here)(?:[-_ ].*|me|it)?$/i;
const STAND_IN_END = /(?:[-_ ]here|example|placeholder|redacted|changeme|ersetzen)$/i;
/** Words of languages and of configuration, and what is said of passwords. */
const COMMON = new Set(
  (
    'null undefined none nil true false yes no on off required optional string str text number int ' +
    'integer boolean bool object array any unknown never void buffer bytes char varchar date symbol ' +
    'value input data result response request default auto basic bearer digest token password pass ' +
    'passwd secret key user username admin login email name is are was be not and or the to of in for ' +
    'with from if when must should may can will await new function async return const let var self ' +
    'this body params query config settings env options props state ctx wrong correct incorrect ' +
    'invalid valid missing empty set unset expired strong weak ok failed changed disabled enabled ' +
    'accepted rejected denied jwt oauth saml ldap plain prompt ask stdin file keychain env inherit ' +
    'siehe falsch richtig leer streng keine kein nein ja voir aucun ninguna ninguno ver значение нет ' +
    'да 无 有 错误 必填 type include same-origin omit lax strict session none secretref header cookie ' +
    'flag option argument parameter as by at via per instead 1password パスワード 비밀번호 암호'
  ).split(' '),
);
/** Words with capitals that points join, and a number. */
const CAPITALS = /^\p{Lu}\p{Ll}{2,}(?:[._]\p{Lu}\p{Ll}{2,})+\d{1,4}[!?]?$/u;
/** The start of a sentence, or its punctuation. */
const SENTENCE = /^\p{Lu}\p{L}*\s\S+\s|[,:;]\s/u;
const COLUMN = /^[a-z]{2,}(?:_[a-z]{2,})+$/;
const CONSTANT = /^[A-Z]{2,}(?:_[A-Z]{2,})+$/;
/** Perhaps a kind of password, as in "E2E password" of a language that joins words. */
const NAMED_PASSWORD = /^[\p{L}\d]{1,8}-\p{L}{8,}$/u;
/** Terms that have digits and letters without being secrets. */
const TERM =
  /^(?:base\d+|sha-?\d+(?::\S*)?|md5|[rhep]s\d+|ed25519|x?25519|aes\S*|utf-?\d+|argon2\S*|bcrypt|oauth\S*|x509|p\d+|pbkdf2\S*|i18n|e2e|k8s|s3|h264|mp3|iso\S*|rfc\S*|\d+[-. ]?(?:bit|byte|char|digit|stellig|zeichen|day|hour|min|sec|month|year|mois|jour|d[ií]a|tag|%|ms|kb|mb|px)\S*|v?\d+(?:\.\d+)+\S*|\d{4}-\d\d-\d\d\S*|[a-z]{1,6}-\d{1,3}|[a-z][\w.-]*\\{1,4}\w+|(?:ctrl|cmd|shift|alt)(?:[-+_]\S*)?|f\d\d?|[0-9.,:/-]{1,15})$/i;
/** Letters and digits of a key, at whose start a term can be by chance. */
const RUN = /^[\w-]*[A-Za-z\d]{16}/;
/** A class of characters with its count, and other parts of a regular expression. */
const REGEX = /\\[sSwWdD][*+?){]|\[\^?[^\]\s]{1,20}\][*+?{]|\(\?[:!=<]/;
const RESOURCE = /^arn:aws[\w-]*:/;
const CODE =
  /^[A-Za-z_$][\w$]*(?:\??\.#?[A-Za-z_$][\w$]*|\[.*|\(.*)+[;,)\]}]*$|^(?:await|new|function|async|typeof|str|int)\b|=>|\(\)|^![A-Za-z]/;
const LOCATION =
  /^(?:[a-z]{2,9}:\/(?:\/|[a-z])|file:|vault:|\.{0,2}\/[\w.@~-]+\/[\w./@~-]*$|~\/|[A-Za-z]:[\\/]|\.{1,2}\/|\/[a-z]+$)|^[\w./@-]+\.(?:pem|key|crt|json|ya?ml|env|txt|md|tsx?|jsx?|py|toml|ini|conf|cfg|pub|html|css|p12|pfx|kdbx|asc)$/;
const SIGNS = /(?:[!#$%&*+<=>?@^|~][^!#$%&*+<=>?@^|~]*){6}/;
/** A part of a name in code has no two groups of digits. */
const NOISE = /\.(?=[^.]{10})[^.]*?\d[^.\d]+\d/;
/** A word that passwords of several words do not have, in any of the languages. */
const PROSE =
  /(?:^|[ -])(?:see|siehe|voir|ver|см|the|an?|is|are|be|it|to|of|in|on|at|for|and|or|not|no|th[ai][st]|your?|must|was|has|with|only|please|enter|least|d[aei][ers]|eine?|ist|und|oder|nicht|zum?|im|mit|muss|für|bitte|l[ea]s?|une?|est|et|ou|pas|trop|de|du|el|los|es|y|muy|en|para|и|не|characters|zeichen|mindestens|[a-z]{3,}(?:ed|tion))(?=[ -]|$)/i;
/** An end of a word that fewer passwords have than sentences. */
const ENDING = /[a-z](?:ed|ing|ly|tion|able)(?=[ -]|$)/i;
const WORDS = /^[\p{L}\p{M}\s'’.,:;!?-]+$/u;
/** Two words that only a password joins so. */
const JOINED = /\p{L}[!?]\p{L}/u;
/** Words with capitals that a sign joins, or words that hyphens join. */
const COMPOUND =
  /^(?:[\p{L}\p{M}]{6,}|[\p{L}\p{M}]{2,}(?:-[\p{L}\p{M}]{2,}){1,5}|\p{Lu}[\p{Ll}\p{M}]+(?:[.,:;_]\p{Lu}[\p{Ll}\p{M}]+)+)$/u;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Characters of a value that are looked at. */
const MAX_JUDGED = 100;
const MIN_SECRET = 4;
const MIN_RANDOM = 16;
/** Digits of a number that is no count. */
const MIN_NUMBER = 8;

/** True if the value of such a name is to be taken for a secret. Looks at its first characters. */
export function isSecretValue(value: string, kind: NameKind, style: ValueStyle): boolean {
  const text = value.slice(0, MAX_JUDGED);
  if (text.length < (kind === 'key' ? MIN_RANDOM : MIN_SECRET)) return false;
  if (text.length < MIN_RANDOM && COMMON.has(text.toLowerCase())) return false;
  const judged = { text, kind, style, has: charactersOf(text) };
  return hasForm(judged) && !isHarmless(judged);
}

interface Judged {
  readonly text: string;
  readonly kind: NameKind;
  readonly style: ValueStyle;
  /** Kinds of its characters. */
  readonly has: number;
}

/** True if a text has the form that values of this kind have. */
function hasForm({ text, kind, style, has }: Judged): boolean {
  if (has === DIGIT) return isNumberSecret(text, kind, style);
  const isWord = (has & DIGIT) === 0 && WORDS.test(text) && !JOINED.test(text);
  if (style === 'near')
    return (
      text.length >= 20 && hasMixture(text, has) && isRandom(text) && !/^[0-9a-f-]+$/i.test(text)
    );
  if (kind === 'key') return !isWord && (isRandom(text) || (style === 'quoted' && isNoise(text)));
  if (style === 'adjacent') return text.length >= 8 && hasMixture(text, has);
  if (!isWord) return !isLoose(style) || hasMixture(text, has);
  if (kind === 'secret') return isLongMixture(text);
  if (style === 'quoted') return !/\s/.test(text) || isPassphrase(text);
  return style === 'option' || style === 'assigned';
}

/** True if a text is of words that are no sentence and no label. One with a capital needs four. */
function isPassphrase(text: string): boolean {
  const count = text.trim().split(/\s+/).length;
  return (
    /^[\p{L}\p{M}\s-]+$/u.test(text) &&
    count >= (/^\p{Lu}\P{Lu}*$/u.test(text) ? 4 : 3) &&
    !PROSE.test(text) &&
    !namesPassword(text)
  );
}

/** True if no word is one of sentences or of labels. */
export function isNoSentence(text: string): boolean {
  return !PROSE.test(text) && !ENDING.test(text) && !namesPassword(text);
}

/** True if a text is of three words or more, none of which is a word for a password. */
export function isWords(text: string): boolean {
  return text.length < MAX_JUDGED && /^\p{Ll}+(?: \S+){2,}$/u.test(text) && !namesPassword(text);
}

/** True if at most a quarter of the words are of languages or of configuration. */
function areFewCommon(words: readonly string[]): boolean {
  return words.filter(isCommon).length * 4 <= words.length;
}

function isCommon(word: string): boolean {
  return COMMON.has(word.toLowerCase());
}

/** Words to the end of a line. */
const PHRASE = /[\p{L}\d]{2,15}(?: [\p{L}\d]{2,15}){2,7}(?=[ \t]{0,3}(?:\r?\n|\ue000|["']|$))/uy;
const MAX_FIRST_WORD = 16;
/** An item of a list in YAML, before a name. */
const ITEM = /(?:^|\n)[ \t>+]{0,20}- ["']?[\w.-]{1,40}=$/;
const MAX_ITEM = 70;
/** Words in an instruction about a password. */
const INSTRUCTION = /\b(?:ask|use|see|same|check|stored|none|any|all|must|should|can|will|via)\b/;

/** Returns where a password of several words ends that has a line for itself; `start` if none. */
export function passphraseEnd(text: string, start: number, style: ValueStyle): number {
  let first = start;
  while (first < start + MAX_FIRST_WORD && isWordCode(text.charCodeAt(first))) first++;
  // most values are one word
  const isOne = text.charCodeAt(first) < 128 && text[first] !== ' ';
  const end = isOne ? start : start + lengthAt(PHRASE, text, start);
  if (end === start) return start;
  const words = text.slice(start, end);
  const parts = words.split(' ');
  // a command of two words may follow a variable
  const isCommand =
    style === 'assigned' &&
    parts.length < 4 &&
    !ITEM.test(text.slice(Math.max(0, start - MAX_ITEM), start));
  const isPhrase =
    !isCommand && areFewCommon(parts) && isNoSentence(words) && !INSTRUCTION.test(words);
  return isPhrase ? end : start;
}

/** True if a value that is alone on its line can be a password of words. */
export function isCompound(value: string): boolean {
  if (!COMPOUND.test(value)) return false;
  const sign = /[-.,:;_]/.exec(value);
  if (!sign) return true;
  const { index } = sign;
  const isPair = value.indexOf(sign[0], index + 1) < 0;
  if (isPair && (isCommon(value.slice(0, index)) || isCommon(value.slice(index + 1)))) return false;
  return isNoSentence(value.replace(/[.,:;_]/g, ' '));
}

function isNumberSecret(text: string, kind: NameKind, style: ValueStyle): boolean {
  if (kind === 'password') return style !== 'adjacent';
  return kind === 'secret' && text.length >= (isLoose(style) ? MIN_RANDOM : MIN_NUMBER);
}

/** True if a text stands for a value, or is of another kind. */
function isHarmless(judged: Judged): boolean {
  const { text, kind, style, has } = judged;
  if (mayStandIn(text) && STAND_IN.test(text)) return true;
  if (has & OPEN && TEMPLATES.some((mark) => text.includes(mark))) return true;
  if (has & PATH && RESOURCE.test(text)) return true;
  if (has & (PATH | OPEN) && style !== 'quoted' && REGEX.test(text)) return true;
  if (has & PATH && LOCATION.test(text) && (style === 'near' || !isRandom(text))) return true;
  const hasTwoDigits = has & DIGIT && /\d.*\d/.test(text);
  if (!hasTwoDigits && (STAND_IN_START.test(text) || STAND_IN_END.test(text.slice(-14))))
    return true;
  if (has & (PATH | OPEN | SIGN) && isCode(judged)) return !(NOISE.test(text) && isRandom(text));
  if (kind !== 'password' && isExpression(judged)) return true;
  if (isLoose(style) && has & SIGN && NAMED_PASSWORD.test(text) && namesPassword(text)) return true;
  if (isLoose(style) && has & SIGN && !(has & DIGIT) && isPlainCode(text, kind)) return true;
  if (!(has & DIGIT) && /^\p{L}+$/u.test(text) && isLabel(text)) return true;
  if (has !== DIGIT && (isLoose(style) || kind !== 'password') && TERM.test(text))
    return !(RUN.test(text) && isRandom(text));
  return (kind === 'key' || style === 'adjacent') && text.length === 36 && UUID.test(text);
}

/** True if a text begins as one of those that stand for a value. */
function mayStandIn(text: string): boolean {
  return !/[A-Za-z\d]/.test(text.charAt(0)) || 'xyrgnciXYRGNCI'.includes(text.charAt(0));
}

function isCode({ text, kind, style }: Judged): boolean {
  if (style === 'quoted' || (kind === 'password' && CAPITALS.test(text))) return false;
  return CODE.test(text) && (isLoose(style) || /[([]|=>/.test(text));
}

/** True if a text is an expression, a constant or a sentence, which is no key. */
function isExpression({ text, kind, has }: Judged): boolean {
  if (kind === 'key' && has & OPEN && /\w\(\)/.test(text)) return true;
  if (!(has & SIGN)) return false;
  return CONSTANT.test(text) || (SENTENCE.test(text) && PROSE.test(text));
}

/** True for an attribute of words, as `type=email`, and for a column, which is no key. */
function isPlainCode(text: string, kind: NameKind): boolean {
  return /^[a-z]{2,12}=[a-z]{2,}$/.test(text) || (kind !== 'password' && COLUMN.test(text));
}

function isLoose(style: ValueStyle): boolean {
  return style === 'spaced' || style === 'said' || style === 'adjacent' || style === 'near';
}

/** True if a text has letters and digits, or letters and signs that words do not have. */
function hasMixture(text: string, has: number): boolean {
  if (!(has & LETTER) && /^\d{4,8}(?:-\d{4,8}){2,}$/.test(text)) return true;
  return (
    text.length >= 5 &&
    ((has & LETTER) > 0 || ((has & WIDE) > 0 && /\p{L}/u.test(text))) &&
    ((has & DIGIT) > 0 || /[!#$%&*+?@^~_=]./.test(text)) &&
    !(text.includes('@') && /^[\w.+-]+@[\w-]+\.\w+/.test(text))
  );
}

function isLongMixture(text: string): boolean {
  // no word has five consonants in a row
  if (/^[a-z]{12,}$/.test(text)) return /[bcdfghjklmnpqrstvwxz]{5}/.test(text) && entropy(text) > 2;
  return (
    text.length >= 16 &&
    /[a-z][A-Z]/.test(text) &&
    !/\s/.test(text) &&
    entropy(text) > 3.5 &&
    !isName(text)
  );
}

/** True if a text is of words in code, each of which a capital begins. */
function isName(text: string): boolean {
  if (!/^[a-z]*(?:[A-Z]{1,3}[a-z]{2,})+$/.test(text)) return false;
  return text.split(/[A-Z]{1,3}/).length * 4 <= text.length;
}

/** True if a text is long and its characters follow no pattern. */
export function isRandom(text: string): boolean {
  if (text.length < MIN_RANDOM || /\s/.test(text)) return false;
  if (!/\d/.test(text) || !/[A-Za-z]/.test(text)) return isLongMixture(text);
  const parts = text.split(/[-_./:]/);
  const isOfWords =
    parts.length > 2 && parts.every((part) => /^(?:[A-Za-z]+|\d+|[a-z]+\d)?$/.test(part));
  return !isOfWords && entropy(text) > 2.9;
}

/** True if a text is long and of signs rather than words, as the salts of WordPress. */
function isNoise(text: string): boolean {
  return text.length > 30 && /\d/.test(text) && !/[a-z]{5}/.test(text) && SIGNS.test(text);
}

/** How often each character of a text occurs, by the lowest bits of its code. */
const counts = new Uint8Array(256);

/** Returns the Shannon entropy of a short text in bits per character. */
function entropy(text: string): number {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at) & 255;
    counts[code] = (counts[code] ?? 0) + 1;
  }
  let bits = 0;
  // the first time a character is seen, it is counted as often as it occurs
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at) & 255;
    const share = (counts[code] ?? 0) / text.length;
    counts[code] = 0;
    if (share > 0) bits -= share * Math.log2(share);
  }
  return bits;
}
