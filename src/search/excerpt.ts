import { wordsOf } from './words.js';

/** The part of a text, at most `limit` characters, that holds the most words of the query; cut at spaces, with `…` where it was cut. */
export function excerpt(text: string, query: string, limit = 240): string {
  const plain = text.replace(/\s+/gu, ' ').trim();
  if (plain.length <= limit) return plain;
  const terms = wordsOf(query);
  const words = [...plain.matchAll(/\S+/gu)];
  const hits = words.map(({ 0: word }) => (wordsOf(word).some((part) => terms.some((term) => part.startsWith(term))) ? 1 : 0));
  const first = bestStart(
    words.map(({ index }) => index),
    hits,
    limit,
  );
  const start = Math.max(0, (words[first]?.index ?? 0) - Math.floor(limit / 4));
  const from = start === 0 ? 0 : plain.indexOf(' ', start) + 1;
  const roughEnd = Math.min(plain.length, from + limit);
  const lastSpace = plain.lastIndexOf(' ', roughEnd);
  const to = roughEnd === plain.length || lastSpace <= from ? roughEnd : lastSpace;
  return `${from > 0 ? '…' : ''}${Array.from(plain.slice(from, to)).join('')}${to < plain.length ? '…' : ''}`;
}

/** The word from which a window of `limit` characters holds the most hits. */
function bestStart(starts: readonly number[], hits: readonly number[], limit: number): number {
  let best = { word: 0, count: 0 };
  let end = 0;
  let count = 0;
  starts.forEach((start, word) => {
    while (end < starts.length && (starts[end] ?? 0) < start + limit) count += hits[end++] ?? 0;
    if (count > best.count && hits[word] === 1) best = { word, count };
    count -= hits[word] ?? 0;
  });
  return best.word;
}
