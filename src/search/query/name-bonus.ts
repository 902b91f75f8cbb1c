import type { SegmentReader } from '../segment/segment-reader.js';
import type { NameQuery } from '../text/name-terms.js';

interface ScoredDoc {
  readonly reader: SegmentReader;
  readonly doc: number;
  score: number;
  confidence: number;
}

/** For a name with exactly the query's words; less if either has words that the other lacks. */
const SHARED_WORDS_BONUS = 0.3;
/** Further bonus for a name that equals the typed query. */
const SAME_TEXT_BONUS = 0.3;

/**
 * Scales the best score to 1; adds a bonus to documents whose names share words with a query, and
 * raises confidence in them.
 */
export function addNameBonus(hits: readonly ScoredDoc[], queries: readonly NameQuery[]): void {
  const best = hits.reduce((max, { score }) => Math.max(max, score), Number.MIN_VALUE);
  for (const hit of hits) {
    const bonus = queries.reduce((max, query) => Math.max(max, nameBonus(hit, query)), 0);
    hit.score = hit.score / best + bonus;
    hit.confidence = Math.max(hit.confidence, Math.min(1, bonus / SHARED_WORDS_BONUS));
  }
}

/** Returns true if one of the queries is a name of the document as it was typed. */
export function isNamed(
  { reader, doc }: Pick<ScoredDoc, 'reader' | 'doc'>,
  queries: readonly NameQuery[],
): boolean {
  const { names, nameStarts } = reader.segment;
  for (let at = nameStarts[doc]!; at < nameStarts[doc + 1]!; at += 2 + names[at]!)
    if (queries.some(({ text }) => names[at + 1] === text)) return true;
  return false;
}

function nameBonus(
  { reader, doc }: Pick<ScoredDoc, 'reader' | 'doc'>,
  { text, words }: NameQuery,
): number {
  const { names, nameStarts } = reader.segment;
  let best = 0;
  for (let at = nameStarts[doc]!; at < nameStarts[doc + 1]!; at += 2 + names[at]!) {
    const terms = names.subarray(at + 2, at + 2 + names[at]!);
    const sameText = names[at + 1] === text ? SAME_TEXT_BONUS : 0;
    best = Math.max(best, sameText + SHARED_WORDS_BONUS * sharedWords(terms, words));
  }
  return best;
}

/** Multiplies the share of the query's words in the name by that of the name's in the query. */
function sharedWords(terms: Uint32Array, words: NameQuery['words']): number {
  if (terms.length === 0 || words.length === 0) return 0;
  let matched: Set<number> | undefined; // most names have none
  let found = 0;
  for (const stems of words) {
    const term = stems.find((stem) => terms.includes(stem));
    if (term === undefined) continue;
    (matched ??= new Set()).add(term);
    found++;
  }
  return matched ? (found / words.length) * (matched.size / terms.length) : 0;
}
