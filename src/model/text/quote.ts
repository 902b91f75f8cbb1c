/** Prefixes each line with `>`, so that it is clear where the text ends, regardless of content. */
export function quote(text: string): string {
  return text
    .split(/\r\n|[\n\r\u2028\u2029]/u)
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
}
