import { redact } from '../../model/text/redact.js';

/**
 * Joins lines, each followed by a newline. Secrets are redacted, and control characters become
 * U+FFFD, because names and contents of a log come from untrusted sources and must not reach the
 * terminal as escape sequences.
 */
export function toLines(lines: readonly string[]): string {
  return lines.map((line) => `${redact(line).replace(/\p{Cc}/gu, '\u{FFFD}')}\n`).join('');
}
