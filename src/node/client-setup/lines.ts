import { redact } from '../../redaction/index.js';

/**
 * Joins lines with newlines. Redacts secrets, and replaces control characters by U+FFFD, because
 * untrusted names and contents must not reach the terminal as escape sequences.
 */
export function toLines(lines: readonly string[]): string {
  return lines.map((line) => `${redact(line).replace(/\p{Cc}/gu, '\u{FFFD}')}\n`).join('');
}
