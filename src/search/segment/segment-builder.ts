import { createByteWriter, type ByteWriter } from '../../platform/bytes/byte-writer.js';
import { sortedByBytes } from '../../platform/bytes/sort-by-bytes.js';
import { labelTerm } from '../documents/labels.js';
import { encodeUtf8 } from '../text/utf8.js';
import type { Vocabulary } from '../text/vocabulary.js';
import { WEIGHT_BITS, type AnalysedDocument } from './analyse.js';
import { SegmentEncoder } from './segment-encoder.js';
import {
  CODE_ONCE,
  frequencyCode,
  LAST_POSITION,
  LONG_GAP,
  NO_POSITIONS,
  POSITION_LIST,
} from './segment-format.js';
import { grownPostings, type TermPostings } from './postings/term-postings.js';
import { addToList } from '../../platform/lists.js';

const NOTHING_STORED = new Uint8Array();
/** Terms written per slice, about a millisecond's work. */
const SLICE_TERMS = 250;

/** Takes a slice of work per step. Of several documents with the same key, the last counts. */
export function* buildSegment(
  documents: readonly AnalysedDocument[],
  vocabulary: Vocabulary,
): Generator<undefined, Uint8Array<ArrayBuffer>> {
  const byKey = new Map(documents.map((document) => [document.key, document]));
  const sorted = (yield* sortedByBytes([...byKey.keys()])).map((key) => byKey.get(key)!);
  const encoder = new SegmentEncoder();
  const labelPassages = new Map<string, number[]>();
  let passages = 0;
  for (const [doc, { key, document, names, language, lengths, fingerprints }] of sorted.entries()) {
    const bytes = encodeUtf8(key);
    encoder.addKey(bytes, bytes.length, doc);
    const { hash, time, stored = NOTHING_STORED } = document;
    const nameNumbers = names.flatMap(({ text, terms }) => [terms.length, text, ...terms]);
    encoder.addDoc({ hash, time, language, names: nameNumbers, stored, lengths, fingerprints });
    for (const term of new Set(document.labels.map(labelTerm)))
      addToList(labelPassages, term, passages);
    passages += lengths.length;
  }
  for (const [at, term] of (yield* sortedByBytes([...labelPassages.keys()])).entries()) {
    if (at % SLICE_TERMS === 0) yield;
    const bytes = encodeUtf8(term);
    encoder.addTerm(bytes, bytes.length, labelPostings(labelPassages.get(term)!));
  }
  yield* addTerms(sorted, vocabulary, encoder);
  return yield* encoder.finish();
}

const WEIGHT_MASK = (1 << WEIGHT_BITS) - 1;

function labelPostings(passages: readonly number[]): TermPostings {
  const count = passages.length;
  return {
    count,
    passages: Int32Array.from(passages),
    codes: new Uint8Array(count).fill(CODE_ONCE),
    positions: new Uint8Array(0),
    positionEnds: new Int32Array(count),
  };
}

