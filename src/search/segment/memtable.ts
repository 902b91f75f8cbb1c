import { analyse, type Analysed } from './analyse.js';
import type { SearchDocument } from '../documents/documents.js';
import { buildSegment } from './segment-builder.js';
import { createVocabulary } from '../text/vocabulary.js';

/** With more spellings than this the vocabulary is begun anew at the next build. */
const MOST_FORMS = 400_000;

/** What was just written, before it is in a segment. */
export interface Memtable {
  /** Takes a document in, a slice of work at a time; it is there with the last. */
  readonly putSteps: (document: SearchDocument) => Generator<undefined, void>;
  readonly remove: (key: string) => boolean;
  readonly hashOf: (key: string) => readonly [number, number] | undefined;
  readonly keys: () => Iterable<string>;
  readonly size: () => number;
  /** The tokens that wait. */
  readonly tokens: () => number;
  /** A segment of all that waits, which is forgotten at once: the last value of the steps. */
  readonly build: () => Generator<undefined, Uint8Array<ArrayBuffer>>;
}

export function createMemtable(): Memtable {
  let waiting = new Map<string, Analysed>();
  let vocabulary = createVocabulary();
  let tokens = 0;
  const remove = (key: string) => {
    tokens -= tokensOf(waiting.get(key));
    return waiting.delete(key);
  };
  return {
    *putSteps(document) {
      for (;;) {
        const own = vocabulary;
        const analysed = yield* analyse(document, own);
        if (own !== vocabulary) continue; // it was begun anew meanwhile
        remove(document.key);
        waiting.set(document.key, analysed);
        tokens += tokensOf(analysed);
        return;
      }
    },
    remove,
    hashOf: (key) => waiting.get(key)?.document.hash,
    keys: () => waiting.keys(),
    size: () => waiting.size,
    tokens: () => tokens,
    build() {
      const steps = buildSegment([...waiting.values()], vocabulary);
      waiting = new Map();
      tokens = 0;
      if (vocabulary.size() > MOST_FORMS) vocabulary = createVocabulary();
      return steps;
    },
  };
}

function tokensOf(analysed: Analysed | undefined): number {
  return (analysed?.tokens.length ?? 0) / 2;
}
