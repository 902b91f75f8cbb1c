/**
 * Returns the text without the characters at its end that the pattern matches. A pattern such as
 * `/[.-]+$/` takes quadratic time for a text that is full of them.
 */
export function trimEndOf(text: string, character: RegExp): string {
  let end = text.length;
  while (end > 0 && character.test(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
