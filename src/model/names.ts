import { LOOK_ALIKES } from './look-alikes.js';
import { clip } from './refusal.js';

const NAME_LIMIT = 200;

/** Printable ASCII with single spaces inside: what the long way of `nameKey` leaves as it is. */
const PLAIN_NAME = /^[!-~]+(?: [!-~]+)*$/;

/** What two names must share to be the same name: NFKC, trimmed, inner spaces collapsed, lower-cased. */
export function nameKey(name: string): string {
  if (PLAIN_NAME.test(name)) return name.toLowerCase();
  // Once more at the end: small letters can be one character where the capital is two (J and caron, ǰ).
  return name.normalize('NFKC').trim().replace(/\s+/gu, ' ').toLowerCase().normalize('NFKC');
}

let looks: ReadonlyMap<string, string> | undefined;

/**
 * What two names share that a reader takes for the same: the skeleton of UTS #39, as far as characters look like printable ASCII,
 * with unseen characters left out and letters of both cases the same.
 */
export function lookKey(name: string): string {
  looks ??= new Map(
    Object.entries(LOOK_ALIKES).flatMap(([look, characters]) =>
      Array.from(characters, (one) => [one, look] as const),
    ),
  );
  const seen = name
    .normalize('NFKC')
    .replace(/\p{DI}/gu, '')
    .trim()
    .replace(/\s+/gu, ' ')
    .normalize('NFD');
  const skeleton = Array.from(seen, (character) => looks?.get(character) ?? character).join('');
  return skeleton.toLowerCase().normalize('NFKC');
}

/** What is wrong with a name that somebody wants to give, in words; undefined when nothing is. */
export function nameProblem(name: string): string | undefined {
  if (nameKey(name.replace(/\p{Cf}/gu, '')) === '')
    return 'is empty; give it at least one visible character';
  const length = Array.from(name).length;
  if (length > NAME_LIMIT) return `has ${length} characters; use at most ${NAME_LIMIT}`;
  if (/[\p{Cc}\u2028\u2029]/u.test(name))
    return 'has control characters (such as a line break); use plain text in one line';
  return undefined;
}

/** The mark that tells the later of two same-named things apart: ` ⟨k3v9⟩`, the first four of its id. */
export function nameWithMark(name: string, id: string): string {
  return `${name.trimEnd()} ⟨${id.slice(0, 4)}⟩`; // what ends in blanks would not be split again
}

/** A name split from the mark at its end, where it has one. */
export function splitMark(name: string): { name: string; mark?: string } {
  const found = /^(.*\S) ⟨([^⟨⟩]{1,4})⟩$/su.exec(name.trim());
  return found?.[1] && found[2] ? { name: found[1], mark: found[2] } : { name };
}

/** The (at most three) candidates nearest to what was asked for, nearest first; none when nothing is near. */
export function nearest(asked: string, candidates: Iterable<string>): string[] {
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

/** ` Did you mean "A" or "B"?`, or nothing. */
export function didYouMean(asked: string, candidates: Iterable<string>): string {
  const names = nearest(asked, candidates).map((name) => `"${clip(name)}"`);
  if (names.length === 0) return '';
  const last = names.pop();
  return ` Did you mean ${names.length > 0 ? `${names.join(', ')} or ${last}` : last}?`;
}

/** Levenshtein distance; anything above `limit` is answered as `limit + 1`. */
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