/** Sorts all tokens by term (a counting sort) and encodes the terms one by one. */
function* addTerms(
  sorted: readonly AnalysedDocument[],
  vocabulary: Vocabulary,
  encoder: SegmentEncoder,
): Generator<undefined, void> {
  const total = sorted.reduce((sum, { tokens }) => sum + tokens.length / 2, 0);
  /** Terms that occur. `usedNumber` maps vocabulary numbers to numbers here, from 1; 0 for none. */
  const used: string[] = [];
  const usedNumber = new Int32Array(vocabulary.terms.length);
  /** End of each term's occurrences, where those of the next term begin. */
  const ends = new Int32Array(Math.min(total, usedNumber.length) + 1);
  for (const { tokens } of sorted) {
    for (let at = 0; at < tokens.length; at += 2) {
      const term = tokens[at]!;
      if (usedNumber[term] === 0) usedNumber[term] = used.push(vocabulary.terms[term]!);
      ends[usedNumber[term]!]!++;
    }
  }
  for (let number = 1; number < ends.length; number++) ends[number]! += ends[number - 1]!;
  yield;
  const next = ends.slice();
  const passageOf = new Int32Array(total);
  const positionOf = new Int32Array(total);
  const weightOf = new Uint8Array(total);
  let passage = 0;
  for (const { tokens, ends: passageEnds } of sorted) {
    let at = 0;
    for (const end of passageEnds) {
      for (; at < end; at += 2) {
        const slot = next[usedNumber[tokens[at]!]! - 1]!++;
        passageOf[slot] = passage;
        positionOf[slot] = tokens[at + 1]! >> WEIGHT_BITS;
        weightOf[slot] = tokens[at + 1]! & WEIGHT_MASK;
      }
      passage++;
    }
  }
  yield;
  const postingsOf = createPostingsBuilder({ passageOf, positionOf, weightOf });
  const ordered = yield* sortedByBytes(used);
  for (let at = 0; at < ordered.length; at++) {
    if (at % SLICE_TERMS === 0) yield;
    const number = usedNumber[vocabulary.numberOf(ordered[at]!)!]!;
    const bytes = encodeUtf8(ordered[at]!);
    encoder.addTerm(bytes, bytes.length, postingsOf(ends[number - 1]!, ends[number]!));
  }
}

/** Occurrences of all terms, sorted by term, then by passage and position. */
interface Occurrences {
  readonly passageOf: Int32Array;
  /** -1 for stop words. */
  readonly positionOf: Int32Array;
  /** In tenths. */
  readonly weightOf: Uint8Array;
}

/** The returned function builds the postings of a range, which are valid until its next call. */
function createPostingsBuilder({ passageOf, positionOf, weightOf }: Occurrences) {
  const positions = createByteWriter();
  let list: TermPostings = {
    count: 0,
    passages: new Int32Array(64),
    codes: new Uint8Array(64),
    positions: new Uint8Array(0),
    positionEnds: new Int32Array(64),
  };
  return (from: number, to: number): TermPostings => {
    positions.clear();
    let count = 0;
    let hasPositions = false;
    for (let at = from; at < to && !hasPositions; at++) hasPositions = positionOf[at]! >= 0;
    for (let at = from; at < to;) {
      if (count === list.passages.length) list = grownPostings(list);
      const passage = passageOf[at]!;
      const first = at;
      let tenths = 0;
      for (; at < to && passageOf[at] === passage; at++) tenths += weightOf[at]!;
      const code = frequencyCode(tenths);
      if (hasPositions) writePositions(positionOf, first, at, code, positions);
      list.passages[count] = passage;
      list.codes[count] = code;
      list.positionEnds[count++] = positions.length();
    }
    list.count = count;
    list.positions = positions.written();
    return list;
  };
}

/** Writes the positions of a term in a passage; see docs/search-format.md. */
function writePositions(
  positionOf: Int32Array,
  from: number,
  to: number,
  code: number,
  out: ByteWriter,
): void {
  let count = 0;
  for (let at = from; at < to; at++) if (positionOf[at]! >= 0) count++;
  const first = positionOf[from]!;
  if (count === 0) return out.byte(NO_POSITIONS);
  if (code === CODE_ONCE && to - from === 1 && first < NO_POSITIONS) return out.byte(first);
  if (code === CODE_ONCE) out.byte(POSITION_LIST);
  let before = 0;
  for (let at = from; at < to; at++) {
    const position = positionOf[at]!;
    if (position < 0) continue;
    const gap = position - before;
    before = position;
    // A gap of 126 is long, too, or the bit of the last position would make it NO_POSITIONS.
    const isLong = gap >= LONG_GAP - 1;
    count--;
    const lastBit = count === 0 ? LAST_POSITION : 0;
    out.byte((isLong ? LONG_GAP : gap) | lastBit);
    if (isLong) out.varint(gap - LONG_GAP + 1);
  }
}
