import type { Period, SearchHit, SearchOptions } from '../../search/index.js';

/**
 * Returns the notes that are named as the period or have its day as text, then those that changed
 * in it, newest first, then others with its words.
 */
export async function listPeriod(
  { first, last }: Period,
  forms: readonly string[],
  searchAs: (options: SearchOptions, text?: string) => Promise<SearchHit[]>,
): Promise<SearchHit[]> {
  const listed = { isListed: true, newestFirst: true, isDeduplicated: false };
  const byWords = await searchAs({});
  const hits = byWords.filter(({ isNamed }) => isNamed);
  for (const form of forms) {
    const written = await searchAs({ semanticScores: undefined }, `"${form}"`);
    hits.push(...written.filter(({ isWhole }) => isWhole));
  }
  hits.push(...(await searchAs({ ...listed, semanticScores: undefined, from: first, to: last })));
  return [...new Map([...hits, ...byWords].map((hit) => [hit.key, hit])).values()];
}
