import {
  halfByteOf,
  blocksOf,
  decodeBlock,
  NO_BLOCKS,
} from '../segment/postings/posting-blocks.js';
import { eachWanted } from '../segment/postings/postings.js';
import type { Segment, PostingBlocks } from '../segment/segment.js';
import { FREQUENCIES, impact, POSTINGS_BLOCK } from '../segment/segment-format.js';
import type { TermVariant } from './expand.js';

/** A word of the query with all terms that match it. */
export interface TermGroup {
  readonly variants: readonly TermVariant[];
  /** Inverse document frequency, times how often the query contains the word. */
  readonly idfWeight: number;
  /** Positions in the query; none for an identifier, whose words are groups as well. */
  readonly positions: readonly number[];
  /** True for two characters of an unspaced script. */
  readonly isPair?: boolean | undefined;
  /** Marks the start or end of a run of an unspaced script, which only adds to proximity. */
  readonly edge?: 'start' | 'end' | undefined;
  /** At the end of a run: the number of pairs in it. */
  readonly pairs?: number | undefined;
}

export interface ScoringBuffers {
  /** One per passage of a segment; all zeros before and after use. */
  readonly sums: Float32Array;
  /** Room for the passages that have a score. */
  readonly touched: Int32Array;
  /** Scores by passage, from the first one in a window; all zeros before and after use. */
  scores: Float32Array;
}

export interface PassageWindow {
  readonly from: number;
  readonly to: number;
}

/** Postings of a group's most frequent variant, and what the others add; read window by window. */
export interface PostingCursor {
  readonly blocks: PostingBlocks;
  readonly weight: number;
  /** Score that a block bound of 255 stands for. */
  readonly maxScore: number;
  readonly added: AddedScores;
  /** First block that may be in the current window; `addedAt` is the first such added score. */
  block: number;
  addedAt: number;
}

/** Passages in ascending order, with the score to add to each. */
interface AddedScores {
  readonly passages: Int32Array;
  readonly scores: Float32Array;
  /** Upper bound of the scores. */
  readonly max: number;
}

const NOTHING_ADDED: AddedScores = {
  passages: new Int32Array(0),
  scores: new Float32Array(0),
  max: 0,
};

const passages = new Int32Array(POSTINGS_BLOCK);
const codes = new Uint8Array(POSTINGS_BLOCK);

/** Impacts by frequency code (a row of zeros first) and passage length, for one average length. */
export interface ImpactTable {
  readonly averageLength: number;
  readonly table: Float32Array;
}

const TABLE_LENGTHS = 512;
let lastTable: ImpactTable = { averageLength: 0, table: new Float32Array(0) };

export function impactTableFor(averageLength: number): ImpactTable {
  if (lastTable.averageLength === averageLength) return lastTable;
  const table = new Float32Array((1 + FREQUENCIES.length) * TABLE_LENGTHS);
  FREQUENCIES.forEach((tenths, code) => {
    for (let length = 0; length < TABLE_LENGTHS; length++)
      table[(1 + code) * TABLE_LENGTHS + length] = impact(tenths / 10, length, averageLength);
  });
  lastTable = { averageLength, table };
  return lastTable;
}

function impactOf({ table, averageLength }: ImpactTable, code: number, length: number): number {
  return length < TABLE_LENGTHS
    ? table[(1 + code) * TABLE_LENGTHS + length]!
    : impact(FREQUENCIES[code]! / 10, length, averageLength);
}

