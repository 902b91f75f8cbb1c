import { weightOf, type QueryTerms } from '../../../search/excerpts/query-terms.js';

/** Share of the rare words of a query that a hit must contain, or nothing matches well. */
const MIN_SHARE = 0.5;
/** Share below which the answer says that no hit contains all of the words. */
const MIN_CLEAR_SHARE = 2 / 3;
const MAX_WORDS_NAMED = 3;

/**
 * Says that there is no hit, that none contains enough of the rare words of a query, and which of
 * them none contains at all; undefined if a hit matches well and contains them. `hits` are texts.
 */
export function matchNotice(terms: QueryTerms, hits: readonly string[]): string | undefined {
  const { rare } = terms;
  const total = weightOf(rare);
  if (hits.length === 0) return 'Nothing matches.';
  if (total === 0) return undefined;
  const found = hits.map((hit) => terms.in(hit));
  const best = Math.max(...found.map((own) => weightOf(rare.filter((term) => own.has(term)))));
  const missing = rare.filter((term) => !found.some((own) => own.has(term)));
  const sentences: string[] = [];
  if (best < MIN_SHARE * total) sentences.push('Nothing matches well.');
  if (missing.length > 0) sentences.push(`No hit contains: ${wordsOf(missing)}.`);
  else if (best < MIN_CLEAR_SHARE * total)
    sentences.push(`No hit contains all of: ${wordsOf(rare)}.`);
  return sentences.length > 0 ? sentences.join(' ') : undefined;
}

function wordsOf(terms: QueryTerms['terms']): string {
  return terms
    .slice(0, MAX_WORDS_NAMED)
    .map(({ word }) => word)
    .join(', ');
}
