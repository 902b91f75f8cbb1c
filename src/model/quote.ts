/** Each line of a text behind `> `, so that whoever reads on sees where it ends, whatever it holds. */
export function quote(text: string): string {
  return text
    .split(/\r\n|[\n\r\u2028\u2029]/u)
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
}
