import { findInAddresses } from './addresses.js';
import { findNamed } from './assignments.js';
import { findSchemes } from './bearer.js';
import { findInCommands } from './commands.js';
import { findCookies } from './cookies.js';
import { findAddresses, findPrefixed, findWebTokens } from './known-forms.js';
import { findPrivateKeys } from './private-keys.js';
import type { AddSpan } from './span.js';

export interface Secret {
  readonly start: number;
  readonly end: number;
  /** A quotation mark that the replacement needs, because a number in JSON has none. */
  readonly quote: string;
}

/** Rules, each of which takes linear time. They read a text without escapes; see `unescaped`. */
export const RULES: readonly ((text: string, add: AddSpan) => void)[] = [
  findPrivateKeys,
  findPrefixed,
  findWebTokens,
  findAddresses,
  findInAddresses,
  findSchemes,
  findCookies,
  findInCommands,
  findNamed,
];

/** Returns the secrets in a text, in order and without overlaps. */
export function findSecrets(text: string): Secret[] {
  const plain = unescaped(text);
  const found: Secret[] = [];
  for (const rule of RULES)
    rule(plain, (start, end, quote = '') => found.push({ start, end, quote }));
  found.sort((a, b) => a.start - b.start || b.end - a.end);
  const merged: Secret[] = [];
  for (const secret of found) {
    const last = merged.at(-1);
    if (last && secret.start < last.end)
      merged[merged.length - 1] = { ...last, end: Math.max(last.end, secret.end) };
    else merged.push(secret);
  }
  return merged;
}

const ESCAPE = /\\+(?:u[0-9A-Fa-f]{4}|["'`bfnrt/])?/g;

/**
 * Returns a text of the same length in which the escapes of JSON and of strings in code are what
 * they stand for, after as many U+0001 as are needed.
 */
export function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(ESCAPE, (escape) => {
    const last = escape.at(-1) ?? '';
    if (last === '\\') return escape;
    const code = /u([0-9A-Fa-f]{4})$/.exec(escape)?.[1];
    const character =
      code === undefined
        ? ({ n: '\n', r: '\n', t: '\t', b: ' ', f: ' ' }[last] ?? last)
        : String.fromCharCode(Number.parseInt(code, 16));
    return '\u0001'.repeat(escape.length - 1) + character;
  });
}
