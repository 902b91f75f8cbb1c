import { hashText } from '../../platform/bytes/hash.js';
import { openEmbedderSteps, type Embedder } from './embedder.js';
import { createSymbolReader } from './rans-decoder.js';

/** The built-in embedding table, read when it is first needed. */
export interface EmbedderSource {
  /** Changes with the table. */
  readonly id: string;
  readonly dimensions: number;
  /** Opens the embedder, with a slice of work per step. It is opened once for all callers. */
  readonly openSteps: () => Generator<undefined, Embedder>;
}

const HASHED_LENGTH = 4096;

/** @param packed text of assets/meaning.txt */
export function createEmbedderSource(packed: string): EmbedderSource {
  const reader = createSymbolReader(packed);
  const version = reader.word();
  const dimensions = reader.word();
  const [hash] = hashText(packed.slice(0, HASHED_LENGTH) + packed.slice(-HASHED_LENGTH));
  let opening: Generator<undefined, Embedder> | undefined;
  let opened: Embedder | undefined;
  const nextOf = (steps: Generator<undefined, Embedder>) => {
    try {
      return steps.next();
    } catch (error) {
      opening = undefined; // so that the next caller gets the error, too
      throw error;
    }
  };
  return {
    id: `${version}-${dimensions}-${packed.length}-${hash.toString(16)}`,
    dimensions,
    *openSteps() {
      while (!opened) {
        opening ??= openEmbedderSteps(packed);
        const step = nextOf(opening);
        if (step.done) opened = step.value;
        else yield;
      }
      return opened;
    },
  };
}
