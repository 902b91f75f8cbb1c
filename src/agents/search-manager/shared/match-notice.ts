import type { QueryTerm, QueryTerms } from '../../../search/index.js';

/** Share of the query's rare words that one hit must contain. */
const MIN_SHARE = 0.5;
/** Words that are at least this rare in general stand for one thing, such as `cookbook`. */
const MIN_NAMING_RARITY = 0.98;
const MAX_WORDS_NAMED = 3;
/** Number of the best hits that are read for words of the same meaning. */
const MAX_HITS_READ = 3;

/**
 * Says if no hit has enough of the query's rare words or synonyms, and which naming words are
 * missing; undefined if a hit matches well or there is none. `hits` are texts, the best first.
 */
export function matchNotice(terms: QueryTerms, hits: readonly string[]): string | undefined {
  if (hits.length === 0) return undefined;
  const naming = terms.rare.filter(({ weight }) => weight >= MIN_NAMING_RARITY);
  const found = hits.map((hit, at) => (at < MAX_HITS_READ ? terms.meantIn(hit) : terms.in(hit)));
  const missing = naming.filter((term) => !found.some((own) => own.has(term)));
  const isWhole = found.some((own) => naming.every((term) => own.has(term)));
  const sentences: string[] = [];
  if (found.every((own) => terms.rareShare(own) < MIN_SHARE))
    sentences.push('Nothing matches well.');
  if (missing.length > 0) sentences.push(`No hit contains: ${wordsOf(missing)}.`);
  else if (!isWhole) sentences.push(`No hit contains all of: ${wordsOf(naming)}.`);
  return sentences.length > 0 ? sentences.join(' ') : undefined;
}

function wordsOf(terms: readonly QueryTerm[]): string {
  return terms
    .slice(0, MAX_WORDS_NAMED)
    .map(({ word }) => word)
    .join(', ');
}
