import { hashText } from '../../platform/byte-writer.js';
import { openMeaningSteps, type Embedder } from './meaning.js';
import { createSymbolReader } from './symbols.js';

/** A table of meaning that is not read before it is needed. */
export interface MeaningSource {
  /** Changes with the table. */
  readonly id: string;
  readonly dimensions: number;
  /** Reads the table, which takes a tenth of a second or more, a slice at a time; the same one each time, whoever else is reading it. */
  readonly openSteps: () => Generator<undefined, Embedder>;
}

const SAMPLE = 4096;

/** @param packed the text of assets/meaning.txt */
export function createMeaningSource(packed: string): MeaningSource {
  const reader = createSymbolReader(packed);
  const [version, dimensions] = [reader.word(), reader.word()];
  const [hash] = hashText(packed.slice(0, SAMPLE) + packed.slice(-SAMPLE));
  let opening: Generator<undefined, Embedder> | undefined;
  let opened: Embedder | undefined;
  const nextOf = (steps: Generator<undefined, Embedder>) => {
    try {
      return steps.next();
    } catch (error) {
      opening = undefined; // a damaged table says so to everybody
      throw error;
    }
  };
  return {
    id: `${version}-${dimensions}-${packed.length}-${hash.toString(16)}`,
    dimensions,
    *openSteps() {
      while (!opened) {
        opening ??= openMeaningSteps(packed);
        const step = nextOf(opening);
        if (step.done) opened = step.value;
        else yield;
      }
      return opened;
    },
  };
}
