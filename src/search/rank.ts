import { wordsOf } from './words.js';

/** A part of a document; a match in it counts `weight` times. */
export interface Field {
  readonly text: string;
  readonly weight: number;
}

export interface Ranked<T> {
  readonly item: T;
  /** Its BM25 as a share of the best one's: 1 for the best. */
  readonly score: number;
}

const SATURATION = 1.2;
const LENGTH_EFFECT = 0.75;
const PREFIX_SHARE = 0.5;
const SHORTEST_PREFIX = 3;

/** The items that hold at least one word of the query (a longer word that begins with it counts half), best first. */
export function rank<T>(query: string, items: readonly T[], fieldsOf: (item: T) => readonly Field[]): Ranked<T>[] {
  const terms = [...new Set(wordsOf(query))];
  const documents = items.map((item) => ({ item, ...countTerms(terms, fieldsOf(item)) }));
  const averageLength = documents.reduce((sum, { length }) => sum + length, 0) / Math.max(1, documents.length);
  const rarity = terms.map((_, at) => {
    const holding = documents.filter(({ counts }) => (counts[at] ?? 0) > 0).length;
    return Math.log(1 + (documents.length - holding + 0.5) / (holding + 0.5));
  });
  const scored = documents.map(({ item, counts, length }) => {
    const damping = SATURATION * (1 - LENGTH_EFFECT + (LENGTH_EFFECT * length) / Math.max(1, averageLength));
    const score = counts.reduce((sum, count, at) => sum + (rarity[at] ?? 0) * ((count * (SATURATION + 1)) / (count + damping)), 0);
    return { item, score };
  });
  const best = scored.reduce((most, { score }) => Math.max(most, score), 0);
  return scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ item, score }) => ({ item, score: score / best }));
}

/** How often each term occurs, weighted, and the document's weighted length in words. */
function countTerms(terms: readonly string[], fields: readonly Field[]): { counts: number[]; length: number } {
  const counts = terms.map(() => 0);
  let length = 0;
  for (const { text, weight } of fields) {
    const words = wordsOf(text);
    length += words.length * weight;
    for (const word of words) {
      terms.forEach((term, at) => {
        if (word === term) counts[at] = (counts[at] ?? 0) + weight;
        else if (term.length >= SHORTEST_PREFIX && word.startsWith(term)) counts[at] = (counts[at] ?? 0) + weight * PREFIX_SHARE;
      });
    }
  }
  return { counts, length };
}
