import { hashText } from '../bytes.js';
import { openMeaning, type Embedder } from './meaning.js';
import { createSymbolReader } from './symbols.js';

/** A table of meaning that is not read before it is needed. */
export interface MeaningSource {
  /** Changes with the table. */
  readonly id: string;
  readonly dimensions: number;
  /** Reads the table, which takes a tenth of a second or more; the same one each time. */
  readonly open: () => Embedder;
}

const SAMPLE = 4096;

/** @param packed the text of assets/meaning.txt */
export function createMeaningSource(packed: string): MeaningSource {
  const reader = createSymbolReader(packed);
  const [version, dimensions] = [reader.word(), reader.word()];
  const [hash] = hashText(packed.slice(0, SAMPLE) + packed.slice(-SAMPLE));
  let opened: Embedder | undefined;
  return {
    id: `${version}-${dimensions}-${packed.length}-${hash.toString(16)}`,
    dimensions,
    open: () => (opened ??= openMeaning(packed)),
  };
}
