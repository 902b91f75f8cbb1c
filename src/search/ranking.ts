import type { Variant } from './expand.js';
import type { OpenSegment } from './open-segment.js';
import { eachWanted } from './postings.js';
import { FREQUENCIES, impact, POSTINGS_BLOCK } from './segment-format.js';
import { decodeBlock, blocksOf, type PostingBlocks, type Segment, type TermEntry } from './segment.js';

/** A word of the query with all that stands for it. */
export interface Group {
  readonly variants: readonly Variant[];
  /** Its rarity, times how often the query names it. */
  readonly worth: number;
}

/** A note and the best of its passages. */
export interface NoteScore {
  readonly source: OpenSegment;
  /** The number of the segment. */
  readonly place: number;
  readonly note: number;
  passage: number;
  score: number;
}

/** The postings of a group in a segment: as they are stored, or put together of several variants'. */
type List =
  | { readonly blocks: PostingBlocks; readonly weight: number; readonly bound: number; readonly count: number }
  | { readonly passages: Int32Array; readonly parts: Float32Array; readonly bound: number; readonly count: number };

/** Work, in postings, between two yields: some milliseconds. */
const SLICE = 500_000;
/** Bounds are compared with this much room, so that rounding never loses a note. */
const ROOM = 0.9999;
/** Below this many postings it does not pay to ask which of them can still matter. */
const FEW = 512;

/** What a search counts in: all zeros before and after. Several searches may be under way, so each takes one from the pool. */
interface Scratch {
  sums: Float32Array;
  touched: Int32Array;
  bests: Float32Array;
  bestPassages: Int32Array;
}

const pool: Scratch[] = [];

const passages = new Int32Array(POSTINGS_BLOCK);
const codes = new Uint8Array(POSTINGS_BLOCK);

/** The impact of each code at each length, for an average length; longer passages are reckoned one by one. */
interface Impacts {
  readonly averageLength: number;
  readonly table: Float32Array;
}

const LENGTHS = 512;
let impacts: Impacts = { averageLength: 0, table: new Float32Array(0) };

function impactsFor(averageLength: number): Impacts {
  if (impacts.averageLength === averageLength) return impacts;
  const table = new Float32Array(FREQUENCIES.length * LENGTHS);
  FREQUENCIES.forEach((tenths, code) => {
    for (let length = 0; length < LENGTHS; length++) table[code * LENGTHS + length] = impact(tenths / 10, length, averageLength);
  });
  return (impacts = { averageLength, table });
}

function impactOf({ table, averageLength }: Impacts, code: number, length: number): number {
  return length < LENGTHS ? table[code * LENGTHS + length]! : impact(FREQUENCIES[code]! / 10, length, averageLength);
}

/**
 * The notes of all segments with the highest BM25 of a passage, at most `most`. Words are taken rarest first; as soon as
 * those that are left cannot lift a new passage among the best, only the ones already met are looked at.
 */
export function* rankNotes(
  segments: readonly OpenSegment[],
  groups: readonly Group[],
  allowed: readonly (Uint8Array | undefined)[],
  averageLength: number,
  most: number,
): Generator<undefined, NoteScore[]> {
  const sorted = [...groups].sort((a, b) => b.worth - a.worth);
  const best = createBest(most);
  const worthOf = impactsFor(averageLength);
  let work = 0;
  for (const [place, source] of segments.entries()) {
    const { segment } = source;
    const ok = allowed[place];
    const scratch = takeScratch(segment);
    const lists = sorted.map((group) => openList(segment, place, group, worthOf, scratch));
    const left = new Float64Array(lists.length + 1);
    for (let at = lists.length - 1; at >= 0; at--) left[at] = left[at + 1]! + lists[at]!.bound;
    let count = 0;
    let threshold = best.threshold();
    let at = 0;
    for (; at < lists.length; at++) {
      if (left[at]! < threshold * ROOM) break;
      const list = lists[at]!;
      count = addAll(segment, scratch, list, ok, worthOf, count);
      if ((work += list.count) > SLICE) {
        work = 0;
        yield;
      }
      // What was added so far must be able to outweigh what is left, or the question is not worth asking.
      const [done, next] = [left[0]! - left[at + 1]!, lists[at + 1]];
      if (next && next.count > FEW && done > left[at + 1]!) threshold = Math.max(threshold, thresholdOf(segment, scratch, count, most));
    }
    if (at < lists.length && count > 0) {
      let candidates = scratch.touched.slice(0, count).sort();
      for (; at < lists.length; at++) {
        const remaining = left[at]!;
        candidates = candidates.filter((passage) => scratch.sums[passage]! + remaining >= threshold * ROOM);
        addWanted(segment, scratch, lists[at]!, candidates, worthOf);
      }
    }
    collect(source, place, scratch, count, best);
    giveBack(scratch, count);
  }
  return best.take();
}

