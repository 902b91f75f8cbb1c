/**
 * The kind of value that a name announces: a password may be any text, a secret is no word, and a
 * key is only a secret if it looks random.
 */
export type NameKind = 'password' | 'secret' | 'key';

/** Quickly tells names that cannot be of a secret. */
const HINT =
  /pass|pwd|pw|secret|token|key|auth|cook|cred|wort|mdp|contrase|clave|llave|cl[ée]|jeton|schl|geheim|zugang|woord|парол|ключ|секрет|токен|уч[её]т|[密口令凭秘私]|bearer|pin|otp|jwt|sig|sid|sess|code|dsn|seed|salt|psk|identifiant|connectionstring|mnemonic|licen|phrase|senha|has[lł]o|heslo|jelszó|lösen|[sş]ifre|salasana/i;

const PASSWORD =
  /(?:passw(?:or[dt])?|passwd|pa?sswd|pword|userpass|dbpass|kennw[oö]rte?r?|passw[oö]rte?r?|passphrase|passcode|pwd|mdp|contrase[ñn]a|storepass|keypass|requirepass|psk|пароль?[яюеё]?м?|密[码碼]|口令|passord|wachtwoord|senha|has[łl]o|heslo|jelszó|lösenord|[şs]ifre|salasana)s?$/u;
/** Words before `pass`, which is a password then. */
const OWNERS =
  /^(?:db|database|admin|root|user|login|become|sudo|su|ssh|s?ftp|https?|proxy|mail|e?mail|smtp|imap|ldap|vpn|wifi|wlan|my?sql|mariadb|postgres|pg|mongo|redis|rabbit(?:mq)?|mqtt|server|host|service|app|master|account|sa|cert|key)$/;
const SECRET =
  /(?:secret|token|apikey|authcode|授权码|authkey|secretkey|accesskey|privatekey|credential|creds|bearer|authorization|geheimniss?e?|zugangsdaten|zugangscode|zugangsschlüssel|anmeldedaten|jeton|clave|secreto|credencial(?:es)?|identifiants|секрет|токен[а]?|密[钥鑰匙]|令牌|[凭憑][证證据]|私[钥鑰]|秘[钥鑰密]|mnemonic|connectionstring|phpsessid|jsessionid|passkey)s?$/u;
const SECRET_WORDS = new Set('pass pin otp totp jwt dsn passe masterauth tok userpwd'.split(' '));
const KEY =
  /(?:key|auth|sig|signature|schl[üu]e?ssel|cl[ée]|llave|ключа?|code|session|sessionid|sid|salt|seed|phrase|licen[sc]e)s?$/u;
/** Words that make a key a secret. */
const QUALIFIERS = new Set(
  (
    'api access private secret encryption encrypt decryption signing sign master shared account storage ' +
    'service client app application license auth deploy admin webhook hmac aes jwt crypto subscription ' +
    'consumer anon role wifi wlan wpa recovery backup security verification rotation live prod ' +
    'production server oauth ssh gpg host root user wi-fi wireguard preshared network zugangs api- ' +
    'd accès accès доступа acceso acces секретный secreta secrète privée privada приватный'
  ).split(' '),
);
/** Words before a name that make it a number or a part of a form. */
const COUNTED = new Set(
  'max min input output total prompt completion cached num n count used remaining'.split(' '),
);
/** Words before the name of a key or a code that make it something else. */
const OTHERS = new Set(
  (
    'reasoning context ' +
    'primary primaire primaria foreign public sort partition cache idempotency shortcut hot row ' +
    'object map index natural composite group unique mot mots palabra palabras surrogate candidate ' +
    'registry translation i18n lookup json exit status error zip postal qr country language lang ' +
    'response http source byte machine color öffentlicher öffentliche publique pública estado ' +
    'étrangère foránea'
  ).split(' '),
);
/** Words after the name of a token that make it a number. */
const COUNT = /^(?:counts?|limits?|usage|budgets?)$/i;

/** True if a word after the name of a key makes it something else, as in Spanish and French. */
export function isOtherKey(word: string): boolean {
  return OTHERS.has(word.toLowerCase()) || COUNT.test(word);
}

/** Words after a name that make it a fact about a secret. */
const FACTS = new Set(
  (
    'count counts length len size limit max min type types name names id ids file files filename path ' +
    'paths dir folder url uri endpoint expiry expires expiration expired ttl age policy strength hint ' +
    'field fields label prefix suffix hash hashed index code codes board word words press pressed up ' +
    'down map bindings binding ring frame frames pair pairs store storage usage budget cost costs ' +
    'version alg algo algorithm format header headers manager provider service at in out method mode ' +
    'model status state valid required enabled disabled visible changed set reset rotation ref refs ' +
    'selector scope scopes issuer audience env var variable variables input placeholder title text ' +
    'message error errors attempts policy rules rule regex pattern generator factory validator ' +
    'vault note notes window rate price banner consent flow guard middleware handler schema ' +
    'protected needed only first stdin stdout fd command cmd prompt'
  ).split(' '),
);

/** The key that a page with a CAPTCHA shows. */
const SITE_KEY = /site[-_]?key$/i;

/** True if a name may be that of a secret, whatever precedes it. */
export function mayBeSecret(name: string): boolean {
  return HINT.test(name);
}

/**
 * Returns the kind of secret that a name stands for; undefined if none. `before` is the word before
 * it, in lower case.
 */
export function nameKind(name: string, before: string): NameKind | undefined {
  if (!HINT.test(name) || SITE_KEY.test(name)) return undefined;
  const words = wordsOf(name);
  const last = words.at(-1);
  if (last === undefined || (words.length > 1 && FACTS.has(last))) return undefined;
  for (const [at, word] of words.entries()) {
    const previous = at > 0 ? words[at - 1] : before;
    const kind = wordKind(word, previous ?? '', at === words.length - 1);
    if (word === 'key' && previous === 'public') return undefined;
    if (kind === undefined) continue;
    const isOther = kind !== 'password' && OTHERS.has(previous ?? '');
    return isOther || COUNTED.has(previous ?? '') ? undefined : kind;
  }
  return undefined;
}

function wordKind(word: string, before: string, isLast: boolean): NameKind | undefined {
  if (word === 'passe') return before === 'de' ? 'password' : undefined;
  if (PASSWORD.test(word) || word === 'pw') return 'password';
  if (word === 'pass' && OWNERS.test(before)) return 'password';
  if (SECRET.test(word) || SECRET_WORDS.has(word)) return 'secret';
  if (!KEY.test(word)) return undefined;
  if (
    QUALIFIERS.has(before) ||
    /^(?:api|wlan|wifi|netzwerk|wiederherstellungs|zugangs|lizenz|sicherheits)./u.test(word)
  )
    return 'secret';
  return isLast ? 'key' : undefined;
}

const LABEL = new RegExp(`^${PASSWORD.source}`, 'iu');

/** True if a word is that for a password in one of the languages. */
export function isLabel(word: string): boolean {
  return LABEL.test(word);
}

/** True if a word of a text is one for a password, as in the label of a field. */
export function namesPassword(text: string): boolean {
  if (!HINT.test(text)) return false;
  return text.split(/[^\p{L}\p{M}]+/u).some((word) => nameKind(word, '') === 'password');
}

/** Returns the words of a name in lower case, without numbers. */
function wordsOf(name: string): string[] {
  return name
    .slice(-80)
    .normalize('NFC')
    .replace(/_PASS(?![A-Za-z])/g, '_PASSWORD')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[0-9]+(?=[^a-zа-я0-9]|$)/g, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}
