import type { Variant } from './expand.js';
import { eachWanted } from '../segment/postings.js';
import { FREQUENCIES, impact, POSTINGS_BLOCK } from '../segment/segment-format.js';
import {
  blocksOf,
  decodeBlock,
  halfByteOf,
  NO_BLOCKS,
  type PostingBlocks,
  type Segment,
} from '../segment/segment.js';

/** A word of the query with all that stands for it. */
export interface Group {
  readonly variants: readonly Variant[];
  /** Its rarity, times how often the query names it. */
  readonly worth: number;
}

/** What a search counts in. */
export interface Scratch {
  /** For each passage of a segment; all zeros before and after. */
  readonly sums: Float32Array;
  /** Room for the passages that have a score. */
  readonly touched: Int32Array;
  /** The score so far of each passage of a window, counted from its first; all zeros before and after. */
  scores: Float32Array;
}

/** Passages from the first up to the second. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

/** The postings of a group in a segment, read window by window: those of its commonest variant, and what the others add to them. */
export interface List {
  readonly blocks: PostingBlocks;
  readonly weight: number;
  /** What it is worth at most where a block's bound is 255. */
  readonly full: number;
  readonly added: Parts;
  /** The first block, and the first of what is added, that may lie in the window at hand. */
  block: number;
  addedAt: number;
}

/** Passages, ascending, and what is added to the score of each. */
interface Parts {
  readonly passages: Int32Array;
  readonly parts: Float32Array;
  /** What the variants that they are of are worth at most. */
  readonly most: number;
}

const NO_PARTS: Parts = { passages: new Int32Array(0), parts: new Float32Array(0), most: 0 };

const passages = new Int32Array(POSTINGS_BLOCK);
const codes = new Uint8Array(POSTINGS_BLOCK);

/**
 * The impact of each code at each length, for an average length; longer passages are reckoned one by one. Before the first code
 * stand zeros, for passages that do not hold a term.
 */
export interface Impacts {
  readonly averageLength: number;
  readonly table: Float32Array;
}

const LENGTHS = 512;
let impacts: Impacts = { averageLength: 0, table: new Float32Array(0) };

export function impactsFor(averageLength: number): Impacts {
  if (impacts.averageLength === averageLength) return impacts;
  const table = new Float32Array((1 + FREQUENCIES.length) * LENGTHS);
  FREQUENCIES.forEach((tenths, code) => {
    for (let length = 0; length < LENGTHS; length++)
      table[(1 + code) * LENGTHS + length] = impact(tenths / 10, length, averageLength);
  });
  return (impacts = { averageLength, table });
}

function impactOf({ table, averageLength }: Impacts, code: number, length: number): number {
  return length < LENGTHS
    ? table[(1 + code) * LENGTHS + length]!
    : impact(FREQUENCIES[code]! / 10, length, averageLength);
}

/** The list of a group in the segment of a place. */
export function openList(
  segment: Segment,
  place: number,
  { variants, worth }: Group,
  worthOf: Impacts,
  scratch: Scratch,
): List {
  // By how often they occur in all segments: scores must not hang on which notes lie in which.
  const [first, ...others] = [...variants]
    .sort((a, b) => b.count - a.count)
    .map(({ entries, weight }) => {
      const entry = entries[place];
      return { blocks: entry ? blocksOf(segment, entry) : NO_BLOCKS, weight: weight * worth };
    });
  const { blocks, weight } = first!;
  // The bounds were made with the average length of then: where passages have become longer on average, more is possible.
  const drift = Math.max(1, worthOf.averageLength / segment.averageLength);
  const list = { blocks, weight, full: drift * weight, added: NO_PARTS, block: 0, addedAt: 0 };
  const present = others.filter((other) => other.blocks.count > 0);
  if (present.length === 0) return list;
  const added =
    present.length === 1
      ? readParts(segment, present[0]!, worthOf)
      : joinParts(segment, present, worthOf, scratch);
  // Of several terms in a passage the best counts: what the commonest is worth there is taken off the others.
  let at = 0;
  const takeOff = (passage: number, code: number) => {
    while (added.passages[at]! < passage) at++;
    added.parts[at] = Math.max(
      0,
      added.parts[at]! - weight * impactOf(worthOf, code, segment.passageLength[passage]!),
    );
  };
  if (blocks.dense < 0) eachWanted(segment, blocks, added.passages, takeOff);
  else {
    for (const passage of added.passages) {
      const half = halfByteOf(segment.postings, blocks.dense, passage);
      if (half !== 0) takeOff(passage, half - 1);
    }
  }
  return { ...list, added };
}

interface WeightedTerm {
  readonly blocks: PostingBlocks;
  readonly weight: number;
}

function readParts(segment: Segment, { blocks, weight }: WeightedTerm, worthOf: Impacts): Parts {
  const own = new Int32Array(blocks.count);
  const parts = new Float32Array(blocks.count);
  let most = 0;
  for (let block = 0, count = 0; block < blocks.last.length; block++) {
    const size = decodeBlock(segment, blocks, block, passages, codes);
    for (let at = 0; at < size; at++, count++) {
      own[count] = passages[at]!;
      parts[count] = weight * impactOf(worthOf, codes[at]!, segment.passageLength[passages[at]!]!);
      most = Math.max(most, parts[count]!);
    }
  }
  return { passages: own, parts, most };
}

