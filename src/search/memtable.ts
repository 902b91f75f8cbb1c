import { compareBytes, createByteWriter, runSteps, type ByteWriter } from './bytes.js';
import { MAIN_TEXT, type SearchDocument } from './documents.js';
import { createFingerprintMaker } from './fingerprint.js';
import { detectLanguage } from './languages.js';
import { frequencyCode, LABEL_MARK, LAST_POSITION, LISTED, LONG_GAP, NOWHERE, ONCE } from './segment-format.js';
import { createSegmentWriter, type TermPostings } from './segment-writer.js';
import { textToBytes } from './segment.js';
import { LAST_TOKEN, tokenize } from './tokenize.js';
import { createVocabulary, grown, type Vocabulary } from './vocabulary.js';

/** The place of a word that carries no matter: where it stands is not kept. */
const NO_PLACE = -1;
/** Between two texts of a passage, so that no phrase goes over from one to the next. */
const TEXT_GAP = 8;
/** With more spellings than this the vocabulary is begun anew at the next build. */
const MOST_FORMS = 400_000;

/** A document in tokens, as it waits to be built into a segment. */
interface Analysed {
  readonly key: Uint8Array;
  readonly document: Pick<SearchDocument, 'hash' | 'time' | 'labels'>;
  readonly language: number;
  /** Of each token: its term, its place in the passage, its weight in tenths. */
  readonly terms: Int32Array;
  readonly places: Int32Array;
  readonly weights: Uint8Array;
  /** Where each passage's tokens end. */
  readonly ends: readonly number[];
  readonly lengths: readonly number[];
  /** Two for each passage. */
  readonly fingerprints: readonly number[];
}

/** What was just written, before it is in a segment. */
export interface Memtable {
  readonly put: (document: SearchDocument) => void;
  readonly remove: (key: string) => boolean;
  readonly has: (key: string) => boolean;
  readonly hashOf: (key: string) => readonly [number, number] | undefined;
  readonly keys: () => Iterable<string>;
  readonly size: () => number;
  /** The tokens that wait. */
  readonly tokens: () => number;
  /** A segment of all that waits, which is then forgotten. */
  readonly build: () => Uint8Array<ArrayBuffer>;
}

export function createMemtable(): Memtable {
  const waiting = new Map<string, Analysed>();
  let vocabulary = createVocabulary();
  let tokens = 0;
  const remove = (key: string) => {
    tokens -= waiting.get(key)?.terms.length ?? 0;
    return waiting.delete(key);
  };
  return {
    put(document) {
      remove(document.key);
      const analysed = analyse(document, vocabulary);
      waiting.set(document.key, analysed);
      tokens += analysed.terms.length;
    },
    remove,
    has: (key) => waiting.has(key),
    hashOf: (key) => waiting.get(key)?.document.hash,
    keys: () => waiting.keys(),
    size: () => waiting.size,
    tokens: () => tokens,
    build() {
      const blob = buildSegment([...waiting.values()], vocabulary);
      waiting.clear();
      tokens = 0;
      if (vocabulary.size() > MOST_FORMS) vocabulary = createVocabulary();
      return blob;
    },
  };
}

let terms = new Int32Array(1 << 12);
let places = new Int32Array(1 << 12);
let weights = new Uint8Array(1 << 12);
/** For each term the number of the document in which it was last seen. */
let seenIn = new Int32Array(1 << 12);
let analysed = 0;
const fingerprint = createFingerprintMaker();

