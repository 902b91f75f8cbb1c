import { foldWord } from '../text/characters.js';
import { editDistance } from './expand.js';

const MOST_WORDS = 16;

/** How much what was asked for counts where it is found: in the name of a file or folder, or in the folders above it. */
const NAME = 1;
const ABOVE = 0.3;

/**
 * The paths that hold every word of a query, the best first: in their names rather than in the folders above, at the beginning of a
 * word rather than inside; letters may be left out, and in longer words one may be wrong.
 */
export function rankPaths(query: string, paths: readonly string[], limit: number): string[] {
  const asked = partsOf(query).slice(0, MOST_WORDS);
  if (asked.length === 0) return [];
  const found = paths.flatMap((path) => {
    const score = scorePath(asked, path);
    return score > 0 ? [{ path, score }] : [];
  });
  const byPath = (a: string, b: string) => a.length - b.length || (a < b ? -1 : 1);
  found.sort((a, b) => b.score - a.score || byPath(a.path, b.path));
  return found.slice(0, limit).map(({ path }) => path);
}

/** 0 where a word is missing. */
function scorePath(asked: readonly string[], path: string): number {
  const bare = path.replace(/\/$/, '');
  const cut = bare.lastIndexOf('/') + 1;
  const [name, above] = [
    foldPath(bare.slice(cut).replace(/\.md$/i, '')),
    foldPath(bare.slice(0, cut)),
  ];
  let sum = 0;
  for (const word of asked) {
    const best = Math.max(NAME * scoreIn(word, name), ABOVE * scoreIn(word, above));
    if (best === 0) return 0;
    sum += best;
  }
  return sum + (asked.join(' ') === name ? 1 : 0);
}

/** From 1 for a whole word down to 0 for nothing like it. */
function scoreIn(word: string, text: string): number {
  const parts = text.split(' ');
  if (parts.includes(word)) return 1;
  if (parts.some((part) => part.startsWith(word))) return 0.8;
  if (text.includes(word)) return 0.6;
  const wrong = word.length < 8 ? 1 : 2;
  if (word.length >= 4 && parts.some((part) => editDistance(word, part, wrong) <= wrong))
    return 0.4;
  return word.length >= 3 && hasInOrder(word, text) ? 0.2 : 0;
}

/** Whether the letters stand in the text one after another, the first at the beginning of a word. */
function hasInOrder(letters: string, text: string): boolean {
  let at = ` ${text}`.indexOf(` ${letters[0]!}`);
  if (at < 0) return false;
  for (const letter of letters.slice(1)) {
    at = text.indexOf(letter, at + 1);
    if (at < 0) return false;
  }
  return true;
}

const BETWEEN = /[^\p{L}\p{N}\p{M}]+/u;

function partsOf(text: string): string[] {
  return text.toLowerCase().split(BETWEEN).map(foldWord).filter(Boolean);
}

function foldPath(path: string): string {
  return partsOf(path).join(' ');
}
