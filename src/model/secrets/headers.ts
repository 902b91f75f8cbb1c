import { matchesOf, type AddSpan } from './characters.js';
import { isRandom, isSecretValue } from './values.js';

const SCHEME =
  /(authorization\ue000*["']?\s?[:=,]\s?\ue000*["']?)?\b(?:(bearer)|basic|token|apikey)\s{1,3}([A-Za-z0-9._~+/=-]+)/gi;
/** Words that stand for a value. */
const STAND_IN =
  /^[a-z]+(?:[-_.][a-z]+)+$|^[A-Z]+(?:[-_.][A-Z]+)+$|^(?=\w*authent)\w+$|(?:token|key|secret|header|value|credential|middleware)s?(?:here)?$|^x+$/i;
const MIN_LENGTH = 16;
/** The secret part of a JSON web key, and of an RSA key in XML. */
const KEY_PART =
  /"(?:d|p|q|dp|dq|qi|k)\ue000*": ?\ue000*"([A-Za-z0-9_-]{20,})|<(?:D|P|Q|DP|DQ|InverseQ)>([A-Za-z0-9+/=]{16,})/g;

/** Adds credentials after the scheme of an authorization, and the numbers of private keys. */
export function findSchemes(text: string, add: AddSpan): void {
  for (const match of matchesOf(SCHEME, text)) {
    const [whole, header, bearer, value = ''] = match;
    const end = match.index + whole.length;
    const isCredential = (header ?? bearer) !== undefined;
    if (
      (isCredential && value.length >= MIN_LENGTH && !STAND_IN.test(value)) ||
      isRandom(value) ||
      (/\d/.test(value) && value.length >= 8 && isSecretValue(value, 'secret', 'said'))
    )
      add(end - value.length, end);
  }
  for (const match of matchesOf(KEY_PART, text)) {
    const value = match[1] ?? match[2] ?? '';
    const end = match.index + match[0].length;
    if (isRandom(value)) add(end - value.length, end);
  }
}

const HEADER = /cookies?\ue000*["'\]]{0,2} ?[:=] ?\ue000*["']?/gi;
const LINE = /[^\n"'\ue000]*/y;
const PAIR = /([\w.-]{1,60})=([^;\s]+)/g;
const ATTRIBUTE =
  /^(?:path|domain|expires|max-age|samesite|secure|httponly|priority|lang|locale|theme)$/i;

/** Adds the values of cookies in headers and commands. */
export function findCookies(text: string, add: AddSpan): void {
  HEADER.lastIndex = 0;
  for (let match = HEADER.exec(text); match; match = HEADER.exec(text)) {
    const from = HEADER.lastIndex;
    LINE.lastIndex = from;
    const [line] = LINE.exec(text) ?? [''];
    for (const pair of line.matchAll(PAIR)) {
      const [whole, name = '', value = ''] = pair;
      const isSession = /sess|sid|auth|token|remember|login|jwt|csrf/i.test(name);
      const isSecret = isSession ? isSecretValue(value, 'secret', 'assigned') : isRandom(value);
      if (ATTRIBUTE.test(name) || !isSecret) continue;
      const end = from + pair.index + whole.length;
      add(end - value.length, end);
    }
    const [first = ''] = /^[^\s=;,[\]{}]+/.exec(line.slice(0, 200)) ?? [];
    if (line[first.length] !== '=' && isSecretValue(first, 'secret', 'assigned'))
      add(from, from + first.length);
    HEADER.lastIndex = from + line.length;
  }
}
