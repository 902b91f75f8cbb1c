import { grown } from '../../platform/byte-writer.js';
import { MAIN_TEXT, type SearchDocument } from '../documents/documents.js';
import { createFingerprintMaker } from '../text/fingerprint.js';
import { detectLanguage } from '../text/languages.js';
import { LAST_TOKEN, tokenize } from '../text/tokenize.js';
import type { Vocabulary } from '../text/vocabulary.js';

/** The place of a word that carries no matter: where it stands is not kept. */
const NO_PLACE = -1;
export const WEIGHT_BITS = 8;
const FARTHEST_PLACE = 2 ** (31 - WEIGHT_BITS) - 1;
/** Between two texts of a passage, so that no phrase goes over from one to the next. */
const TEXT_GAP = 8;

/** A document in tokens, as it waits to be built into a segment. */
export interface Analysed {
  readonly key: string;
  readonly document: Pick<SearchDocument, 'hash' | 'time' | 'labels'>;
  readonly language: number;
  /** Two for each token: its term; its place in the passage above `WEIGHT_BITS` bits, in them its weight in tenths. */
  readonly tokens: Int32Array;
  /** Where in `tokens` each passage ends. */
  readonly ends: readonly number[];
  readonly lengths: readonly number[];
  /** Two for each passage. */
  readonly fingerprints: readonly number[];
}

/** So many numbers are written between two yields: about a millisecond's work. */
const SLICE = 10_000;

/** Room for the tokens of a document; several may be under way, so each takes one from here. */
const pool: Int32Array[] = [];

/** A document in tokens of a vocabulary, which learns the words that are new to it. */
export function* analyse(
  { key, hash, time, labels, passages }: SearchDocument,
  vocabulary: Vocabulary,
): Generator<undefined, Analysed> {
  const language = detectLanguage(sampleOf(passages));
  const fingerprint = createFingerprintMaker();
  const ends: number[] = [];
  const lengths: number[] = [];
  const fingerprints: number[] = [];
  const stopsSeen = new Set<number>();
  let tokens = pool.pop() ?? new Int32Array(1 << 14);
  let count = 0;
  let place = 0;
  let length = 0;
  let weight = 10;
  let isMain = false;
  const put = (term: number, at: number) => {
    if (count === tokens.length) tokens = grown(tokens, count * 2);
    tokens[count++] = term;
    tokens[count++] = (Math.min(at, FARTHEST_PLACE) << WEIGHT_BITS) | weight;
  };
  const visit = (
    _start: number,
    _end: number,
    unitCount: number,
    unitsHash: number,
    kind: number,
  ) => {
    if (isMain) fingerprint.word(unitsHash);
    const form = vocabulary.formOf(unitCount, unitsHash, kind, language);
    const term = vocabulary.term(form);
    if (term < 0) return;
    const at = place++;
    if (vocabulary.isStop(form)) {
      // What carries no matter is kept once a document.
      if (stopsSeen.has(term)) return;
      stopsSeen.add(term);
      put(term, NO_PLACE);
      return;
    }
    put(term, at);
    const other = vocabulary.otherTerm(form);
    if (other >= 0) put(other, at);
    if (kind !== LAST_TOKEN) length += weight;
  };
  let sliceEnd = SLICE;
  for (const passage of passages) {
    place = 0;
    length = 0;
    for (const part of passage) {
      isMain = part.name === MAIN_TEXT;
      weight = Math.max(1, Math.min(255, Math.round(part.weight * 10)));
      tokenize(part.text, 0, part.text.length, visit);
      place += TEXT_GAP;
    }
    ends.push(count);
    lengths.push(length / 10);
    fingerprints.push(...fingerprint.take());
    if (count > sliceEnd) {
      sliceEnd = count + SLICE;
      yield;
    }
  }
  const own = tokens.slice(0, count);
  pool.push(tokens);
  return {
    key,
    document: { hash, time, labels },
    language,
    ends,
    lengths,
    fingerprints,
    tokens: own,
  };
}

const SAMPLED_PASSAGES = 4;
const SAMPLED_UNITS = 600;

/** What the language is told by: the start of each text of the first passages. */
function sampleOf(passages: SearchDocument['passages']): string {
  return passages
    .slice(0, SAMPLED_PASSAGES)
    .flatMap((passage) => passage.map(({ text }) => text.slice(0, SAMPLED_UNITS)))
    .join('\n');
}
