import { foldWord } from '../text/characters.js';
import { editDistance } from './edit-distance.js';

const MAX_WORDS = 16;

/** Weight of a word in the name of a file or folder. */
const NAME_WEIGHT = 1;
/** Weight of a word in the folders above it. */
const FOLDER_WEIGHT = 0.3;

/**
 * Returns paths that match every word, the best first. A match in the name counts more than one in
 * the folders, and one at the start of a word more than one inside it. Query words may omit
 * letters; longer ones may also have one or two wrong letters.
 */
export function rankPaths(query: string, paths: readonly string[], limit: number): string[] {
  const words = splitWords(query).slice(0, MAX_WORDS);
  if (words.length === 0) return [];
  const found = paths.flatMap((path) => {
    const score = scorePath(words, path);
    return score > 0 ? [{ path, score }] : [];
  });
  const byPath = (a: string, b: string) => a.length - b.length || (a < b ? -1 : 1);
  found.sort((a, b) => b.score - a.score || byPath(a.path, b.path));
  return found.slice(0, limit).map(({ path }) => path);
}

/** Returns 0 if a word is missing. */
function scorePath(words: readonly string[], path: string): number {
  const bare = path.replace(/\/$/, '');
  const cut = bare.lastIndexOf('/') + 1;
  const name = foldPath(bare.slice(cut).replace(/\.md$/i, ''));
  const folders = foldPath(bare.slice(0, cut));
  let sum = 0;
  for (const word of words) {
    const best = Math.max(
      NAME_WEIGHT * scoreWord(word, name),
      FOLDER_WEIGHT * scoreWord(word, folders),
    );
    if (best === 0) return 0;
    sum += best;
  }
  return sum + (words.join(' ') === name ? 1 : 0);
}

/** Returns a score from 1 for a whole word down to 0 for no match. */
function scoreWord(word: string, text: string): number {
  const parts = text.split(' ');
  if (parts.includes(word)) return 1;
  if (parts.some((part) => part.startsWith(word))) return 0.8;
  if (text.includes(word)) return 0.6;
  const maxEdits = word.length < 8 ? 1 : 2;
  if (word.length >= 4 && parts.some((part) => editDistance(word, part, maxEdits) <= maxEdits))
    return 0.4;
  return word.length >= 3 && isSubsequence(word, text) ? 0.2 : 0;
}

/** Returns true if the letters occur in this order, the first at the start of a word. */
function isSubsequence(letters: string, text: string): boolean {
  let at = ` ${text}`.indexOf(` ${letters[0]!}`);
  if (at < 0) return false;
  for (const letter of letters.slice(1)) {
    at = text.indexOf(letter, at + 1);
    if (at < 0) return false;
  }
  return true;
}

const SEPARATORS = /[^\p{L}\p{N}\p{M}]+/u;

function splitWords(text: string): string[] {
  return text.toLowerCase().split(SEPARATORS).map(foldWord).filter(Boolean);
}

function foldPath(path: string): string {
  return splitWords(path).join(' ');
}
