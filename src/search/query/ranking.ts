/**
 * Ranks documents by the BM25 score of their best passage: block-max MaxScore over windows. The
 * block bounds determine which terms are essential in a window: a document without any of them
 * cannot be among the best. The other terms only add to the passages found.
 */
import type { Segment } from '../segment/segment.js';
import type { SegmentReader } from '../segment/segment-reader.js';
import {
  accumulate,
  impactTableFor,
  openPostingCursor,
  retainFrom,
  sortTouched,
  upperBound,
  type ScoringBuffers,
  type TermGroup,
} from './posting-cursor.js';
import { createTopKThreshold } from '../vectors/top-k.js';

/** A document with its best passage. */
export interface DocScore {
  readonly reader: SegmentReader;
  /** Index of the segment in the list that is searched. */
  readonly segmentNumber: number;
  readonly doc: number;
  passage: number;
  score: number;
  /** Weight of the query's words that the passage has, and of those in a row as typed. */
  found?: { readonly weight: number; readonly run: number };
}

/** Scores of a window stay in the processor's cache; the best raise the next one's threshold. */
const WINDOW_PASSAGES = 8192;
/** Passages scored, plus `WINDOW_WORK` per window, between two yields: some milliseconds. */
const SLICE_WORK = 200_000;
const WINDOW_WORK = 100;
/** The threshold is lowered by this factor, so that rounding never drops a document. */
const THRESHOLD_SLACK = 0.9999;

/** Unused buffers; each search takes its own, because several may be in progress. */
const pool: ScoringBuffers[] = [];

/** Returns the `limit` best documents in any order, and all that tie with the last of them. */
export function* rankDocs(
  segments: readonly SegmentReader[],
  groups: readonly TermGroup[],
  allowed: readonly (Uint8Array | undefined)[],
  averageLength: number,
  limit: number,
): Generator<undefined, DocScore[]> {
  const sorted = [...groups].sort((a, b) => b.idfWeight - a.idfWeight);
  const best = createTopDocs(limit);
  const impacts = impactTableFor(averageLength);
  /** Upper bound of the score that each term and all later terms can add. */
  const remaining = new Float64Array(sorted.length + 1);
  let work = 0;
  for (const [segmentNumber, reader] of segments.entries()) {
    const { segment } = reader;
    const buffers = takeBuffers(segment);
    const accumulator = { segment, allowed: allowed[segmentNumber], impacts, buffers };
    const { touched } = buffers;
    const cursors = sorted.map((group) =>
      openPostingCursor(segment, segmentNumber, group, impacts, buffers),
    );
    for (let from = 0; from < segment.passages;) {
      const window = { from, to: windowEnd(segment, from) };
      const size = window.to - from;
      if (buffers.scores.length < size) buffers.scores = new Float32Array(size);
      const { scores } = buffers;
      for (let at = cursors.length - 1; at >= 0; at--)
        remaining[at] = remaining[at + 1]! + upperBound(cursors[at]!, window);
      const minScore = best.threshold() * THRESHOLD_SLACK;
      let at = 0;
      let count = 0;
      for (; at < cursors.length && remaining[at]! >= minScore; at++)
        count = accumulate(accumulator, cursors[at]!, window, count);
      const isAscending = at === 1 && cursors[0]!.added.passages.length === 0;
      let candidates = sortTouched(
        scores,
        touched.subarray(0, count),
        size,
        minScore - remaining[at]!,
        isAscending,
      );
      for (; at < cursors.length && candidates.length > 0; at++) {
        const needed = minScore - remaining[at]!;
        accumulate(accumulator, cursors[at]!, window, count, candidates, needed);
        candidates = retainFrom(candidates, scores, minScore - remaining[at + 1]!);
      }
      work += count + WINDOW_WORK;
      collect(reader, segmentNumber, scores, candidates, from, best);
      if (count > 0) scores.fill(0, 0, size);
      from = window.to;
      if (work > SLICE_WORK) {
        work = 0;
        yield;
      }
    }
    pool.push(buffers);
  }
  return best.docs();
}

function takeBuffers({ passages }: Segment): ScoringBuffers {
  const buffers = pool.pop();
  if (buffers && buffers.sums.length >= passages) return buffers;
  return {
    sums: new Float32Array(passages),
    touched: new Int32Array(passages),
    scores: new Float32Array(WINDOW_PASSAGES),
  };
}

/** Returns the end of the window from `from`, rounded up to the end of a document. */
function windowEnd({ passages, docFirst, docOf }: Segment, from: number): number {
  return from + WINDOW_PASSAGES >= passages
    ? passages
    : docFirst[docOf[from + WINDOW_PASSAGES - 1]! + 1]!;
}

/** Adds each document by its first best passage. `ascending` passages are relative to `from`. */
function collect(
  reader: SegmentReader,
  segmentNumber: number,
  scores: Float32Array,
  ascending: Int32Array,
  from: number,
  best: ReturnType<typeof createTopDocs>,
): void {
  const { docOf } = reader.segment;
  for (let at = 0; at < ascending.length;) {
    const doc = docOf[from + ascending[at]!]!;
    let passage = -1;
    let score = 0;
    for (; at < ascending.length && docOf[from + ascending[at]!] === doc; at++) {
      const own = scores[ascending[at]!]!;
      if (own <= score) continue;
      passage = from + ascending[at]!;
      score = own;
    }
    if (score >= best.threshold()) best.add({ reader, segmentNumber, doc, passage, score });
  }
}

/** Collects the `limit` best documents, and all that tie with the last of them. */
function createTopDocs(limit: number) {
  const { min, add } = createTopKThreshold(limit);
  let collected: DocScore[] = [];
  let capacity = limit * 8;
  return {
    /** Returns the score that a document needs; 0 while there are fewer than `limit`. */
    threshold: min,
    add(doc: DocScore): void {
      collected.push(doc);
      add(doc.score);
      if (collected.length <= capacity) return;
      collected = collected.filter(({ score }) => score >= min());
      // Ties all stay, so the capacity must grow, or each further document would filter again.
      capacity = Math.max(limit * 8, collected.length * 2);
    },
    docs: () => collected.filter(({ score }) => score >= min()),
  };
}
