import type { NameKind } from './names.js';

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
  /^(?:\$\{?[A-Za-z_][\w.:-]*|\$[({].*|%[A-Za-z_]+%|%[sdv@].*|[<{[(#@].*|[*•.…·_-]+|(?:x+[-_ ]?)+|\?+|\/.*[({[].*|["'`].*|your[-_ ].*)$/i;
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
    'flag option argument parameter as by at via per instead'
  ).split(' '),
);
/** Terms that have digits and letters without being secrets. */
const TERM =
  /^(?:base\d+|sha-?\d+|md5|[rhep]s\d+|ed25519|x?25519|aes\S*|utf-?\d+|argon2\S*|bcrypt|oauth\S*|x509|p\d+|pbkdf2\S*|i18n|e2e|k8s|s3|h264|mp3|iso\S*|rfc\S*|\d+[-. ]?(?:bit|byte|char|digit|stellig|zeichen|day|hour|min|sec|month|year|mois|jour|d[ií]a|tag|%|ms|kb|mb|px)\S*|v?\d+(?:\.\d+)+\S*|\d{4}-\d\d-\d\d\S*|[a-z]{1,6}-\d{1,3}|(?:ctrl|cmd|shift|alt)(?:[-+_]\S*)?|f\d\d?|[0-9.,:/-]{1,15})$/i;
const CODE =
  /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*|\[.*|\(.*)+[;,)\]}]*$|^(?:await|new|function|async|typeof|str|int)\b|=>|\(\)|^![A-Za-z]/;
const LOCATION =
  /^(?:https?:\/\/|file:|op:\/\/|vault:|arn:|\.{0,2}\/[\w.@~-]+\/[\w./@~-]*$|~\/|[A-Za-z]:[\\/]|\.{1,2}\/|\/[a-z]+$)|^[\w./@-]+\.(?:pem|key|crt|json|ya?ml|env|txt|md|tsx?|jsx?|py|toml|ini|conf|cfg|pub|html|css|p12|pfx|kdbx|asc)$/;
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
  return hasForm(text, kind, style) && !isHarmless(text, kind, style);
}

/** True if a text has the form that values of this kind have. */
function hasForm(text: string, kind: NameKind, style: ValueStyle): boolean {
  if (/^[0-9]+$/.test(text)) return isNumberSecret(text, kind, style);
  const isWord = /^[\p{L}\p{M}\s'’.,:;!?-]+$/u.test(text);
  if (style === 'near')
    return text.length >= 20 && hasMixture(text) && isRandom(text) && !/^[0-9a-f-]+$/i.test(text);
  if (kind === 'key') return !isWord && isRandom(text);
  if (style === 'adjacent') return text.length >= 8 && hasMixture(text);
  if (!isWord) return !isLoose(style) || hasMixture(text);
  if (kind === 'secret') return isLongMixture(text);
  return style === 'option' || style === 'assigned' || (style === 'quoted' && !/\s/.test(text));
}

function isNumberSecret(text: string, kind: NameKind, style: ValueStyle): boolean {
  if (kind === 'password') return style !== 'adjacent';
  return kind === 'secret' && text.length >= MIN_NUMBER && !isLoose(style);
}

/** True if a text stands for a value, or is of another kind. */
function isHarmless(text: string, kind: NameKind, style: ValueStyle): boolean {
  if (STAND_IN.test(text) || TEMPLATES.some((mark) => text.includes(mark))) return true;
  if (LOCATION.test(text) && (style === 'near' || !isRandom(text))) return true;
  if (!/\d.*\d/.test(text) && (STAND_IN_START.test(text) || STAND_IN_END.test(text.slice(-14))))
    return true;
  if (style !== 'quoted' && CODE.test(text) && (isLoose(style) || /[([]|=>/.test(text)))
    return true;
  if (!/^\d+$/.test(text) && (isLoose(style) || kind !== 'password') && TERM.test(text))
    return true;
  return (kind === 'key' || style === 'adjacent') && UUID.test(text);
}

function isLoose(style: ValueStyle): boolean {
  return style === 'spaced' || style === 'said' || style === 'adjacent' || style === 'near';
}

/** True if a text has letters and digits, or letters and signs that words do not have. */
function hasMixture(text: string): boolean {
  if (/^\d{4}(?:-\d{4}){2,}$/.test(text)) return true;
  return (
    text.length >= 5 &&
    /\p{L}/u.test(text) &&
    (/\d/.test(text) || /[!#$%&*+?@^~_=]./.test(text)) &&
    !/^[\w.+-]+@[\w-]+\.\w+/.test(text)
  );
}

function isLongMixture(text: string): boolean {
  // no word has five consonants in a row
  if (/^[a-z]{12,}$/.test(text)) return /[bcdfghjklmnpqrstvwxz]{5}/.test(text) && entropy(text) > 2;
  return text.length >= 16 && /[a-z][A-Z]/.test(text) && !/\s/.test(text) && entropy(text) > 3.5;
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

/** Returns the Shannon entropy of a text in bits per character. */
function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values())
    bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}
