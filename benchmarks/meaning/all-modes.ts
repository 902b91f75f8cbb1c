import { runToEnd } from '../../src/platform/run-sliced.js';
import { passageText, type SearchDocument } from '../../src/search/documents/documents.js';
import { documentToEmbed } from '../../src/search/documents/memory-documents.js';
import { wantedText } from '../../src/search/query/parse-query.js';
import { ENGLISH } from '../../src/search/text/languages.js';
import { mentionedDates } from '../../src/search/text/dates.js';
import { createIndex } from '../../src/search/index.js';
import type { SearchOptions } from '../../src/search/query/search.js';
import {
  MIN_SIMILARITY,
  NEAREST_DOCS_LIMIT,
  type Embedder,
} from '../../src/search/vectors/embedder.js';
import { createVectorIndex } from '../../src/search/vectors/vector-index.js';

export const MODES = ['keyword', 'semantic', 'hybrid'] as const;
export type Found = readonly { readonly key: string; readonly duplicateKeys: readonly string[] }[];
type Search = (query: string) => Readonly<Record<(typeof MODES)[number], Found>>;

/** Searches like searchContent; the first ten hits are judged. */
export const NOTE_OPTIONS: SearchOptions = { limit: 10, isDeduplicated: true };

/** Creates a search that returns the hits of all three modes. */
export function createSearch(
  documents: readonly SearchDocument[],
  { dimensions, vectorOf }: Embedder,
  options: SearchOptions,
): Search {
  const index = createIndex();
  const vectors = createVectorIndex(dimensions);
  for (const document of documents) {
    index.put(document);
    vectors.put(
      document.key,
      documentToEmbed(document).passages.map((passage) => vectorOf(passageText(passage))),
    );
  }
  runToEnd(index.mergeSteps());
  return (query) => {
    const isMemory = options.groupedBy !== undefined;
    const own = isMemory
      ? { ...options, mentionedDates: mentionedDates(query, Date.now()) }
      : options;
    const nearestTo = (least: number) =>
      runToEnd(
        vectors.nearestSteps(vectorOf(wantedText(query, [ENGLISH])), {
          limit: NEAREST_DOCS_LIMIT,
          minSimilarity: least,
        }),
      );
    return {
      keyword: index.search(query, own),
      semantic: index.search('', { ...options, semanticScores: nearestTo(0) }),
      hybrid: index.search(query, { ...own, semanticScores: nearestTo(MIN_SIMILARITY) }),
    };
  };
}
