import { matchesOf, type AddSpan } from './characters.js';
import { isRandom, isSecretValue } from './values.js';

/** User information in a URL. */
const USER_INFO = /:\/\/([^\s/:@"'<>\ue000]{0,200})(?::([^\s/"'<>\ue000]+))?@/g;
/** A line of `.pgpass`: host, port, database, user, password. */
const PGPASS = /:(?:\d{1,5}|\*):[\w*-]{1,60}:[\w.*-]{1,60}:([^\s"'\ue000:]{4,100})/g;
const IP_ADDRESS = /^(?::[0-9a-f]{1,4}){4}$/i;
/** An entry of `.netrc`, on one line or on several. */
const NETRC =
  /(?:machine[\s\ue000>+]{1,20}[^\s\ue000]{1,100}|default)[\s\ue000>+]{1,20}(?:(?:login|user|account)[\s\ue000>+]{1,20}[^\s\ue000]{1,100}[\s\ue000>+]{1,20}){1,2}passw(?:or)?d[\s\ue000]{1,20}["']?([^\s\ue000"']{3,100})/g;
/** A statement of SQL that sets a password. */
const IDENTIFIED =
  /identified\s{1,3}(?:with\s{1,3}[^\s]{1,40}\s{1,3})?(?:by|as)\s{1,3}\ue000*["']([^"'\ue000]{3,100})/gi;
/** A pair of a user and a password that code passes on. */
const PAIR =
  /\bauth\s?[=:]\s?[([]\s?\ue000*["'][^"'\ue000]{1,60}\ue000*["'],\s?\ue000*["']([^"'\ue000]{4,100})/g;
/** Passwords in the URLs of documentation. */
const EXAMPLE = /^(?:password|passwd|pass|pwd|passwort|secret|token|user|motdepasse|\*+|x+)$/i;

/** Adds passwords in addresses. */
export function findInAddresses(text: string, add: AddSpan): void {
  for (const match of matchesOf(USER_INFO, text)) {
    const [whole, user = '', password] = match;
    const end = match.index + whole.length - 1;
    if (password === undefined) {
      if (user.length >= 20 && isRandom(user)) add(end - user.length, end);
    } else if (!EXAMPLE.test(password) && isSecretValue(password, 'password', 'assigned'))
      add(end - password.length, end);
  }
  for (const pattern of [PGPASS, NETRC, IDENTIFIED, PAIR])
    for (const match of matchesOf(pattern, text)) {
      const value = match[1] ?? '';
      const end = match.index + match[0].length;
      if (!IP_ADDRESS.test(match[0]) && isSecretValue(value, 'password', 'assigned'))
        add(end - value.length, end);
    }
}
