const LETTERS = Array.from('abcdefghijklmnopqrstuvwxyz');

/** Returns the forms at one edit from an offset on; first those that correct frequent errors. */
export function formsAtOneEdit(word: string, from: number): string[] {
  const swapped: string[] = [];
  const shorter: string[] = [];
  const longer: string[] = [];
  const replaced: string[] = [];
  for (let at = from; at <= word.length; at++) {
    const before = word.slice(0, at);
    const after = word.slice(at);
    longer.push(...LETTERS.map((letter) => before + letter + after));
    if (after === '') continue;
    shorter.push(before + after.slice(1));
    replaced.push(...LETTERS.map((letter) => before + letter + after.slice(1)));
    if (after.length > 1) swapped.push(before + after.charAt(1) + after.charAt(0) + after.slice(2));
  }
  return [...swapped, ...longer, ...shorter, ...replaced];
}
