import { wantedText } from '../query/parse-query.js';
import { ENGLISH } from '../text/languages.js';
import { passageText, type SearchDocument } from '../documents/documents.js';
import type { EmbedderSource } from './embedder-source.js';
import { LANGUAGE_SAMPLE_LENGTH, looksEnglish } from './looks-english.js';

/** Embeds a document's passages, one per step; returns no vectors if its language is not supported. */
export function* embedDocumentSteps(
  source: EmbedderSource,
  { passages }: SearchDocument,
): Generator<undefined, Int8Array[]> {
  const { vectorOf } = yield* source.openSteps();
  const vectors: Int8Array[] = [];
  const counts = { words: 0, odd: 0, known: 0 };
  let sample = '';
  for (const passage of passages) {
    yield;
    const text = passageText(passage);
    const isSampled = sample.length >= LANGUAGE_SAMPLE_LENGTH;
    vectors.push(isSampled ? vectorOf(text) : vectorOf(text, counts));
    if (isSampled) continue;
    sample += `${text}\n`;
    const isEnough = sample.length >= LANGUAGE_SAMPLE_LENGTH || vectors.length === passages.length;
    if (isEnough && !looksEnglish(sample.slice(0, LANGUAGE_SAMPLE_LENGTH), counts)) return [];
  }
  return vectors;
}

/** Returns the vector of what a query asks for, without what it excludes; undefined if it has none or its language is not supported. */
export function* embedQuerySteps(
  source: EmbedderSource,
  query: string,
): Generator<undefined, Int8Array | undefined> {
  const { vectorOf } = yield* source.openSteps();
  const counts = { words: 0, odd: 0, known: 0 };
  const wanted = wantedText(query, [ENGLISH]);
  const vector = vectorOf(wanted, counts);
  const isKnown =
    vector.some((value) => value !== 0) &&
    looksEnglish(wanted.slice(0, LANGUAGE_SAMPLE_LENGTH), counts);
  return isKnown ? vector : undefined;
}
