import type { AddSpan } from './span.js';
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
  for (const match of text.matchAll(SCHEME)) {
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
  for (const match of text.matchAll(KEY_PART)) {
    const value = match[1] ?? match[2] ?? '';
    const end = match.index + match[0].length;
    if (isRandom(value)) add(end - value.length, end);
  }
}
