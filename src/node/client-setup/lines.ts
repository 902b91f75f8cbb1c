import { redact } from '../../redaction/index.js';

/**
 * Joins lines with newlines, without those that are false. Redacts secrets, and replaces control
 * characters by U+FFFD, because untrusted names and contents must not reach the terminal as escape
 * sequences.
 */
export function toLines(lines: readonly (string | false)[]): string {
  return lines
    .filter((line) => line !== false)
    .map((line) => `${redact(line).replace(/\p{Cc}/gu, '\u{FFFD}')}\n`)
    .join('');
}
