import { findInAddresses } from './addresses.js';
import { findInCommands } from './commands.js';
import { findKnownForms } from './known-forms.js';
import { findNamed } from './named-values.js';
import { findPasswords } from './passwords.js';
import { toPlainText, type AddSpan, type PlainText, type TextSpan } from './plain-text.js';
import { findPrivateKeys } from './private-keys.js';
import { findInTables } from './tables.js';

export interface Secret extends TextSpan {
  /** A quotation mark that the replacement needs, because a number in JSON has none. */
  readonly quote: string;
}

/** Rules, each of which takes linear time. */
export function rules(): readonly ((plain: PlainText, add: AddSpan) => void)[] {
  return [
    findPrivateKeys,
    findKnownForms,
    findInAddresses,
    findInCommands,
    findInTables,
    findNamed,
    findPasswords,
  ];
}

/** Returns the secrets in a text, in order and without overlaps. */
export function findSecrets(source: string): Secret[] {
  const plain = toPlainText(source);
  const found: Secret[] = [];
  for (const rule of rules())
    rule(plain, (start, end) => {
      const quote = missingQuote(plain, start, end);
      found.push({ start: plain.sourceIndex(start), end: plain.sourceIndex(end), quote });
    });
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

const NUMBER = /^-?\d[\d.]*(?:e[-+]?\d+)?$/i;
/** The end of a text after the last string of JSON. */
const OUTSIDE = /"[\s,:[\]{}\d.eE+-]+$/;
const MAX_NUMBER = 400;

/** Returns the quote that a number outside of the strings of JSON needs when it is replaced. */
function missingQuote({ text, depthAt }: PlainText, start: number, end: number): string {
  if (end - start > MAX_NUMBER || !NUMBER.test(text.slice(start, end))) return '';
  const from = Math.max(0, start - MAX_NUMBER);
  const at = text.slice(from, start).search(OUTSIDE);
  return at < 0 ? '' : `${'\\'.repeat(depthAt(from + at))}"`;
}
