import { matchesOf, type AddSpan } from './characters.js';
import { isNoSentence, isSecretValue } from './values.js';

const OPEN = '(?:[\\ue000"\'`«„“‘「*(]{0,4}|«[ \\u00a0])';
const RUN = '([^\\s\\ue000"\'`<>«»“-„,;、-』！-；]{4,80})';
/** A value with a digit or a sign that words do not have. */
const VALUE = `(?=[^\\s]{0,40}?[\\d!#$%&*+?@^~_=])${RUN}`;
/** Looked for in a value by itself: where values are sought in many places, it would take long. */
const MARK = /[\d!#$%&*+?@^~_=]/;
const NOW_WORD = '(?:now|jetzt|nun|maintenant|ahora|теперь)';
const IS = `(?:is|ist|lautet|heißt|est|es|это|[是为]|${NOW_WORD})`;

const NAMES =
  /pass(?:word|wort|code|phrase)|\bpw\b|_pass\b|kennwort|mot de passe|contraseña|парол.|密码|pwd|secret|token|api[- ]?key|schlüssel|clave|cl[ée] api|ключ/gi;
/** Words after a name that make it a fact about a secret. */
const FACT =
  /^[- _](?:column|field|hash|table|policy|file|type|timeout|length|limit|m[ai][nx]|ttl|age|name|variable|feld|champ|campo|format|version)/i;
const CHANGE =
  /chang|reset|rotat|updat|replac|änder|wechs|setz|modif|mpla[cz]|cambi|мен[аияюё]|[改换]/i;
const TO = new RegExp(
  `(?:\\s(?:from|to|into|with|von|vom|zu|auf|nach|durch|de|du|à|en|vers|par|a|por|со?|на)(?: ?:)?\\s|[从到成为]\\s?)${OPEN}${RUN}`,
  'gi',
);
const NOW = new RegExp(
  `(?:${NOW_WORD}|it is|it's|to be|new one|neu|ab heute|e[sr] ist|c'est)(?:\\s${IS})?[: ]\\s?${OPEN}${VALUE}`,
  'i',
);

/** A value that is called a password after it, as in "use … as the password". */
const CALLED = new RegExp(
  `(?:^|\\s)${OPEN}(?=[^\\s]{0,40}?\\d)${RUN}(?=[ \\u00a0]?[\\ue000"'\`»“”]{0,4} (?:as|als|comme|como|как|作为) (?:[^\\s.,:;]{1,10} ){0,3}$)`,
  'i',
);

/** Words after the verb that are not of a place or of a manner. */
const NO_PLACE = '(?!(?:in|im|at|on|by|with|from|under|auf|bei|mit|dans|avec|en|con|в|на|с)\\s)';
/** A value up to two words after the verb, as in "is still …". */
const SAID = new RegExp(
  `^[^\\n.]{0,40}?\\s(?:${IS}|[—–]|reads|will be|wird|sera|será|будет)(?:\\s${NO_PLACE}[^\\s\\d]{1,10}){0,2}:?\\s${OPEN}${VALUE}`,
  'i',
);

/** A value that the name of its user follows, as in "password for the server … login root". */
const BEFORE_LOGIN = new RegExp(
  `^(?:\\s[^\\s\\d.,:;]{1,15}){1,4}\\s${OPEN}${VALUE}(?=[,;]?\\s(?:and |und |et |y |и |the )?(?:user|login|benutzer|usuario|utilis|identifiant|логин|пользов))`,
  'i',
);

const KEYS =
  /(?:key|schlüssel|cl[ée]|clave|llave|ключ|jeton|token|токен|密[钥鑰]|令牌)(?: (?:\S{1,6} ){0,2}\S{0,2}(?:api|acc[eè]so?|доступа))?/gi;
/** A name that no number or word of code follows, only its value. */
const ACCESS = /(?:acc[eè]so?|доступа)$/i;
const USE =
  /(?:us[ea]|using|nutze|verwende|nimm|utili|emploie|испо|возьм|用)\S{0,5}(?: [^\s.]{1,12}){0,3} $/i;
const KEY_VALUE = new RegExp(`^\\s${OPEN}${VALUE}`);
const KEY_IS = new RegExp(`^(?:(?:\\s${IS}){1,2}:?| ?[—–]|,(?= \\S{16})) ?${OPEN}${VALUE}`, 'i');
/** An identifier that ends with a number, or one of words. */
const IDENTIFIER = /^[a-zа-я]+[-_:.]?\d+$|^[a-z]+(?:[-_:./][a-z\d]*)+$/i;

/** A sentence, which a point in a value does not end. */
const SENTENCE = /^(?:[^\n.!?。！？]|[.!?](?=\S)){0,120}/;
/** Words of a sentence about something that is no secret, or that looks like one. */
const NO_SECRET =
  /public|öffentlich|públic|открыт|公[钥開开]|site[-_ ]?(?:key|$)|hash|sha-?\d|digest|check ?sum|prüfsumme|commit|print|empreinte|huella|отпечат|хе[шщ]|哈希|指纹|uuid|\bids?\b|version/i;
/** A word with a digit, a letter, and a sign in between that joins no words. */
const SIGNED =
  /^(?=\D*\d)(?=[^\p{L}]*\p{L})[\p{L}\d][^\s/\\()[\]{}=:|]*[!#$%^&*~?+@][^\s/\\()[\]{}|]*$/u;
/** A word with small letters, capitals and digits. */
const MIXED = /^(?=\D*\d)(?=[^a-z]*[a-z])(?=[^A-Z]*[A-Z])[\w!#$%^&*~?+@.-]{8,}$/;
/** A link to a note that has begun, whose name is no secret. */
const OPEN_LINK = /\[\[[^\]]*$/;
const MAX_WORDS = 9;
const MIN_WORD = 8;
const WORDS = /[^\s\ue000"'`«»„“”,;(]+/g;
/** Words between the name of a password and one with capitals and digits. */
const MAX_MIXED_WORDS = 2;
const ADDRESS = /^[\w.+-]+@[\w-]+\.\w+|^\w+:\/\/|\.\w{2,4}$/;
/** A long run of letters and digits, as services give out. */
const LONG = /(?:^|[^\w/+=.-])(?=[A-Za-z_-]{0,40}\d)([A-Za-z0-9_-]{24,})(?![\w/+=.-])/;
const HEX_SAID = new RegExp(`(?:\\s${IS}:?|[:：—–,])\\s?${OPEN}([0-9a-f]{32,64})(?![\\w-])`, 'i');

const LOGINS =
  /zugang|anmelde|log(?:ged)? ?in|sign(?:ed)? in|creden[a-z]+|creds|(?:melde|logge?) dich|identifiant|conne[cx]|sesión|acceso|уч[её]т|логин|вой[дт]|доступ|登录|账号|凭据/gi;
const PAIR = new RegExp(
  `^[^\\n:]{0,30}?(?::|=|\\s(?:with|as|using|mit|als|avec|con|como|с|как|is|are|sind|sont|son)|[用是])\\s{0,2}${OPEN}([a-zа-я][\\w.@+-]{1,40})(?: / |:|\\ue000?["'\`]? (?:/|and|und|et|y|и) )${OPEN}${VALUE}`,
  'i',
);

const PINS =
  /\bPUK\b|geheimzahl|code de (?:ma|la|sa|votre) carte(?: bleue| bancaire)?|\b(?:alarm|door|gate|garage|key ?(?:box|safe)|lock|safe|entry) code|(?:tür|alarm|tresor|safe|schloss)code|code (?:de |du |d['’])(?:l['’]|la )?(?:alarme|porte|portail|bo[iî]te|coffre|immeuble|entrée)(?: à clés?)?|c[oó]digo de(?:l| la)? (?:alarma|puerta|caja|portal)|код (?:от|сейфа|двери|домофона)(?: \S{3,14})?|\bPIN(?:[- ]?(?:code|num[a-z]+))?\b|пин(?:-?код)?|(?:verification|security|confirmation|login|sign-?in|2fa|otp|one-time|your|dein|ihr|votre|ton) code|(?:ungs|heits|einmal)code|\b(?:(?:ihre|deine|eine) |sms-?|chip|photo|push|[mi])tan\b|c[oó]d(?:e|igo) de [vs][eé][^\s:]+|[ts]u código|код (?:из|подт)[^\s:]*|验证码/gi;
const DIGITS =
  '(\\d{3}[ \u00a0-]\\d{3}|\\d{4,12}[A-Z]?)(?![\\w-]|[.,:]\\d| ?(?:bit|byte|char|px|ms))';
const PIN = new RegExp(
  `^(?: ?[(（][^()（）\\n]{1,40}[)）])?(?:[^\\n.]{0,30}?\\s?${IS}[: ]{0,2}|[^\\n.:]{0,8}?[:=—–：] ?| )${OPEN}${DIGITS}`,
  'i',
);

/** Names of numbers that nothing else has, whose number may be anywhere in the sentence. */
const OWN_NUMBER = /^(?:PIN|PUK|пин(?:-?код)?|geheimzahl|code de .*carte.*)$/i;
const LATER = new RegExp(`^[^\\n.\\d]{1,40}?[ :]${OPEN}${DIGITS}`, 'i');

const PHRASES =
  /passphrase|(?:seed|recovery|secret|backup|mnemonic|wallet)[- ]?(?:phrase|words)|(?:twelve|12|24) words|mnemonic|(?:ungs|merk|kenn)(?:phrase|wörter|satz)|phrase (?:de (?:récup[^\s:]+|passe)|secrète)|frase (?:semilla|secreta|de (?:recup|contra|paso)[^\s:]*)|(?:сид|секр|мнем|код|пар)\S{0,9}[- ]фраз\S|助记词|短语/gi;
const PHRASE = new RegExp(
  `^(?:[^\\n.:]{0,40}?(?:\\s?${IS}:?|\\s[—–]|\\sc['’]est)\\s|\\ue000?["'\`]? ?[:=—–：] ?)${OPEN}([\\p{L}\\d]{2,20}(?:[ -][\\p{L}\\d]{1,20}){2,24})(?=[ \\u00a0]?[\\ue000"'\`».]?\\s{0,2}(?:$|\\n)|[ \\u00a0]?[\\ue000"'\`».,;)])`,
  'iu',
);
const QUOTED = /[«„“"'`][ \u00a0]?$/;
/** Words in quotes that are a phrase even if they are a sentence. */
const MIN_QUOTED = 5;
const SIGN = /^\ue000?["'`]? ?[:=—–：]/;
/** Characters after a name in which its value is looked for. */
const MAX_DISTANCE = 160;
const MAX_BEFORE = 40;
/** Names that are looked at in as many characters, so that no text costs much more. */
const MAX_NAMES = 3;
/** Values that one name may have. */
const MAX_VALUES = 4;
/** After as many names in a text, only one is looked at in twice as many characters. */
const MANY_NAMES = 1500;
const TRAILING = /[.,;:)\]}!?—]+$/;

/** Adds values that whole phrases announce, as in "change the password from … to …". */
export function findInPhrases(text: string, add: AddSpan): void {
  each(NAMES, text, (rest, at, before, name) => {
    if (FACT.test(rest)) return;
    const called = isPassword(name) ? CALLED.exec(before) : null;
    if (called) addValue(called, at - name.length - before.length, add);
    if (!MARK.test(rest)) return;
    if (isPassword(name)) findWord(rest, before, at, add);
    const found = NOW.exec(rest);
    if (found) addValue(found, at, add);
    const said = SAID.exec(rest);
    const paired = isPassword(name) ? BEFORE_LOGIN.exec(rest) : null;
    if (paired) addValue(paired, at, add);
    if (said && isPassword(name) && isStrong(said[1] ?? '')) addValue(said, at, add);
    if (!CHANGE.test(before) && !CHANGE.test(rest)) return;
    let values = 0;
    for (const match of rest.matchAll(TO)) {
      if (++values > MAX_VALUES) break;
      const value = match[1] ?? '';
      if (MARK.test(value) && (isPassword(name) || !IDENTIFIER.test(value)))
        addValue(match, at, add);
    }
  });
  each(KEYS, text, (rest, at, before, name) => {
    const isNext = ACCESS.test(name) || USE.test(before);
    const found = KEY_IS.exec(rest) ?? (isNext ? KEY_VALUE.exec(rest) : null);
    const value = found?.[1] ?? '';
    if (found && /\d.*\d/.test(value) && !IDENTIFIER.test(value)) addValue(found, at, add);
    else findLong(rest, at, before, add);
  });
  each(LOGINS, text, (rest, at) => {
    const found = PAIR.exec(rest);
    if (found && !/^(?:\/|\d+(?:[/.-]|$))/.test(found[2] ?? '')) addValue(found, at, add);
  });
  each(PINS, text, (rest, at, _, name) => {
    const found = PIN.exec(rest) ?? (OWN_NUMBER.test(name) ? LATER.exec(rest) : null);
    if (found) addEnd(found, found[1] ?? '', at, add);
  });
  each(PHRASES, text, (rest, at) => {
    const found = PHRASE.exec(rest);
    const words = found?.[1] ?? '';
    if (!found) return;
    const isQuoted = QUOTED.test(found[0].slice(0, -words.length));
    if (isPhrase(words, SIGN.test(found[0])) || (isQuoted && words.split(' ').length >= MIN_QUOTED))
      addEnd(found, words, at, add);
  });
}

/** Adds the word of a sentence about a password that only a password looks like. */
function findWord(rest: string, before: string, at: number, add: AddSpan): void {
  const sentence = SENTENCE.exec(rest)?.[0] ?? '';
  if (NO_SECRET.test(sentence) || OPEN_LINK.test(before)) return;
  let words = 0;
  for (const { 0: word, index } of sentence.matchAll(WORDS)) {
    const value = word.replace(TRAILING, '');
    const isOne = words <= MAX_MIXED_WORDS && MIXED.test(value) && !IDENTIFIER.test(value);
    if ((isOne || SIGNED.test(value)) && value.length >= MIN_WORD && !ADDRESS.test(value)) {
      if (!isSecretValue(value, 'password', 'said')) continue;
      add(at + index, at + index + value.length);
      return;
    }
    if (++words > MAX_WORDS) return;
  }
}

/** Adds the long run of letters and digits of a sentence about a key. */
function findLong(rest: string, at: number, before: string, add: AddSpan): void {
  const sentence = SENTENCE.exec(rest)?.[0] ?? '';
  if (NO_SECRET.test(before) || NO_SECRET.test(sentence)) return;
  const found = LONG.exec(sentence);
  const hex = found ? HEX_SAID.exec(sentence) : null;
  if (hex) addEnd(hex, hex[1] ?? '', at, add);
  else if (found?.[1] && MIXED.test(found[1]) && isSecretValue(found[1], 'key', 'said'))
    addEnd(found, found[1], at, add);
}

function isPassword(name: string): boolean {
  return /pass|wort|contra|пар|密|code|pw/i.test(name);
}

/** True if a value has a digit and a letter, and is no identifier that ends with a number. */
function isStrong(value: string): boolean {
  return /\d/.test(value) && /\p{L}/u.test(value) && !IDENTIFIER.test(value);
}

/** True if words are no sentence. After a sign, words with a digit may be nearly anything. */
function isPhrase(words: string, isAfterSign: boolean): boolean {
  const parts = words.split(/[ -]/);
  const isMixed = /\p{L}\d|\d\p{L}/u.test(words);
  if (!isMixed && parts.length < 4) return false;
  return isNoSentence(isMixed && isAfterSign ? (parts[0] ?? '') : words);
}

/** Calls back with what follows each name on its line, what precedes it, and the name. */
function each(
  names: RegExp,
  text: string,
  use: (rest: string, at: number, before: string, name: string) => void,
): void {
  let window = 0;
  let count = 0;
  let all = 0;
  for (const match of matchesOf(names, text)) {
    const isMany = all >= MANY_NAMES;
    if (match.index >= window) {
      window = match.index + (isMany ? 2 : 1) * MAX_DISTANCE;
      count = 0;
    }
    if (++count > (isMany ? 1 : MAX_NAMES)) continue;
    all++;
    const at = match.index + match[0].length;
    const [rest = ''] = text.slice(at, at + MAX_DISTANCE).split('\n');
    use(rest, at, text.slice(Math.max(0, match.index - MAX_BEFORE), match.index), match[0]);
  }
}

/** Adds the last group of a match in the text at a position, without what ends a sentence. */
function addValue(match: RegExpExecArray, at: number, add: AddSpan): void {
  const group = match.at(-1) ?? '';
  const value = group.replace(TRAILING, '');
  if (/^_.*_$/.test(value)) return;
  const isNumber = /^\d{6,12}$/.test(value);
  const isQuoted = /["«„“][ \u00a0]?$/.test(match[0].slice(0, -group.length));
  const style = isQuoted ? 'quoted' : 'said'; // what is quoted is no code
  if (!isNumber && !(/\p{L}/u.test(value) && isSecretValue(value, 'password', style))) return;
  addEnd(match, group, at, (start) => add(start, start + value.length));
}

/** Adds the end of a match. */
function addEnd(match: RegExpExecArray, value: string, at: number, add: AddSpan): void {
  const end = at + match.index + match[0].length;
  add(end - value.length, end);
}
