import { LOOK_ALIKES } from './text/look-alikes.js';
import { clip } from './refusal.js';
import { findHiddenCharacter, revealedText, withoutHidden } from './text/visible-text.js';

const MAX_NAME_LENGTH = 200;

/** Characters of a record's title, or of a state's decision or question, which becomes one. */
export const MAX_TITLE_LENGTH = 2000;

/** Format characters and the Braille blank. A name needs other characters to be visible. */
const BLANK_FORMATS = /[\p{Cf}\u2800]/gu;

/** Printable ASCII with single inner spaces, for which `nameKey` needs no normalization. */
const PLAIN_NAME = /^[!-~]+(?: [!-~]+)*$/;

/** Returns NFKC, trimmed, single-spaced, in lower case. Names with the same key are the same. */
export function nameKey(name: string): string {
  if (PLAIN_NAME.test(name)) return name.toLowerCase();
  // Normalize again after lower-casing, because J with caron is two characters but ǰ is one.
  return name.normalize('NFKC').trim().replace(/\s+/gu, ' ').toLowerCase().normalize('NFKC');
}

let confusables: ReadonlyMap<string, string> | undefined;

/**
 * Returns a key that look-alike names share: the skeleton of UTS #39, limited to characters that
 * look like printable ASCII, without invisible characters and case-insensitive.
 */
export function confusableKey(name: string): string {
  confusables ??= new Map(
    Object.entries(LOOK_ALIKES).flatMap(([ascii, characters]) =>
      Array.from(characters, (one) => [one, ascii] as const),
    ),
  );
  const visible = revealedText(name)
    .normalize('NFKC')
    .replace(/\p{DI}/gu, '')
    .trim()
    .replace(/\s+/gu, ' ')
    .normalize('NFD');
  const skeleton = Array.from(
    visible,
    (character) => confusables?.get(character) ?? character,
  ).join('');
  return skeleton.toLowerCase().normalize('NFKC');
}

/** Returns the problem with a new name, completing "the name …"; undefined if it is valid. */
export function nameProblem(name: string, limit?: number): string | undefined {
  return existingNameProblem(name, limit) ?? hiddenCharacterProblem(name);
}

/** Like `nameProblem`, but only for characters that are invisible or reorder text. */
export function hiddenCharacterProblem(name: string): string | undefined {
  const code = findHiddenCharacter(name);
  return code && `has the invisible character ${code}; leave it out`;
}

/** Like `nameProblem`, but allows invisible characters, which older names may contain. */
export function existingNameProblem(name: string, limit = MAX_NAME_LENGTH): string | undefined {
  if (nameKey(withoutHidden(name).replace(BLANK_FORMATS, '')) === '')
    return 'is empty; give it at least one visible character';
  const length = Array.from(name).length;
  if (length > limit) return `has ${length} characters; use at most ${limit}`;
  if (/[\p{Cc}\u2028\u2029]/u.test(name))
    return 'has control characters (such as a line break); use plain text in one line';
  return undefined;
}

/** Appends the start of an item's id, such as ` ⟨k3v9⟩`, to tell it from an earlier namesake. */
export function nameWithMark(name: string, id: string): string {
  return `${name.trimEnd()} ⟨${id.slice(0, 4)}⟩`; // `splitMark` expects no blanks before the mark
}

/** Splits a name from the mark at its end, if it has one. */
export function splitMark(name: string): { name: string; mark?: string } {
  const found = /^(.*\S) ⟨([^⟨⟩]{1,4})⟩$/su.exec(name.trim());
  return found?.[1] && found[2] ? { name: found[1], mark: found[2] } : { name };
}

/** Returns up to three candidates similar to `asked`, the most similar first. */
export function closestNames(asked: string, candidates: Iterable<string>): string[] {
  const wanted = nameKey(asked);
  const limit = Math.max(2, Math.floor(wanted.length * 0.4));
  const near: { candidate: string; distance: number }[] = [];
  for (const candidate of candidates) {
    const key = nameKey(candidate);
    const contains =
      wanted.length > 2 && (key.includes(wanted) || (key.length > 2 && wanted.includes(key)));
    const distance = contains ? 1 : editDistance(wanted, key, limit);
    if (distance <= limit && distance < Math.max(wanted.length, key.length))
      near.push({ candidate, distance });
  }
  return near
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ candidate }) => candidate);
}

/** Returns ` Did you mean "A" or "B"?`, or `''` if no candidate is similar. */
export function didYouMean(asked: string, candidates: Iterable<string>): string {
  const names = closestNames(asked, candidates).map((name) => `"${clip(name)}"`);
  if (names.length === 0) return '';
  const last = names.pop();
  const list = names.length > 0 ? `${names.join(', ')} or ${last}` : last;
  return ` Did you mean ${list}?`;
}

/** Returns true if `asked` may be a typo of `name`; camelCase and snake_case count as the same. */
export function isMisspelt(asked: string, name: string): boolean {
  const [a, b] = [asked, name].map((text) => nameKey(text).replace(/[_\s-]/gu, '')) as [
    string,
    string,
  ];
  const limit = b.length < 5 ? 1 : 2;
  return editDistance(a, b, limit) <= limit;
}

/** Returns the Levenshtein distance, or `limit + 1` if it is above `limit`. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    let best = row;
    for (let column = 1; column <= b.length; column++) {
      const swap = (above[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const value = Math.min(swap, (above[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1);
      current.push(value);
      best = Math.min(best, value);
    }
    if (best > limit) return limit + 1;
    above = current;
  }
  return above[b.length] ?? limit + 1;
}
