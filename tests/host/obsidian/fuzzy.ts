import type { SearchMatches, SearchResult, SearchResultContainer } from 'obsidian';

const isBoundary = (text: string, index: number) =>
  index === 0 || /[\s/_\-.:()[\]]/.test(text.charAt(index - 1));

/** Merges adjacent ranges, so that they are highlighted as one. */
function joined(pieces: SearchMatches): SearchMatches {
  const all: SearchMatches = [];
  for (const [from, to] of [...pieces].sort((a, b) => a[0] - b[0])) {
    const last = all.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else all.push([from, to]);
  }
  return all;
}

const wordsOf = (query: string) => query.toLowerCase().split(/\s+/).filter(Boolean);

/** The text must contain every word of the query. Earlier and longer matches score higher. */
export function prepareSimpleSearch(query: string): (text: string) => SearchResult | null {
  const words = wordsOf(query);
  return (text) => {
    const lower = text.toLowerCase();
    const matches: SearchMatches = [];
    for (const word of words) {
      const first = lower.indexOf(word);
      if (first < 0) return null;
      for (let at = first; at >= 0; at = lower.indexOf(word, at + word.length))
        matches.push([at, at + word.length]);
    }
    const merged = joined(matches);
    return {
      score: -(merged[0]?.[0] ?? 0) / 100 - (text.length - query.length) / 1000,
      matches: merged,
    };
  };
}

/** Finds the letters of a word in order from `start`, and their spread. Null if one is missing. */
function scatter(
  text: string,
  word: string,
  start: number,
): { penalty: number; pieces: SearchMatches } | null {
  const pieces: SearchMatches = [];
  let [at, penalty] = [start, 0];
  for (const letter of word) {
    const next = text.indexOf(letter, at);
    if (next < 0) return null;
    if (next > at && pieces.length > 0) penalty += isBoundary(text, next) ? 0.1 : 0.5;
    else if (pieces.length === 0 && !isBoundary(text, next)) penalty += 0.3;
    pieces.push([next, next + letter.length]);
    at = next + letter.length;
  }
  return { penalty, pieces };
}

function bestScatter(text: string, word: string): ReturnType<typeof scatter> {
  let best: ReturnType<typeof scatter> = null;
  for (
    let start = text.indexOf(word.charAt(0));
    start >= 0;
    start = text.indexOf(word.charAt(0), start + 1)
  ) {
    const found = scatter(text, word, start);
    if (!found) break;
    if (!best || found.penalty < best.penalty) best = found;
  }
  return best;
}

/** The text must contain every letter of each word, in order. Scores are at most 0. */
export function prepareFuzzySearch(query: string): (text: string) => SearchResult | null {
  const words = wordsOf(query);
  return (text) => {
    const lower = text.toLowerCase();
    const found = words.map((word) => bestScatter(lower, word));
    if (!found.every((each) => each !== null)) return null;
    const penalty = found.reduce((sum, each) => sum + each.penalty, 0);
    return {
      score: -penalty - text.length / 1000,
      matches: joined(found.flatMap((each) => each.pieces)),
    };
  };
}

export function sortSearchResults(results: SearchResultContainer[]): void {
  results.sort((a, b) => b.match.score - a.match.score);
}

export function renderMatches(
  el: HTMLElement | DocumentFragment,
  text: string,
  matches: SearchMatches | null,
  offset = 0,
): void {
  let done = 0;
  for (const [from, to] of matches ?? []) {
    const [start, end] = [Math.max(from + offset, done), Math.min(to + offset, text.length)];
    if (end <= start) continue;
    el.appendText(text.slice(done, start));
    el.createSpan({ cls: 'suggestion-highlight', text: text.slice(start, end) });
    done = end;
  }
  el.appendText(text.slice(done));
}

export function renderResults(
  el: HTMLElement,
  text: string,
  result: SearchResult,
  offset?: number,
): void {
  renderMatches(el, text, result.matches, offset);
}
