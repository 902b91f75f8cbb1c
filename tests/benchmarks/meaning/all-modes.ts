import { runToEnd } from '../../../src/platform/run-sliced.js';
import type { SearchDocument } from '../../../src/search/documents/documents.js';
import { documentToEmbed } from '../../../src/indexing/memory/memory-documents.js';
import type { SearchHit } from '../../../src/search/query/hits.js';
import { mentionedDates } from '../../../src/search/text/dates.js';
import { createIndex } from '../../../src/search/index.js';
import type { SearchOptions } from '../../../src/search/query/search.js';
import {
  embedDocumentSteps,
  embedQuerySteps,
  searchedTextsOf,
} from '../../../src/search/vectors/embed.js';
import {
  MIN_SIMILARITY,
  NEAREST_DOCS_LIMIT,
  type Embedder,
} from '../../../src/search/vectors/embedder.js';
import type { EmbedderSource } from '../../../src/search/vectors/embedder-source.js';
import { createVectorIndex } from '../../../src/search/vectors/vector-index.js';

export const MODES = ['keyword', 'semantic', 'hybrid'] as const;
export type Found = readonly { readonly key: string; readonly duplicateKeys: readonly string[] }[];
type Search = (query: string) => Readonly<Record<(typeof MODES)[number], readonly SearchHit[]>>;

/** Searches like searchContent; the first ten hits are judged. */
export const NOTE_OPTIONS: SearchOptions = { limit: 10, isDeduplicated: true };

/**
 * Creates a search that returns the hits of all three modes. As in the program, texts and queries
 * in a language that the table does not know have no vectors.
 */
export function createSearch(
  documents: readonly SearchDocument[],
  embedder: Embedder,
  options: SearchOptions,
): Search {
  const index = createIndex();
  const vectors = createVectorIndex(embedder.dimensions);
  const source: EmbedderSource = {
    id: 'table',
    dimensions: embedder.dimensions,
    isOpen: () => true,
    restore: () => Promise.resolve(),
    *openSteps() {
      return embedder;
    },
  };
  for (const document of documents) {
    index.put(document);
    vectors.put(document.key, runToEnd(embedDocumentSteps(source, documentToEmbed(document))));
  }
  runToEnd(index.mergeSteps());
  const searched = searchedTextsOf(index);
  return (query) => {
    const isMemory = options.groupedBy !== undefined;
    const own = isMemory
      ? { ...options, mentionedDates: mentionedDates(query, Date.now()) }
      : options;
    const embedded = runToEnd(embedQuerySteps(source, query, searched));
    const nearestTo = (least: number) =>
      embedded &&
      runToEnd(
        vectors.nearestSteps(embedded.vector, { limit: NEAREST_DOCS_LIMIT, minSimilarity: least }),
      );
    const semanticScores = nearestTo(MIN_SIMILARITY);
    const keyword = index.search(query, own);
    return {
      keyword,
      semantic: embedded ? index.search('', { ...options, semanticScores: nearestTo(0) }) : [],
      hybrid: semanticScores ? index.search(query, { ...own, semanticScores }) : keyword,
    };
  };
}
