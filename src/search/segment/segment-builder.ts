import { WEIGHT_BITS, type Analysed } from './analyse.js';
import {
  createByteWriter,
  grown,
  sortedByBytes,
  type ByteWriter,
} from '../../platform/byte-writer.js';
import { labelTerm } from '../documents/labels.js';
import { frequencyCode, LAST_POSITION, LISTED, LONG_GAP, NOWHERE, ONCE } from './segment-format.js';
import { createSegmentWriter, type SegmentWriter, type TermPostings } from './segment-writer.js';
import { textToBytes } from './segment.js';
import type { Vocabulary } from '../text/vocabulary.js';

/** So many terms are written between two yields: about a millisecond's work. */
const SLICE = 250;

/** A segment of documents, a slice of work at a time. */
export function* buildSegment(
  documents: readonly Analysed[],
  vocabulary: Vocabulary,
): Generator<undefined, Uint8Array<ArrayBuffer>> {
  const byKey = new Map(documents.map((document) => [document.key, document]));
  const sorted = (yield* sortedByBytes([...byKey.keys()])).map((key) => byKey.get(key)!);
  const writer = createSegmentWriter();
  const labels = new Map<string, number[]>();
  let passages = 0;
  for (const [note, { key, document, language, lengths, fingerprints }] of sorted.entries()) {
    const bytes = textToBytes(key);
    writer.key(bytes, bytes.length, note);
    writer.note({ hash: document.hash, time: document.time, language, lengths, fingerprints });
    for (const term of new Set(document.labels.map(labelTerm))) {
      const marked = labels.get(term);
      if (marked) marked.push(passages);
      else labels.set(term, [passages]);
    }
    passages += lengths.length;
  }
  for (const [at, term] of (yield* sortedByBytes([...labels.keys()])).entries()) {
    if (at % SLICE === 0) yield;
    const bytes = textToBytes(term);
    writer.term(bytes, bytes.length, labelPostings(labels.get(term)!));
  }
  yield* writeTerms(sorted, vocabulary, writer);
  return yield* writer.finish();
}

const WEIGHTS = (1 << WEIGHT_BITS) - 1;

function labelPostings(marked: readonly number[]): TermPostings {
  const count = marked.length;
  const codes = new Uint8Array(count).fill(frequencyCode(10));
  return {
    count,
    passages: Int32Array.from(marked),
    codes,
    positions: new Uint8Array(0),
    positionEnds: new Int32Array(count),
  };
}

/** Sorts all tokens by term, in one pass of counting, and writes the terms one by one. */
function* writeTerms(
  sorted: readonly Analysed[],
  vocabulary: Vocabulary,
  writer: SegmentWriter,
): Generator<undefined, void> {
  const total = sorted.reduce((sum, { tokens }) => sum + tokens.length / 2, 0);
  /** The terms that occur, and for each of the vocabulary its place among them, from 1. */
  const used: string[] = [];
  const placeIn = new Int32Array(vocabulary.terms.length);
  /** Where the occurrences of each end: those of the next begin there. */
  const ends = new Int32Array(Math.min(total, placeIn.length) + 1);
  for (const { tokens } of sorted) {
    for (let at = 0; at < tokens.length; at += 2) {
      const term = tokens[at]!;
      if (placeIn[term] === 0) placeIn[term] = used.push(vocabulary.terms[term]!);
      ends[placeIn[term]!]!++;
    }
  }
  for (let place = 1; place < ends.length; place++) ends[place]! += ends[place - 1]!;
  yield;
  const next = ends.slice();
  const passageOf = new Int32Array(total);
  const placeOf = new Int32Array(total);
  const weightOf = new Uint8Array(total);
  let passage = 0;
  for (const { tokens, ends: passageEnds } of sorted) {
    let at = 0;
    for (const end of passageEnds) {
      for (; at < end; at += 2) {
        const slot = next[placeIn[tokens[at]!]! - 1]!++;
        passageOf[slot] = passage;
        placeOf[slot] = tokens[at + 1]! >> WEIGHT_BITS;
        weightOf[slot] = tokens[at + 1]! & WEIGHTS;
      }
      passage++;
    }
  }
  yield;
  const write = createPostingsMaker();
  const ordered = yield* sortedByBytes(used);
  for (let at = 0; at < ordered.length; at++) {
    if (at % SLICE === 0) yield;
    const place = placeIn[vocabulary.numberOf(ordered[at]!)!]!;
    const bytes = textToBytes(ordered[at]!);
    writer.term(
      bytes,
      bytes.length,
      write(passageOf, placeOf, weightOf, ends[place - 1]!, ends[place]!),
    );
  }
}

/** Makes the postings of one term after the other out of its occurrences. */
function createPostingsMaker() {
  const positions = createByteWriter();
  let list: TermPostings = {
    count: 0,
    passages: new Int32Array(64),
    codes: new Uint8Array(64),
    positions: new Uint8Array(0),
    positionEnds: new Int32Array(64),
  };
  return (
    passageOf: Int32Array,
    placeOf: Int32Array,
    weightOf: Uint8Array,
    from: number,
    to: number,
  ): TermPostings => {
    positions.clear();
    let count = 0;
    let hasPlaces = false;
    for (let at = from; at < to && !hasPlaces; at++) hasPlaces = placeOf[at]! >= 0;
    for (let at = from; at < to;) {
      if (count === list.passages.length) list = grownList(list);
      const passage = passageOf[at]!;
      const first = at;
      let tenths = 0;
      for (; at < to && passageOf[at] === passage; at++) tenths += weightOf[at]!;
      const code = frequencyCode(tenths);
      if (hasPlaces) writePositions(placeOf, first, at, code, positions);
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
  placeOf: Int32Array,
  from: number,
  to: number,
  code: number,
  out: ByteWriter,
): void {
  let count = 0;
  for (let at = from; at < to; at++) if (placeOf[at]! >= 0) count++;
  const first = placeOf[from]!;
  if (count === 0) return out.byte(NOWHERE);
  if (code === ONCE && to - from === 1 && first < NOWHERE) return out.byte(first);
  if (code === ONCE) out.byte(LISTED);
  let before = 0;
  for (let at = from; at < to; at++) {
    const place = placeOf[at]!;
    if (place < 0) continue;
    const gap = place - before;
    before = place;
    // A list never begins with the byte that says there is none.
    const isLong = gap >= LONG_GAP - 1;
    out.byte((isLong ? LONG_GAP : gap) | (--count === 0 ? LAST_POSITION : 0));
    if (isLong) out.varint(gap - LONG_GAP + 1);
  }
}

/** The same lists with room for twice as many. */
export function grownList(list: TermPostings): TermPostings {
  const more = list.passages.length * 2;
  return {
    ...list,
    passages: grown(list.passages, more),
    codes: grown(list.codes, more),
    positionEnds: grown(list.positionEnds, more),
  };
}