export function openPostingCursor(
  segment: Segment,
  segmentNumber: number,
  { variants, idfWeight }: TermGroup,
  impacts: ImpactTable,
  buffers: ScoringBuffers,
): PostingCursor {
  // Sorted by count in all segments, so that scores do not depend on how documents are split.
  const [first, ...others] = [...variants]
    .sort((a, b) => b.count - a.count)
    .map(({ entries, weight }) => {
      const entry = entries[segmentNumber];
      return { blocks: entry ? blocksOf(segment, entry) : NO_BLOCKS, weight: weight * idfWeight };
    });
  const { blocks, weight } = first!;
  // Bounds are as of writing; if passages are longer on average now, impacts may be higher.
  const drift = Math.max(1, impacts.averageLength / segment.averageLength);
  const maxScore = drift * weight;
  const cursor = { blocks, weight, maxScore, added: NOTHING_ADDED, block: 0, addedAt: 0 };
  const present = others.filter((other) => other.blocks.count > 0);
  if (present.length === 0) return cursor;
  const added =
    present.length === 1
      ? readScores(segment, present[0]!, impacts)
      : readBestScores(segment, present, impacts, buffers);
  // Only the best variant counts, so the score of the most frequent one is subtracted.
  let at = 0;
  const subtract = (passage: number, code: number) => {
    while (added.passages[at]! < passage) at++;
    const score = weight * impactOf(impacts, code, segment.passageLength[passage]!);
    added.scores[at] = Math.max(0, added.scores[at]! - score);
  };
  if (blocks.dense < 0) eachWanted(segment, blocks, added.passages, subtract);
  else {
    for (const passage of added.passages) {
      const half = halfByteOf(segment.postings, blocks.dense, passage);
      if (half !== 0) subtract(passage, half - 1);
    }
  }
  return { ...cursor, added };
}

interface WeightedTerm {
  readonly blocks: PostingBlocks;
  readonly weight: number;
}

function readScores(
  segment: Segment,
  { blocks, weight }: WeightedTerm,
  impacts: ImpactTable,
): AddedScores {
  const own = new Int32Array(blocks.count);
  const scores = new Float32Array(blocks.count);
  let max = 0;
  for (let block = 0, count = 0; block < blocks.last.length; block++) {
    const size = decodeBlock(segment, blocks, block, passages, codes);
    for (let at = 0; at < size; at++, count++) {
      own[count] = passages[at]!;
      scores[count] = weight * impactOf(impacts, codes[at]!, segment.passageLength[passages[at]!]!);
      max = Math.max(max, scores[count]!);
    }
  }
  return { passages: own, scores, max };
}

/** Reads the best score of the terms for each passage. */
function readBestScores(
  segment: Segment,
  terms: readonly WeightedTerm[],
  impacts: ImpactTable,
  { sums, touched }: ScoringBuffers,
): AddedScores {
  let count = 0;
  let max = 0;
  for (const { blocks, weight } of terms) {
    for (let block = 0; block < blocks.last.length; block++) {
      const size = decodeBlock(segment, blocks, block, passages, codes);
      for (let at = 0; at < size; at++) {
        const passage = passages[at]!;
        const score = weight * impactOf(impacts, codes[at]!, segment.passageLength[passage]!);
        if (sums[passage] === 0) touched[count++] = passage;
        if (score > sums[passage]!) sums[passage] = score;
        if (score > max) max = score;
      }
    }
  }
  const ascending = sortTouched(sums, touched.subarray(0, count), segment.passages, 0).slice();
  const scores = Float32Array.from(ascending, (passage) => sums[passage]!);
  for (const passage of ascending) sums[passage] = 0;
  return { passages: ascending, scores, max };
}

/** Passages that can be scanned for the cost of sorting one. */
const SORT_COST = 64;

/** Sorts the passages with at least `minScore` in place. `all` is the number of all passages. */
export function sortTouched(
  scores: Float32Array,
  touched: Int32Array,
  all: number,
  minScore: number,
  isAscending = false,
): Int32Array {
  if (isAscending) return retainFrom(touched, scores, minScore);
  if (touched.length * SORT_COST < all) return retainFrom(touched.sort(), scores, minScore);
  const needed = Math.max(minScore, Number.MIN_VALUE); // untouched passages have 0
  let count = 0;
  for (let passage = 0; passage < all; passage++) {
    if (scores[passage]! >= needed) touched[count++] = passage;
  }
  return touched.subarray(0, count);
}

/** Returns passages that score at least `minScore`, in the same array, without branches. */
export function retainFrom(
  ascending: Int32Array,
  scores: Float32Array,
  minScore: number,
): Int32Array {
  let count = 0;
  for (let at = 0; at < ascending.length; at++) {
    const passage = ascending[at]!;
    ascending[count] = passage;
    count += Number(scores[passage]! >= minScore);
  }
  return ascending.subarray(0, count);
}

