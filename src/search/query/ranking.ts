import {
  addList,
  boundIn,
  impactsFor,
  inOrder,
  openList,
  passagesFrom,
  type Group,
  type Scratch,
} from './posting-cursor.js';
import type { OpenSegment } from '../segment/open-segment.js';
import type { Segment } from '../segment/segment.js';
import { createThreshold } from './top-k.js';

/** A note and the best of its passages. */
export interface NoteScore {
  readonly source: OpenSegment;
  /** The number of the segment. */
  readonly place: number;
  readonly note: number;
  passage: number;
  score: number;
}

/** Passages that are scored at a time: their scores stay in the processor's cache, and the best of them tell what the next must reach. */
const WINDOW = 8192;
/** Work, in passages that were scored and windows times a hundred, between two yields: some milliseconds. */
const SLICE = 200_000;
const WORK_OF_A_WINDOW = 100;
/** Bounds are compared with this much room, so that rounding never loses a note. */
const ROOM = 0.9999;

/** Several searches may be under way, so each takes one from here. */
const pool: Scratch[] = [];

/**
 * The notes of all segments with the highest BM25 of a passage, at most `most`. In each window words are taken rarest first; as soon
 * as those that are left cannot lift a new passage among the best, only the ones already met are looked at.
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
  const left = new Float64Array(sorted.length + 1);
  let work = 0;
  for (const [place, source] of segments.entries()) {
    const { segment } = source;
    const scratch = takeScratch(segment);
    const counting = { segment, ok: allowed[place], worthOf, scratch };
    const { touched } = scratch;
    const lists = sorted.map((group) => openList(segment, place, group, worthOf, scratch));
    for (let from = 0; from < segment.passages;) {
      const window = { from, to: windowEnd(segment, from) };
      const size = window.to - from;
      if (scratch.scores.length < size) scratch.scores = new Float32Array(size);
      const { scores } = scratch;
      for (let at = lists.length - 1; at >= 0; at--)
        left[at] = left[at + 1]! + boundIn(lists[at]!, window);
      const wanted = best.threshold() * ROOM;
      let [at, count] = [0, 0];
      for (; at < lists.length && left[at]! >= wanted; at++)
        count = addList(counting, lists[at]!, window, count);
      const isAscending = at === 1 && lists[0]!.added.passages.length === 0;
      let candidates = inOrder(
        scores,
        touched.subarray(0, count),
        size,
        wanted - left[at]!,
        isAscending,
      );
      for (; at < lists.length && candidates.length > 0; at++) {
        addList(counting, lists[at]!, window, count, candidates, wanted - left[at]!);
        candidates = passagesFrom(candidates, scores, wanted - left[at + 1]!);
      }
      work += count + WORK_OF_A_WINDOW;
      collect(source, place, scores, candidates, from, best);
      if (count > 0) scores.fill(0, 0, size);
      from = window.to;
      if (work > SLICE) {
        work = 0;
        yield;
      }
    }
    pool.push(scratch);
  }
  return best.take();
}

function takeScratch({ passages }: Segment): Scratch {
  const scratch = pool.pop();
  if (scratch && scratch.sums.length >= passages) return scratch;
  return {
    sums: new Float32Array(passages),
    touched: new Int32Array(passages),
    scores: new Float32Array(WINDOW),
  };
}

/** A window ends with a note. */
function windowEnd({ passages, noteFirst, noteOf }: Segment, from: number): number {
  return from + WINDOW >= passages ? passages : noteFirst[noteOf[from + WINDOW - 1]! + 1]!;
}

/** Hands each note with its best passage to `best`, of passages in ascending order, counted from `from`; of equal passages the first. */
function collect(
  source: OpenSegment,
  place: number,
  scores: Float32Array,
  ascending: Int32Array,
  from: number,
  best: Best,
): void {
  const { noteOf } = source.segment;
  for (let at = 0; at < ascending.length;) {
    const note = noteOf[from + ascending[at]!]!;
    let [passage, score] = [-1, 0];
    for (; at < ascending.length && noteOf[from + ascending[at]!] === note; at++) {
      const own = scores[ascending[at]!]!;
      if (own <= score) continue;
      passage = from + ascending[at]!;
      score = own;
    }
    if (score >= best.threshold()) best.add({ source, place, note, passage, score });
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
  const { least, take } = createThreshold(most);
  let kept: NoteScore[] = [];
  let room = most * 8;
  return {
    threshold: least,
    add(note) {
      kept.push(note);
      take(note.score);
      if (kept.length <= room) return;
      kept = kept.filter(({ score }) => score >= least());
      room = Math.max(most * 8, kept.length * 2); // of many equals all are kept: they must not be looked at for each one more
    },
    take: () => kept.filter(({ score }) => score >= least()),
  };
}
