import type { Candidate } from './hits.js';
import type { NameQuery } from '../text/name-terms.js';

type ScoredDoc = Pick<Candidate, 'reader' | 'doc' | 'score' | 'confidence'>;

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

function nameBonus({ reader, doc }: Pick<ScoredDoc, 'reader' | 'doc'>, query: NameQuery): number {
  const { names, nameStarts } = reader.segment;
  const end = nameStarts[doc + 1]!;
  let best = 0;
  for (let at = nameStarts[doc]!, next; at < end; at = next) {
    next = at + 2 + names[at]!;
    const sameText = names[at + 1] === query.text ? SAME_TEXT_BONUS : 0;
    best = Math.max(best, sameText + SHARED_WORDS_BONUS * sharedWords(names, at + 2, next, query));
  }
  return best;
}

/** Multiplies the share of the query's words in the name by that of the name's in the query. */
function sharedWords(
  names: Uint32Array,
  from: number,
  to: number,
  { words, terms }: NameQuery,
): number {
  let found = 0;
  let matched: Set<number> | undefined;
  let isShared = false; // most names are not
  for (let at = from; at < to && !isShared; at++) isShared = terms.has(names[at]!);
  if (!isShared) return 0;
  for (const stems of words)
    for (let at = from; at < to; at++) {
      if (!stems.includes(names[at]!)) continue;
      (matched ??= new Set()).add(names[at]!);
      found++;
      break;
    }
  return matched ? (found / words.length) * (matched.size / (to - from)) : 0;
}