/** Moves a cursor to a window. Returns an upper bound of what it adds to a passage there. */
export function upperBound(cursor: PostingCursor, { from, to }: PassageWindow): number {
  const { last, bound } = cursor.blocks;
  const { added } = cursor;
  while (cursor.block < last.length && last[cursor.block]! < from) cursor.block++;
  while (cursor.addedAt < added.passages.length && added.passages[cursor.addedAt]! < from)
    cursor.addedAt++;
  let max = -1;
  for (
    let block = cursor.block;
    block < last.length && (block === cursor.block || last[block - 1]! < to - 1);
    block++
  ) {
    if (bound[block]! > max) max = bound[block]!;
  }
  const ofBlocks = max < 0 ? 0 : Math.min(cursor.weight, ((max + 0.01) / 255) * cursor.maxScore);
  // Sums are 32-bit floats, whose last digit may be rounded up.
  return added.passages[cursor.addedAt]! < to
    ? Math.max(ofBlocks, added.max) * (1 + 1e-6)
    : ofBlocks;
}

export interface Accumulator {
  readonly segment: Segment;
  /** 0 for each document that is not allowed; undefined if all are. */
  readonly allowed: Uint8Array | undefined;
  readonly impacts: ImpactTable;
  readonly buffers: ScoringBuffers;
}

/**
 * Adds a cursor's scores to the passages in a window or, if given, to `candidates` only, which must
 * ascend and score at least `minScore` so far. Returns the number of touched passages (`before` at
 * the start). These and the candidates are numbered from the first passage in the window.
 */
export function accumulate(
  { segment, allowed, impacts, buffers: { scores, touched } }: Accumulator,
  { blocks, block: first, weight, added, addedAt }: PostingCursor,
  { from, to }: PassageWindow,
  before: number,
  candidates?: Int32Array,
  minScore = 0,
): number {
  const { docOf, passageLength, postings } = segment;
  const { last, dense } = blocks;
  const { table } = impacts;
  let count = before;
  if (candidates && dense >= 0) {
    for (let at = 0; at < candidates.length; at++) {
      const own = candidates[at]!;
      const half = halfByteOf(postings, dense, from + own);
      const length = passageLength[from + own]!;
      // Zeros are added, too: a mispredicted branch costs more.
      if (length < TABLE_LENGTHS) scores[own]! += weight * table[half * TABLE_LENGTHS + length]!;
      else if (half !== 0) scores[own]! += weight * impactOf(impacts, half - 1, length);
    }
  } else {
    for (
      let block = first, next = 0;
      block < last.length && (block === first || last[block - 1]! < to - 1);
      block++
    ) {
      if (candidates) {
        while (
          next < candidates.length &&
          block > 0 &&
          from + candidates[next]! <= last[block - 1]!
        )
          next++;
        if (next === candidates.length) break;
        if (from + candidates[next]! > last[block]!) continue;
      }
      const size = decodeBlock(segment, blocks, block, passages, codes);
      for (let at = 0; at < size; at++) {
        const passage = passages[at]!;
        if (passage < from || passage >= to) continue;
        const score = scores[passage - from]!;
        if (score === 0) {
          if (candidates || (allowed && allowed[docOf[passage]!] === 0)) continue;
          touched[count++] = passage - from;
        } else if (score < minScore) continue;
        const length = passageLength[passage]!;
        const factor =
          length < TABLE_LENGTHS
            ? table[(1 + codes[at]!) * TABLE_LENGTHS + length]!
            : impactOf(impacts, codes[at]!, length);
        scores[passage - from] = score + weight * factor;
      }
    }
  }
  for (let at = addedAt; at < added.passages.length && added.passages[at]! < to; at++) {
    const own = added.passages[at]! - from;
    const score = scores[own]!;
    if (score === 0) {
      if (candidates || added.scores[at] === 0 || (allowed && allowed[docOf[from + own]!] === 0))
        continue;
      touched[count++] = own;
    } else if (score < minScore) continue;
    scores[own] = score + added.scores[at]!;
  }
  return count;
}
