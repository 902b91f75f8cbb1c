import type { TextSpan } from './plain-text.js';

/**
 * Kind of value that a name announces: a password may be any text, a secret is no word, a key is
 * only a secret if it looks random, a number is a PIN or a code, and words are a seed phrase.
 */
export type NameKind = 'password' | 'secret' | 'key' | 'number' | 'words';

export interface SecretName extends TextSpan {
  readonly kind: NameKind;
}

/** The places in a text at which a name may be. */
export const STEM =
  /pass|pwd|pw(?![a-z])|psk|mdp(?![a-z])|kennw|contrase|wachtw|senha|парол|密[码碼钥鑰匙]|口令|secret|token|cred|auth|bearer|jeton|geheim|zugang|секрет|токен|令牌|[凭憑][证證据據]|[私秘][钥鑰]|key(?![a-z]{2})|cl[ée](?![a-zé])|clave|llave|chiave|chave|schl[uü]|ключ|jwt|otp|dsn|connectionstring|si[gd](?![a-z])|signature|sess|salt(?![a-z])|seed|pin(?![a-z]{2})|puk|tan(?![a-z])|пин|code(?![a-z]{2})|c[oó]digo|код|验证码|ph?rase|фраз|mnemonic|助记词/gi;

const PASSWORD =
  /passw|pass(?:wd|phrase|code)|pwd|kennw[oö]rt|contrase|wachtwoord|senha|парол|^密码$|^密碼$|口令|mdp$|clave$|^(?:pw|psk|psw)$|(?:store|key|user|db|require)pass$/;
const SECRET =
  /(?:secret|token|credential|creds|apikey|authcode|authkey|accesskey|secretkey|privatekey|bearer|authorization|jeton|geheimniss?|zugangsdate|connectionstring|sessid|sessionid|секрет|токена?|令牌|密[钥鑰匙]|[凭憑][证證据據]|私[钥鑰]|^(?:otp|totp|jwt|dsn))(?:s|n|e)?$/;
const KEY =
  /^(?!public|site|primary|foreign).*(?:key|auth|sig|signature|schl[üu]e?ssel|cl[ée]|clave|llave|chiave|chave|sleutel|ключа?|session|sess|sid|salt|seed)s?$/;
const NUMBER = /^(?:pin|puk|tan|otp|пин|pincode|验证码)$/;
const CODE = /^(?!de|en|uni|bar|qr|char|by|op)\p{L}*(?:code|c[oó]digo|код\p{L}?)s?$/u;
const WORDS = /^(?:phrase|frase|фраз.*|mnemonic|助记词)$/;
/** Words next to one for a code that make it one of locks and of second factors. */
const OF_LOCK =
  /v[eé]rif|confirm|bestät|s[eé][cg]ur|sicher|log-?in|sign-?in|einmal|one-time|alarm|do+r|tür|gate|garage|port[ea]|puerta|safe|tresor|coffre|caja|lock|entr|acc[eè]s|zugang|bank|cart[ea]|sms|2fa|us[oa](?![a-z])|recover|r[eé]cup|wiederher|backup|reserv|резерв|подтв|сейф|двер/i;
/** Words before a key that make it a secret, whatever it looks like. */
const QUALIFIER =
  /^(?:api|app|access|secret|private|client|encrypt.*|decrypt.*|sign.*|master|auth|account|storage|service|license|webhook|shared|subscription|consumer|deploy|admin|прив.*|секр.*)$/;
const OF_NETWORK = /^(?:wi-?fi|wlan|wpa|network|netzwerk)$/;
/** Words before a key, or after one, that make it something that everybody may see. */
const OPEN =
  /^(?:publi.*|pub|öffentl.*|foreign|for[aá]n.*|étrang.*|prim[aä].*|cache|idempotency|partition|sort|site|открыт.*)$/;
/** Words after a name that make it a fact about a secret. */
const FACT =
  /^(?:count|length|size|limit|max|min|types?|names?|ids?|file|path|dir|url|uri|arn|refs?|hash(?:ed)?|expir.*|ttl|age|policy|hint|fields?|label|prefix|algorithm|version|column|index|(?:finger)?print)$/;
const LESS: Readonly<Partial<Record<NameKind, NameKind>>> = { password: 'secret', secret: 'key' };

/** Returns the kind of secret that a name stands for; undefined if none. */
export function nameKind(name: string, before = '', after = ''): NameKind | undefined {
  const words = wordsOf(name);
  for (const [at, word] of words.entries()) {
    const previous = at > 0 ? (words[at - 1] ?? '') : (wordsOf(before).at(-1) ?? '');
    const kind = wordKind(word, previous, `${before} ${name} ${after}`);
    if (kind === undefined) continue;
    const rest = words.slice(at + 1);
    const next = rest[0] ?? wordsOf(after)[0] ?? '';
    if (OPEN.test(previous) || OPEN.test(next)) return undefined;
    if (rest.length === 0) return kind;
    if (FACT.test(rest.at(-1) ?? '')) return undefined;
    // a later word may name a secret too, as in `tokenSecret`
    const later = nameKind(rest.join(' '), word);
    return later ?? LESS[kind];
  }
  return undefined;
}

function wordKind(word: string, previous: string, around: string): NameKind | undefined {
  if (PASSWORD.test(word)) return 'password';
  if (word === 'pass') return previous === '' ? 'secret' : 'password';
  if (word === 'passe') return previous === 'de' ? 'password' : undefined;
  if (NUMBER.test(word)) return 'number';
  if (WORDS.test(word)) return 'words';
  if (SECRET.test(word)) return 'secret';
  if (CODE.test(word) && OF_LOCK.test(around)) return 'number';
  if (!KEY.test(word)) return undefined;
  if (OF_NETWORK.test(previous)) return 'password';
  return QUALIFIER.test(previous) ? 'secret' : 'key';
}

/** Returns the words of a name in lower case, without numbers. */
function wordsOf(name: string): string[] {
  return name
    .normalize('NFC')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .replace(/\d+(?![a-zа-я])/g, '')
    .split(/[^\p{L}\d]+/u)
    .filter((word) => word !== '');
}
