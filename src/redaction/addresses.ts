import { eachGroup, type AddSpan, type PlainText } from './plain-text.js';
import { isRandom, isSecretValue } from './values.js';

/** The password, or a token instead of a user, in the user information of a URL. */
const USER_INFO =
  /:\/\/(?:[^\s/:@"'<>]{0,200}:)?(?=([^\s/"'<>@]{1,400}(?:@[^\s/"'<>@]{1,100})?)@)\1/g;
/** A line of `.pgpass`: host, port, database, user, password. */
const PGPASS = /:(?:\d{1,5}|\*):[\w*-]{1,60}:[\w.*-]{1,60}:([^\s"':]{4,100})/g;
const IP_ADDRESS = /(?::[0-9a-f]{1,5}){4}$/i;
/** Passwords in the URLs of documentation. */
const EXAMPLE = /^(?:pass(?:word|wd|wort)?|pwd|secret|token|user|motdepasse|\*+|x+)$/i;

/** Adds passwords in addresses. */
export function findInAddresses({ text }: PlainText, add: AddSpan): void {
  eachGroup(USER_INFO, text, (value, start, end) => {
    const isSecret =
      text[start - 1] === ':'
        ? !EXAMPLE.test(value) && isSecretValue(value, 'password', 'bound')
        : value.length >= 20 && isRandom(value);
    if (isSecret) add(start, end);
  });
  eachGroup(PGPASS, text, (value, start, end) => {
    const isAddress = IP_ADDRESS.test(text.slice(Math.max(0, start - 16), end));
    if (!isAddress && isSecretValue(value, 'password', 'bound')) add(start, end);
  });
}