function takeScratch({ passages: passageCount, notes }: Segment): Scratch {
  const scratch = pool.pop();
  if (scratch && scratch.sums.length >= passageCount && scratch.bests.length >= notes) return scratch;
  return {
    ...{ sums: new Float32Array(passageCount), touched: new Int32Array(passageCount) },
    ...{ bests: new Float32Array(notes), bestPassages: new Int32Array(notes) },
  };
}

function giveBack(scratch: Scratch, count: number): void {
  const { sums, touched } = scratch;
  if (count * 8 > sums.length) sums.fill(0);
  else for (let at = 0; at < count; at++) sums[touched[at]!] = 0;
  pool.push(scratch);
}

function openList(segment: Segment, place: number, { variants, worth }: Group, worthOf: Impacts, scratch: Scratch): List {
  const present = variants.flatMap(({ entries, weight }) => {
    const entry = entries[place];
    return entry ? [{ entry, weight: weight * worth }] : [];
  });
  if (present.length === 1) {
    const { entry, weight } = present[0]!;
    // The bound was made with the average length of then: where passages have become longer on average, more is possible.
    const drift = Math.max(1, worthOf.averageLength / segment.averageLength);
    const bound = Math.min(1, ((entry.bound + 0.01) / 255) * drift) * weight;
    return { blocks: blocksOf(segment, entry), weight, bound, count: entry.count };
  }
  return joinLists(segment, present, worthOf, scratch);
}

/** The best of several terms in each passage. */
function joinLists(
  segment: Segment,
  present: readonly { readonly entry: TermEntry; readonly weight: number }[],
  worthOf: Impacts,
  { sums, touched }: Scratch,
): List {
  let count = 0;
  let bound = 0;
  for (const { entry, weight } of present) {
    const blocks = blocksOf(segment, entry);
    for (let block = 0; block < blocks.last.length; block++) {
      const size = decodeBlock(segment, blocks, block, passages, codes);
      for (let at = 0; at < size; at++) {
        const passage = passages[at]!;
        const part = weight * impactOf(worthOf, codes[at]!, segment.passageLength[passage]!);
        if (sums[passage] === 0) touched[count++] = passage;
        if (part > sums[passage]!) sums[passage] = part;
        if (part > bound) bound = part;
      }
    }
  }
  const sorted = touched.slice(0, count).sort();
  const parts = new Float32Array(count);
  for (let at = 0; at < count; at++) {
    parts[at] = sums[sorted[at]!]!;
    sums[sorted[at]!] = 0;
  }
  return { passages: sorted, parts, bound: bound * (1 + 1e-6), count };
}

function addAll(
  segment: Segment,
  { sums, touched }: Scratch,
  list: List,
  ok: Uint8Array | undefined,
  worthOf: Impacts,
  before: number,
): number {
  const { noteOf, passageLength } = segment;
  let count = before;
  if ('passages' in list) {
    for (let at = 0; at < list.count; at++) {
      const passage = list.passages[at]!;
      if (ok && ok[noteOf[passage]!] === 0) continue;
      if (sums[passage] === 0) touched[count++] = passage;
      sums[passage]! += list.parts[at]!;
    }
    return count;
  }
  const { blocks, weight } = list;
  const { table } = worthOf;
  for (let block = 0; block < blocks.last.length; block++) {
    const size = decodeBlock(segment, blocks, block, passages, codes);
    for (let at = 0; at < size; at++) {
      const passage = passages[at]!;
      if (ok && ok[noteOf[passage]!] === 0) continue;
      const length = passageLength[passage]!;
      const worth = length < LENGTHS ? table[codes[at]! * LENGTHS + length]! : impactOf(worthOf, codes[at]!, length);
      const sum = sums[passage]!;
      if (sum === 0) touched[count++] = passage;
      sums[passage] = sum + weight * worth;
    }
  }
  return count;
}

