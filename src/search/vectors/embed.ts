import { wordingOf, type SearchDocument } from '../documents/documents.js';
import { looksEnglish, SAMPLE } from './language.js';
import type { MeaningSource } from './meaning-source.js';

/** The vectors of a document's passages, one in each step; none where it is not understood. */
export function* embedSteps(
  meaning: MeaningSource,
  { passages }: SearchDocument,
): Generator<undefined, Int8Array[]> {
  const { vectorOf } = yield* meaning.openSteps();
  const vectors: Int8Array[] = [];
  const counts = { words: 0, odd: 0, known: 0 };
  let sample = '';
  for (const passage of passages) {
    yield;
    const wording = wordingOf(passage);
    const isTold = sample.length >= SAMPLE;
    vectors.push(isTold ? vectorOf(wording) : vectorOf(wording, counts));
    if (isTold) continue;
    sample += `${wording}\n`;
    const isEnough = sample.length >= SAMPLE || vectors.length === passages.length;
    if (isEnough && !looksEnglish(sample.slice(0, SAMPLE), counts)) return [];
  }
  return vectors;
}

/** Where a query points to; undefined where it is not understood. */
export function* queryVectorSteps(
  meaning: MeaningSource,
  query: string,
): Generator<undefined, Int8Array | undefined> {
  const { vectorOf } = yield* meaning.openSteps();
  const counts = { words: 0, odd: 0, known: 0 };
  const vector = vectorOf(query, counts);
  return vector.some((value) => value !== 0) && looksEnglish(query.slice(0, SAMPLE), counts)
    ? vector
    : undefined;
}