function analyse({ key, hash, time, labels, passages }: SearchDocument, vocabulary: Vocabulary): Analysed {
  const language = detectLanguage(sampleOf(passages));
  const ends: number[] = [];
  const lengths: number[] = [];
  const fingerprints: number[] = [];
  let count = 0;
  let place = 0;
  let length = 0;
  let weight = 10;
  let isMain = false;
  analysed++;
  const put = (term: number, at: number) => {
    if (count === terms.length) {
      terms = grown(terms, count * 2);
      places = grown(places, count * 2);
      weights = grown(weights, count * 2);
    }
    terms[count] = term;
    places[count] = at;
    weights[count++] = weight;
  };
  const visit = (_start: number, _end: number, units: number, unitsHash: number, kind: number) => {
    if (isMain) fingerprint.word(unitsHash);
    const form = vocabulary.formOf(units, unitsHash, kind, language);
    const term = vocabulary.term(form);
    if (term < 0) return;
    const at = place++;
    if (vocabulary.isStop(form)) {
      // What carries no matter is kept once a document.
      if (term >= seenIn.length) seenIn = grown(seenIn, term * 2);
      if (seenIn[term] !== analysed) put(term, NO_PLACE);
      seenIn[term] = analysed;
      return;
    }
    put(term, at);
    const other = vocabulary.otherTerm(form);
    if (other >= 0) put(other, at);
    if (kind !== LAST_TOKEN) length += weight;
  };
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
  }
  return {
    ...{ key: textToBytes(key), document: { hash, time, labels }, language, ends, lengths, fingerprints },
    ...{ terms: terms.slice(0, count), places: places.slice(0, count), weights: weights.slice(0, count) },
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

function buildSegment(waiting: Analysed[], vocabulary: Vocabulary): Uint8Array<ArrayBuffer> {
  const sorted = waiting.sort((a, b) => compareBytes(a.key, a.key.length, b.key, b.key.length));
  const writer = createSegmentWriter();
  const labels = new Map<string, number[]>();
  let passages = 0;
  for (const { key, document, language, lengths, fingerprints } of sorted) {
    writer.note({ key, hash: document.hash, time: document.time, language, lengths, fingerprints });
    for (const label of new Set(document.labels)) {
      const marked = labels.get(label);
      if (marked) marked.push(passages);
      else labels.set(label, [passages]);
    }
    passages += lengths.length;
  }
  for (const { bytes, item } of byBytes([...labels], ([label]) => `${LABEL_MARK}${label}`)) {
    writer.term(bytes, bytes.length, labelPostings(item[1]));
  }
  writeTerms(sorted, vocabulary, writer);
  return runSteps(writer.finish());
}

function byBytes<T>(items: readonly T[], textOf: (item: T) => string): { bytes: Uint8Array; item: T }[] {
  const all = items.map((item) => ({ bytes: textToBytes(textOf(item)), item }));
  return all.sort((a, b) => compareBytes(a.bytes, a.bytes.length, b.bytes, b.bytes.length));
}

function labelPostings(marked: readonly number[]): TermPostings {
  const count = marked.length;
  const codes = new Uint8Array(count).fill(frequencyCode(10));
  return { count, passages: Int32Array.from(marked), codes, positions: new Uint8Array(0), positionEnds: new Int32Array(count) };
}

/** Sorts all tokens by term, in one pass of counting, and writes the terms one by one. */
function writeTerms(sorted: readonly Analysed[], vocabulary: Vocabulary, writer: ReturnType<typeof createSegmentWriter>): void {
  const starts = new Int32Array(vocabulary.terms.length + 1);
  let total = 0;
  for (const { terms: own } of sorted) {
    for (let at = 0; at < own.length; at++) starts[own[at]! + 1]!++;
    total += own.length;
  }
  const used: number[] = [];
  for (let term = 0; term < vocabulary.terms.length; term++) {
    if (starts[term + 1]! > 0) used.push(term);
    starts[term + 1]! += starts[term]!;
  }
  const next = starts.slice();
  const passageOf = new Int32Array(total);
  const placeOf = new Int32Array(total);
  const weightOf = new Uint8Array(total);
  let passage = 0;
  for (const { terms: own, places: ownPlaces, weights: ownWeights, ends } of sorted) {
    let at = 0;
    for (const end of ends) {
      for (; at < end; at++) {
        const slot = next[own[at]!]!++;
        passageOf[slot] = passage;
        placeOf[slot] = ownPlaces[at]!;
        weightOf[slot] = ownWeights[at]!;
      }
      passage++;
    }
  }
  const write = createPostingsMaker();
  for (const { bytes, item } of byBytes(used, (term) => vocabulary.terms[term]!)) {
    writer.term(bytes, bytes.length, write(passageOf, placeOf, weightOf, starts[item]!, starts[item + 1]!));
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
  return (passageOf: Int32Array, placeOf: Int32Array, weightOf: Uint8Array, from: number, to: number): TermPostings => {
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
function writePositions(placeOf: Int32Array, from: number, to: number, code: number, out: ByteWriter): void {
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
  return { ...list, passages: grown(list.passages, more), codes: grown(list.codes, more), positionEnds: grown(list.positionEnds, more) };
}