/** Adds a list to those of the candidates (ascending) that it holds. */
function addWanted(segment: Segment, { sums }: Scratch, list: List, candidates: Int32Array, worthOf: Impacts): void {
  if ('passages' in list) {
    let at = 0;
    for (const passage of candidates) {
      while (at < list.count && list.passages[at]! < passage) at++;
      if (list.passages[at] === passage) sums[passage]! += list.parts[at]!;
    }
    return;
  }
  eachWanted(segment, list.blocks, candidates, (passage, code) => {
    sums[passage]! += list.weight * impactOf(worthOf, code, segment.passageLength[passage]!);
  });
}

/** The score that the last of the `most` best notes has by now; 0 where there are fewer. */
function thresholdOf({ noteOf }: Segment, { sums, touched, bests }: Scratch, count: number, most: number): number {
  const heap = new Float32Array(most);
  let size = 0;
  const notes: number[] = [];
  for (let at = 0; at < count; at++) {
    const note = noteOf[touched[at]!]!;
    const sum = sums[touched[at]!]!;
    if (bests[note] === 0) notes.push(note);
    if (sum > bests[note]!) bests[note] = sum;
  }
  for (const note of notes) {
    const value = bests[note]!;
    bests[note] = 0;
    if (size < most) siftUp(heap, size++, value);
    else if (value > heap[0]!) siftDown(heap, size, value);
  }
  return size < most ? 0 : heap[0]!;
}

function siftUp(heap: Float32Array, at: number, value: number): void {
  let child = at;
  while (child > 0) {
    const parent = (child - 1) >> 1;
    if (heap[parent]! <= value) break;
    heap[child] = heap[parent]!;
    child = parent;
  }
  heap[child] = value;
}

function siftDown(heap: Float32Array, size: number, value: number): void {
  let parent = 0;
  for (;;) {
    let child = parent * 2 + 1;
    if (child >= size) break;
    if (child + 1 < size && heap[child + 1]! < heap[child]!) child++;
    if (heap[child]! >= value) break;
    heap[parent] = heap[child]!;
    parent = child;
  }
  heap[parent] = value;
}

/** Hands every touched note with its best passage to `best`; of equal passages the first. */
function collect(source: OpenSegment, place: number, { sums, touched, bests, bestPassages }: Scratch, count: number, best: Best): void {
  const { noteOf } = source.segment;
  const notes: number[] = [];
  for (let at = 0; at < count; at++) {
    const passage = touched[at]!;
    const note = noteOf[passage]!;
    const sum = sums[passage]!;
    if (bests[note] === 0) notes.push(note);
    if (sum > bests[note]! || (sum === bests[note] && passage < bestPassages[note]!)) {
      bests[note] = sum;
      bestPassages[note] = passage;
    }
  }
  for (const note of notes) {
    const score = bests[note]!;
    bests[note] = 0;
    if (score >= best.threshold()) best.add({ source, place, note, passage: bestPassages[note]!, score });
  }
}

interface Best {
  /** What a note needs at least; 0 while there is room. */
  readonly threshold: () => number;
  readonly add: (note: NoteScore) => void;
  readonly take: () => NoteScore[];
}

/** Keeps the best `most`, and all that are equal to the last of them. */
function createBest(most: number): Best {
  const heap = new Float32Array(most);
  let size = 0;
  let kept: NoteScore[] = [];
  let room = most * 8;
  const threshold = () => (size < most ? 0 : heap[0]!);
  return {
    threshold,
    add(note) {
      kept.push(note);
      if (size < most) siftUp(heap, size++, note.score);
      else if (note.score > heap[0]!) siftDown(heap, size, note.score);
      if (kept.length <= room) return;
      kept = kept.filter(({ score }) => score >= threshold());
      room = Math.max(most * 8, kept.length * 2); // of many equals all are kept: they must not be looked at for each one more
    },
    take: () => kept.filter(({ score }) => score >= threshold()),
  };
}
