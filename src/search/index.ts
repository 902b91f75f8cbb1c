/** All that the search engine offers. The README says what it is. */
export { passageText, type SearchDocument, type WeightedText } from './documents/documents.js';
export { tagLabel } from './documents/labels.js';
export { noteTitle, readNoteFields, type NoteFields } from './documents/note-fields.js';
export { createLinkTargets, pathKey, readLinks } from './documents/note-links.js';
export { decodePlace, type PassagePlace } from './documents/note-places.js';
export { countWords, noteDocumentSteps, placeOf, wordsEnd } from './documents/passages.js';
export { bestSentences, sentencesOf } from './excerpts/best-sentences.js';
export { MAX_SEARCHED_LENGTH, type Span } from './excerpts/excerpt.js';
export { explainPassage, type PlacedPassage } from './excerpts/highlight.js';
export {
  BY_WORDS,
  QueryTerms,
  weightOf,
  wordsOf,
  type QueryTerm,
  type Relevance,
} from './excerpts/query-terms.js';
export type { SearchHit } from './query/hits.js';
export { MAX_QUERY_LENGTH } from './query/parse-query.js';
export { rankPaths } from './query/path-search.js';
export type { SearchOptions } from './query/search.js';
export {
  createIndex,
  openIndex,
  type IndexManifest,
  type Exclusion,
  type SearchIndex,
} from './search-index.js';
export {
  mentionedDates,
  periodAsked,
  periodOf,
  relativeDates,
  writtenForms,
  type Period,
} from './text/dates.js';
export { ENGLISH, GERMAN, isStopWord, likelyLanguage } from './text/languages.js';
export { contentWords, queryWords, type QueryWord } from './text/query-words.js';
export { embedDocumentSteps, embedQuerySteps, searchedTextsOf } from './vectors/embed.js';
export { createEmbedderSource, type EmbedderSource } from './vectors/embedder-source.js';
export { MIN_SIMILARITY, NEAREST_DOCS_LIMIT, type Embedder } from './vectors/embedder.js';
export type { SemanticScores } from './vectors/semantic-scores.js';
export { cosine, toUnitVector } from './vectors/unit-vector.js';
export {
  createVectorIndex,
  openVectorIndex,
  type NearestOptions,
  type VectorIndex,
  type VectorManifest,
} from './vectors/vector-index.js';
