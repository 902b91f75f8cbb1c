import type { NameKind } from './names.js';

/**
 * How closely a value follows its name: `name="value"`, `setName("value")`, `name=value`,
 * `name: value`, as a word of the same sentence, or as one beyond it.
 */
export type Evidence = 'quoted' | 'argument' | 'bound' | 'loose' | 'weak' | 'far';

/** Variables, templates and other stand-ins for a value. */
const STAND_IN =
  /^(?:[<[{(].*|["'`].*|\$\{?[A-Za-z_(].*|%[A-Za-z_]+%|%[sdv@]|#\{.*|!+\w.*|--?[a-z][\w-]*(?:=.*)?|\/[*/].*|(?:null|true|false|undefined)[;,)}].*|[*•.…·_x?-]+|#[\da-f]{3,8})$|\{\{|\$[{(]|xxxx|\*{3}|\.{3}|…/i;
const EXAMPLE =
  /^(?:your|my|the|some|an?|see|siehe|dein|ihr|votre|tu|insert|enter|put|add|replace|change|test|example|dummy|fake|sample|placeholder|redacted|hidden|same|todo|foo|bar)(?:[-_. ].*|me|it)?$|(?:here|example|placeholder|redacted)$/i;
/** Words of configuration, of types, and of what is said about passwords. */
const COMMON = new Set(
  (
    'null undefined none nil true false yes no on off required optional string str text number int ' +
    'bool boolean object any unknown never void buffer bytes char date symbol value input data ' +
    'default auto basic bearer digest token password passwd secret key username user login email ' +
    'wrong incorrect invalid valid missing empty unset expired set changed disabled enabled denied ' +
    'prompt ask stdin file keychain env inherit include omit strict session header cookie hidden ' +
    'to for and or is in of with from the not if as at by be was que que der die das und les para'
  ).split(' '),
);
/** Terms that have digits and letters without being secrets. */
const TERM =
  /^(?:(?:base|sha|md|aes|rsa|utf|argon|oauth|ed|[rhep]s|iso|rfc|win|windows|python|node|http|ipv|tls|fido|pbkdf|chacha)-?\d[\w.:-]{0,12}|[a-z]\d{1,4}[a-z]?|\d+[-. ]?[a-zäöü%]{1,10}\S{0,3}|v?\d+(?:\.\d+)+\S*|\d{4}-\d\d-\d\d\S*|[0-9.,:/-]{1,15}|[a-z]{1,6}-\d{1,3}|(?:ctrl|cmd|shift|alt)[-+]\S*|[a-z]{2,12}=[a-z]{2,})$/i;
/** A call, a property or a generic type. */
const CODE = /^[A-Za-z_$][\w$]*(?:\??\.#?[A-Za-z_$][\w$]*|\[.*|\(.*)+[;,)\]}]*$|=>|\(\)|^\w+\(/;
const CONSTANT = /^_?[A-Z\d]+(?:_[A-Z\d]+)+$/;
/** A name in code does not end with a part that has two digits. */
const NUMBERED = /\d\d?[^\d.()[\]]*\d[^.()[\]]*$/;
const REGEX = /\\[sSwWdD]|\[\^?[^\]\s]{1,20}\][*+?{]|\(\?[:!=<]/;
const LOCATION =
  /^(?:[a-z][a-z\d+.-]{1,9}:\/\/|(?:arn|op|vault|env|file|ref|keychain):|#\/|[a-z]{2,9}:\/?[\w-]+\/[\w/-]+$|[\w.-]+\\{1,8}[\w.-]+$|~?(?:\/[\w.@~-]+)+\/?$|\.{1,2}\/|[A-Za-z]:[\\/])|^[\w./@-]+\.(?:pem|key|crt|json|ya?ml|env|txt|md|[jt]sx?|py|toml|ini|conf|cfg|pub|html|css|p12|pfx|com|org|net|io|de)(?::\d+)*(?:\/.*)?$/;
const EMAIL = /^[\w.+-]+@[\w-]+\.\w/;
/** A word of sentences that passwords of several words do not have. */
const PROSE =
  /(?:^|[\s-])(?:the|an?|is|are|be|it|to|of|in|on|at|for|and|or|not|no|th[ai][st]|you|your|must|was|has|with|only|please|enter|use|see|d[aei][ers]|eine?|ist|und|oder|nicht|zum?|mit|muss|für|bitte|l[ea]s?|une?|est|et|pas|de|du|el|los|es|y|en|para|и|не|на|[a-z]{3,}(?:ed|ing|tion))(?=[\s-]|$)/i;
const PASSWORD_WORD = /passw|kennw|contrase|mot de passe|senha|hasło|парол|密码/i;
/** Words with capitals that signs join. */
const JOINED = /^\p{Lu}\p{Ll}+(?:[.,:;_-]\p{Lu}\p{Ll}+){2,}$/u;
/** Words that signs join, with a number. */
const COMPOUND =
  /^(?:\p{L}?\p{Ll}{2,}\d*[-._])+(?:\p{L}?\p{Ll}{2,}\d*|\d+(?:[-._]\p{L}?\p{Ll}{2,})?)$/u;
/** A word and its number, or words that signs join. */
const IDENTIFIER = /^[a-zа-я]+[-_:.]?\d+$|^[a-z]+(?:[-_:./@][a-z]*(?:\d+(?:[a-z]\d?)?)?)+$/i;
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Characters of a value that are looked at. */
const MAX_JUDGED = 100;
const MIN_SECRET = 4;
const MIN_KEY = 12;
const MIN_RANDOM = 16;
const MAX_PASSWORD = 40;
const HEX = /^[A-Z]?[\da-f]+$/i;
const PASSWORD = /^(?=.*\w[!#%&*?~^])[\w!#%&*?~^+.-]+$/;
/** A part that signs join in code: a name, perhaps with a number, or a number. */
const PART = /^(?![a-z]*\d+[a-z])[\w.-]*$/;
/** Escapes, doubled signs, ranges of characters and endings of files. */
const NO_PASSWORD = /%[\dA-F]{2}|[#&*?~^+%]{2}|A-Z|0-9|\.[a-z]{2,4}(?!\w)/;

/** True if the value of such a name is to be taken for a secret. Looks at its first characters. */
export function isSecretValue(value: string, kind: NameKind, evidence: Evidence): boolean {
  const text = value.slice(0, MAX_JUDGED);
  if (text.length < (kind === 'key' ? MIN_KEY : MIN_SECRET) || kind === 'words') return false;
  if (kind === 'number') return isNumber(text, evidence);
  if (isHarmless(text, kind, evidence)) return false;
  const isOpen = kind === 'key' && UUID.test(text);
  if (evidence === 'far') return isPassword(text) || (isStrong(text) && isDistinct(text));
  if (evidence === 'weak' ? isToken(text) : isRandom(text)) return !isOpen;
  if (kind === 'key' && evidence !== 'loose' && !isDistinct(text)) return false;
  if (kind === 'key') return isStrong(text) && !isOfWords(text);
  if (/^[\d -]+$/.test(text)) return isLongNumber(text, kind, evidence);
  if (evidence === 'weak') return isStrong(text) || (kind === 'password' && isUnusual(text));
  if (/\s/.test(text)) return kind === 'password' && isWord(text, evidence);
  const isMixed = hasMixture(text);
  const isBound = evidence === 'quoted' || evidence === 'bound';
  if (kind !== 'password') return isMixed && text.length >= 6 && (isBound || !isOfWords(text));
  if (!isBound) return isMixed || JOINED.test(text);
  return isMixed || isWord(text, evidence);
}

/** True for digits that are no count. */
function isLongNumber(text: string, kind: NameKind, evidence: Evidence): boolean {
  if (kind === 'password') return evidence !== 'weak';
  return text.length >= (evidence === 'bound' || evidence === 'quoted' ? 8 : MIN_RANDOM);
}

/** True for a long word of a sentence that is random and has no signs of code. */
function isToken(text: string): boolean {
  if (text.length < 20 || !/^[\w+/=.-]+$/.test(text)) return false;
  return !/\d\.\d|^[a-z]{3,}-/.test(text) && isRandom(text);
}

/** True if a text is a number as locks and second factors have it. */
function isNumber(text: string, evidence: Evidence): boolean {
  return evidence !== 'weak' && /^(?:\d{3}[ -]\d{3}|\d{4,12}[A-Z]?)$/.test(text);
}

/** True if a text can be a password of one word or, in quotes, of several that are no sentence. */
function isWord(text: string, evidence: Evidence): boolean {
  if (!/\s/.test(text)) return /[\p{L}\p{N}]{3}/u.test(text);
  if (PASSWORD_WORD.test(text)) return false;
  // an option has a phrase where code has a description
  if (evidence === 'bound') return hasMixture(text) || /^\S+(?: \S+){2,5}$/.test(text);
  return isPassphrase(text) || (hasMixture(text) && !PROSE.test(text));
}

/** True if a text is of three words or more that are no sentence and no label. */
export function isPassphrase(text: string): boolean {
  const count = text.trim().split(/[\s-]+/).length;
  return (
    /^[\p{L}\p{M}\d\s-]+$/u.test(text) &&
    count >= (/^\p{Lu}\P{Lu}*$/u.test(text) ? 4 : 3) &&
    !PROSE.test(text) &&
    !PASSWORD_WORD.test(text)
  );
}

/** True if a text stands for a value, or is of another kind. */
function isHarmless(text: string, kind: NameKind, evidence: Evidence): boolean {
  const isPlain = /^[A-Za-z\d]+$/.test(text);
  if ((isPlain ? /xxxx/i : STAND_IN).test(text) || COMMON.has(text.toLowerCase())) return true;
  const isNamed = EXAMPLE.test(text) || PASSWORD_WORD.test(text);
  if (isNamed && !/\d.*\d/.test(text)) return true;
  if (!isPlain && (LOCATION.test(text) || (kind !== 'password' && CONSTANT.test(text))))
    return true;
  if (evidence === 'quoted') return false;
  if (evidence === 'argument') return kind !== 'password' && TERM.test(text);
  if (!isPlain && (REGEX.test(text) || (evidence !== 'bound' && EMAIL.test(text)))) return true;
  if (!isPlain && CODE.test(text) && !JOINED.test(text))
    return /[([]/.test(text) || !NUMBERED.test(text);
  return (evidence !== 'bound' || kind !== 'password') && TERM.test(text) && !/^\d+$/.test(text);
}

/** True if a text has letters and digits, or letters and signs that words do not have. */
function hasMixture(text: string): boolean {
  return /\p{L}/u.test(text) && /\d|.[!#$%&*+?@^~=]./.test(text);
}

/** True for a short word with digits and signs where names in code and hashes have none. */
function isDistinct(text: string): boolean {
  if (text.length > MAX_PASSWORD || !hasCases(text) || HEX.test(text)) return false;
  return /\d[a-z]|\w[!^&*~+]\w|[a-z]#\d/.test(text);
}

/** True for a word with a sign, or with a capital and a number, as few words near a password. */
function isUnusual(text: string): boolean {
  if (JOINED.test(text)) return true;
  if (text.length < 8 || !/[a-z]{2}/.test(text)) return false;
  if (COMPOUND.test(text)) return /\p{Lu}/u.test(text) && /\d/.test(text);
  if (!/^[\w!&*+.?~^-]+$/.test(text)) return false;
  return /\w[!&*+~^]\w/.test(text) || (hasCases(text) && !/[-_.][A-Za-z]/.test(text));
}

/** True if a word of a sentence is one that only a password or a token looks like. */
function isStrong(text: string): boolean {
  if (text.length < 8 || !/\p{L}/u.test(text) || IDENTIFIER.test(text)) return false;
  if (/[/\\()[\]{}|=]|%[\dA-F]{2}/.test(text)) return false;
  const hasDigit = /\d/.test(text);
  if (/[!#$%^&*~?+@][^\s]/.test(text)) return hasDigit || /[A-Z].*[!#$%^&*~?]/.test(text);
  return hasCases(text) && !isOfWords(text);
}

/** True for a word of letters, digits and signs, as rules for passwords want it, but no code. */
export function isPassword(text: string): boolean {
  if (text.length < 8 || text.length > MAX_PASSWORD || !hasCases(text)) return false;
  if (!PASSWORD.test(text) || NO_PASSWORD.test(text)) return false;
  if (/[a-z\d]!(?![A-Z]+\d+$)\w/.test(text)) return true;
  return !text.split(/[!#%&*?~^+]/).every((part) => PART.test(part));
}

/** True if a text has upper and lower case and a digit. */
export function hasCases(text: string): boolean {
  return /\d/.test(text) && /[A-Z]/.test(text) && /[a-z]/.test(text);
}

/** True if a text is long and its characters follow no pattern. */
export function isRandom(text: string): boolean {
  if (text.length < MIN_RANDOM || /\s/.test(text)) return false;
  if (!/\d/.test(text) || !/[A-Za-z]/.test(text)) return isLongMixture(text);
  return !isOfWords(text) && entropyOf(text) > 2.9;
}

/** True for a name in code, and for words with hardly a digit. */
function isOfWords(text: string): boolean {
  if (IDENTIFIER.test(text)) return true;
  return wordShareOf(text) >= 0.45 && text.replace(/\D/g, '').length * 6 < text.length;
}

/** A run of letters that can be spoken. */
const WORDS = /(?=\p{L}\p{Ll}{3})\p{Lu}?(?![a-z]*[bcdfghjklmnpqrstvwxz]{4})\p{Ll}{3,}/gu;

/** Returns the share of a text that runs of four letters or more have, as words do. */
function wordShareOf(text: string): number {
  const length = text.replace(WORDS, '').length;
  return (text.length - length) / text.length;
}

/** True if a text of letters is no word and no name in code. */
function isLongMixture(text: string): boolean {
  if (/^[a-z]+$/.test(text)) return /[bcdfghjklmnpqrstvwxz]{5}/.test(text);
  return /[a-z][A-Z]/.test(text) && !isOfWords(text) && entropyOf(text) > 3.5;
}

const WEIGHTS = Float64Array.from({ length: 101 }, (_, n) => n * Math.log2(n || 1));
const COUNTS = new Uint8Array(128);

/** Returns the Shannon entropy of a text of at most 100 characters in bits per character. */
function entropyOf(text: string): number {
  COUNTS.fill(0);
  // a sum of the logarithms of counts as they grow
  let sum = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at) & 127;
    const count = (COUNTS[code] ?? 0) + 1;
    COUNTS[code] = count;
    sum += (WEIGHTS[count] ?? 0) - (WEIGHTS[count - 1] ?? 0);
  }
  return Math.log2(text.length) - sum / text.length;
}
