import type { SearchDocument } from '../documents/documents.js';
import { Vocabulary } from '../text/vocabulary.js';
import { analyse, type AnalysedDocument } from './analyse.js';
import { buildSegment } from './segment-builder.js';

/** A vocabulary with more word forms is replaced by an empty one at the next build. */
const MAX_VOCABULARY_SIZE = 400_000;

/** Documents that are not in a segment yet. */
export interface Memtable {
  /** Takes a slice of work per step. The document is found after the last one. */
  readonly putSteps: (document: SearchDocument) => Generator<undefined, void>;
  readonly remove: (key: string) => boolean;
  readonly hashOf: (key: string) => readonly [number, number] | undefined;
  readonly keys: () => Iterable<string>;
  readonly size: () => number;
  /** Number of tokens of all documents. */
  readonly tokens: () => number;
  /** Empties the memtable at once. The steps build a segment of its former documents. */
  readonly build: () => Generator<undefined, Uint8Array<ArrayBuffer>>;
}

export function createMemtable(): Memtable {
  let documents = new Map<string, AnalysedDocument>();
  let vocabulary = new Vocabulary();
  let tokens = 0;
  const remove = (key: string) => {
    tokens -= tokenCount(documents.get(key));
    return documents.delete(key);
  };
  return {
    *putSteps(document) {
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
    hashOf: (key) => documents.get(key)?.document.hash,
    keys: () => documents.keys(),
    size: () => documents.size,
    tokens: () => tokens,
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
