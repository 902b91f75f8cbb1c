/**
 * Joins lines, each followed by a newline. Control characters become U+FFFD, because names and
 * contents of a log come from untrusted sources and must not reach the terminal as escape
 * sequences.
 */
export function toLines(lines: readonly string[]): string {
  return lines.map((line) => `${line.replace(/\p{Cc}/gu, '\u{FFFD}')}\n`).join('');
}