/** The best of several terms in each passage. */
function joinParts(
  segment: Segment,
  terms: readonly WeightedTerm[],
  worthOf: Impacts,
  { sums, touched }: Scratch,
): Parts {
  let count = 0;
  let most = 0;
  for (const { blocks, weight } of terms) {
    for (let block = 0; block < blocks.last.length; block++) {
      const size = decodeBlock(segment, blocks, block, passages, codes);
      for (let at = 0; at < size; at++) {
        const passage = passages[at]!;
        const part = weight * impactOf(worthOf, codes[at]!, segment.passageLength[passage]!);
        if (sums[passage] === 0) touched[count++] = passage;
        if (part > sums[passage]!) sums[passage] = part;
        if (part > most) most = part;
      }
    }
  }
  const ascending = inOrder(sums, touched.subarray(0, count), segment.passages, 0).slice();
  const parts = Float32Array.from(ascending, (passage) => sums[passage]!);
  for (const passage of ascending) sums[passage] = 0;
  return { passages: ascending, parts, most };
}

/** Sorting a passage takes as long as looking at so many. */
const LOOKED_AT_IN_A_SORT = 64;

/** Of `all` passages those touched whose score is not below `least`, ascending: in the same array. */
export function inOrder(
  sums: Float32Array,
  touched: Int32Array,
  all: number,
  least: number,
  isAscending = false,
): Int32Array {
  if (isAscending) return passagesFrom(touched, sums, least);
  if (touched.length * LOOKED_AT_IN_A_SORT < all) return passagesFrom(touched.sort(), sums, least);
  const needed = Math.max(least, Number.MIN_VALUE); // where none is needed, any at all
  let count = 0;
  for (let passage = 0; passage < all; passage++) {
    if (sums[passage]! >= needed) touched[count++] = passage;
  }
  return touched.subarray(0, count);
}

/** Those whose score is not below `least`: the same array, shorter. Each is written, and counted if it stays: no branch to guess. */
export function passagesFrom(ascending: Int32Array, sums: Float32Array, least: number): Int32Array {
  let count = 0;
  for (let at = 0; at < ascending.length; at++) {
    const passage = ascending[at]!;
    ascending[count] = passage;
    count += Number(sums[passage]! >= least);
  }
  return ascending.subarray(0, count);
}

/** Goes on to a window; answers what the list is worth in it at most. */
export function boundIn(list: List, { from, to }: Window): number {
  const { last, bound } = list.blocks;
  const { added } = list;
  while (list.block < last.length && last[list.block]! < from) list.block++;
  while (list.addedAt < added.passages.length && added.passages[list.addedAt]! < from)
    list.addedAt++;
  let most = -1;
  for (
    let block = list.block;
    block < last.length && (block === list.block || last[block - 1]! < to - 1);
    block++
  ) {
    if (bound[block]! > most) most = bound[block]!;
  }
  const ofBlocks = most < 0 ? 0 : Math.min(list.weight, ((most + 0.01) / 255) * list.full);
  // Sums are of 32 bits: the last of them may be rounded up.
  return added.passages[list.addedAt]! < to
    ? Math.max(ofBlocks, added.most) * (1 + 1e-6)
    : ofBlocks;
}

/** Where lists are added up. */
export interface Count {
  readonly segment: Segment;
  /** 0 for each note that is not to be found; all may be where it is absent. */
  readonly ok: Uint8Array | undefined;
  readonly worthOf: Impacts;
  readonly scratch: Scratch;
}

/**
 * Adds what a list is worth to the scores in a window; with `candidates`, the ascending passages whose score is `least` or more by
 * now, to those only. Answers how many passages of the window are touched, which were `before` so far. Touched passages and
 * candidates are counted from the first of the window.
 */
export function addList(
  { segment, ok, worthOf, scratch: { scores, touched } }: Count,
  { blocks, block: first, weight, added, addedAt }: List,
  { from, to }: Window,
  before: number,
  candidates?: Int32Array,
  least = 0,
): number {
  const { noteOf, passageLength, postings } = segment;
  const { last, dense } = blocks;
  const { table } = worthOf;
  let count = before;
  if (candidates && dense >= 0) {
    for (let at = 0; at < candidates.length; at++) {
      const own = candidates[at]!;
      const half = halfByteOf(postings, dense, from + own);
      const length = passageLength[from + own]!;
      // The zeros are added, too: whether a passage holds the term is as good as random, and to guess wrong costs more.
      if (length < LENGTHS) scores[own]! += weight * table[half * LENGTHS + length]!;
      else if (half !== 0) scores[own]! += weight * impactOf(worthOf, half - 1, length);
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
          if (candidates || (ok && ok[noteOf[passage]!] === 0)) continue;
          touched[count++] = passage - from;
        } else if (score < least) continue;
        const length = passageLength[passage]!;
        const worth =
          length < LENGTHS
            ? table[(1 + codes[at]!) * LENGTHS + length]!
            : impactOf(worthOf, codes[at]!, length);
        scores[passage - from] = score + weight * worth;
      }
    }
  }
  for (let at = addedAt; at < added.passages.length && added.passages[at]! < to; at++) {
    const own = added.passages[at]! - from;
    const score = scores[own]!;
    if (score === 0) {
      if (candidates || added.parts[at] === 0 || (ok && ok[noteOf[from + own]!] === 0)) continue;
      touched[count++] = own;
    } else if (score < least) continue;
    scores[own] = score + added.parts[at]!;
  }
  return count;
}
