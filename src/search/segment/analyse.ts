import { resized } from '../../platform/bytes/bytes.js';
import { MAIN_TEXT, type SearchDocument } from '../documents/documents.js';
import { languageOf } from '../documents/language.js';
import { createFingerprinter } from '../text/fingerprint.js';
import { identifierAt, joinedAt, joinedWords } from '../text/identifiers.js';
import { namesOf, type NameTerms } from '../text/name-terms.js';
import {
  hasInnerCapital,
  LAST_TOKEN,
  runStartAt,
  tokenize,
  WORD_TOKEN,
  type TokenVisitor,
} from '../text/tokenize.js';
import type { Vocabulary } from '../text/vocabulary.js';

/** Stands for the position of a stop word, which is stored once per document and without it. */
const NO_POSITION = -1;
export const WEIGHT_BITS = 8;
const MAX_POSITION = 2 ** (31 - WEIGHT_BITS) - 1;
/** Gap in the positions between two texts of a passage, so that no phrase matches across them. */
const TEXT_GAP = 8;
/** Weight of a part of a name in camel case, relative to the whole. */
const PART_SHARE = 0.3;

/** A tokenized document, ready to be built into a segment. */
export interface AnalysedDocument {
  readonly key: string;
  readonly document: Pick<SearchDocument, 'hash' | 'time' | 'labels' | 'stored'>;
  readonly names: readonly NameTerms[];
  readonly language: number;
  /** Two per token: its term, then its position and (lowest `WEIGHT_BITS`) its weight in tenths. */
  readonly tokens: Int32Array;
  /** End of each passage in `tokens`. */
  readonly ends: readonly number[];
  readonly lengths: readonly number[];
  /** Two numbers per passage; see `createFingerprinter`. */
  readonly fingerprints: readonly number[];
}

/** Numbers written to `tokens` per slice, about a millisecond's work. */
const SLICE_NUMBERS = 10_000;

/** Unused token buffers; each analysis takes its own, because several may be in progress. */
const pool: Int32Array[] = [];

/** Adds new words to the vocabulary. */
export function* analyse(
  { key, hash, time, labels, names = [], stored, passages }: SearchDocument,
  vocabulary: Vocabulary,
): Generator<undefined, AnalysedDocument> {
  const language = languageOf(passages);
  const fingerprinter = createFingerprinter();
  const ends: number[] = [];
  const lengths: number[] = [];
  const fingerprints: number[] = [];
  const stopWordsSeen = new Set<number>();
  let tokens = pool.pop() ?? new Int32Array(1 << 14);
  let count = 0;
  let position = 0;
  let length = 0;
  let weight = 10;
  let isMain = false;
  let text = '';
  const put = (term: number, at: number, own = weight) => {
    if (count === tokens.length) tokens = resized(tokens, count * 2);
    tokens[count++] = term;
    tokens[count++] = (Math.min(at, MAX_POSITION) << WEIGHT_BITS) | own;
  };
  const visit: TokenVisitor = (start, end, unitCount, unitsHash, kind) => {
    if (isMain) fingerprinter.word(unitsHash);
    const whole = identifierAt(text, start, end) ?? runStartAt(text, start, kind);
    if (whole) put(vocabulary.addTerm(whole), position);
    if (kind === WORD_TOKEN && hasInnerCapital)
      for (const part of vocabulary.partsOf(text.slice(start, end), language))
        put(part, position, Math.max(1, Math.round(weight * PART_SHARE)));
    const separated = joinedAt(text, start, end);
    if (separated) put(vocabulary.addWord(separated, language), position);
    const form = vocabulary.formOf(unitCount, unitsHash, kind, language);
    const term = vocabulary.term(form);
    if (term < 0) return;
    const at = position++;
    if (!vocabulary.hasPosition(form)) {
      if (stopWordsSeen.has(term)) return;
      stopWordsSeen.add(term);
      put(term, NO_POSITION);
      return;
    }
    put(term, at);
    const other = vocabulary.otherTerm(form);
    if (other >= 0) put(other, at);
    if (kind !== LAST_TOKEN && !vocabulary.isStop(form)) length += weight;
  };
  let sliceEnd = SLICE_NUMBERS;
  for (const passage of passages) {
    position = 0;
    length = 0;
    for (const part of passage) {
      isMain = part.name === MAIN_TEXT;
      weight = Math.max(1, Math.min(255, Math.round(part.weight * 10)));
      ({ text } = part);
      const title = part.name === 'title' ? joinedWords(text) : undefined;
      if (title) put(vocabulary.addTerm(title), position);
      tokenize(text, 0, text.length, visit);
      position += TEXT_GAP;
    }
    ends.push(count);
    lengths.push(length / 10);
    fingerprints.push(...fingerprinter.take());
    if (count > sliceEnd) {
      sliceEnd = count + SLICE_NUMBERS;
      yield;
    }
  }
  const own = tokens.slice(0, count);
  pool.push(tokens);
  return {
    key,
    document: { hash, time, labels, ...(stored && { stored }) },
    names: namesOf(names, passages, language, vocabulary),
    language,
    ends,
    lengths,
    fingerprints,
    tokens: own,
  };
}
