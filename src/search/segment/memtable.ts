import type { SearchDocument } from '../documents/documents.js';
import { Vocabulary } from '../text/vocabulary.js';
import { analyse, type AnalysedDocument } from './analyse.js';
import { buildSegment } from './segment-builder.js';

/** A vocabulary with more word forms is replaced by an empty one at the next build. */
const MAX_VOCABULARY_SIZE = 400_000;

/** Holds documents that are not in a segment yet. */
export function createMemtable() {
  let documents = new Map<string, AnalysedDocument>();
  let vocabulary = new Vocabulary();
  let tokens = 0;
  const remove = (key: string) => {
    tokens -= tokenCount(documents.get(key));
    return documents.delete(key);
  };
  return {
    /** Takes a slice of work per step. The document is found after the last one. */
    *putSteps(document: SearchDocument): Generator<undefined, void> {
      for (;;) {
        const own = vocabulary;
        const analysed = yield* analyse(document, own);
        if (own !== vocabulary) continue; // it was replaced in the meantime
        remove(document.key);
        documents.set(document.key, analysed);
        tokens += tokenCount(analysed);
        return;
      }
    },
    remove,
    hashOf: (key: string) => documents.get(key)?.document.hash,
    keys: () => documents.keys(),
    size: () => documents.size,
    /** Returns the number of tokens of all documents. */
    tokens: () => tokens,
    /** Empties the memtable at once. The steps build a segment of its former documents. */
    build() {
      const steps = buildSegment([...documents.values()], vocabulary);
      documents = new Map();
      tokens = 0;
      if (vocabulary.size > MAX_VOCABULARY_SIZE) vocabulary = new Vocabulary();
      return steps;
    },
  };
}

function tokenCount(analysed: AnalysedDocument | undefined): number {
  return (analysed?.tokens.length ?? 0) / 2;
}
