/** Trims matching characters in linear time; `/[.-]+$/` is quadratic for a text full of them. */
export function trimEndOf(text: string, character: RegExp): string {
  let end = text.length;
  while (end > 0 && character.test(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
