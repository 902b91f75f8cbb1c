/**
 * Joins lines into text, each ended by a newline. Control characters become U+FFFD: names and contents of a log may come from
 * anywhere and must not reach the terminal as escape sequences.
 */
export function toLines(lines: readonly string[]): string {
  return lines.map((line) => `${line.replace(/\p{Cc}/gu, '\u{FFFD}')}\n`).join('');
}
