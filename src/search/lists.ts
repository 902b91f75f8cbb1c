import type { Variant } from './expand.js';
import { eachWanted } from './postings.js';
import { FREQUENCIES, impact, POSTINGS_BLOCK } from './segment-format.js';
import { blocksOf, decodeBlock, NO_BLOCKS, type PostingBlocks, type Segment } from './segment.js';

/** A word of the query with all that stands for it. */
export interface Group {
  readonly variants: readonly Variant[];
  /** Its rarity, times how often the query names it. */
  readonly worth: number;
}

/** What a search counts in. */
export interface Scratch {
  /** The score of each passage so far; all zeros before and after. */
  readonly sums: Float32Array;
  /** Room for the passages that have a score. */
  readonly touched: Int32Array;
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

/** The impact of each code at each length, for an average length; longer passages are reckoned one by one. */
export interface Impacts {
  readonly averageLength: number;
  readonly table: Float32Array;
}

const LENGTHS = 512;
let impacts: Impacts = { averageLength: 0, table: new Float32Array(0) };

export function impactsFor(averageLength: number): Impacts {
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

/** The list of a group in the segment of a place. */
export function openList(segment: Segment, place: number, { variants, worth }: Group, worthOf: Impacts, scratch: Scratch): List {
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
  if (others.every((other) => other.blocks.count === 0)) return list;
  const added = joinParts(segment, others, worthOf, scratch);
  // Of several terms in a passage the best counts: what the commonest is worth there is taken off the others.
  let at = 0;
  eachWanted(segment, blocks, added.passages, (passage, code) => {
    while (added.passages[at]! < passage) at++;
    added.parts[at] = Math.max(0, added.parts[at]! - weight * impactOf(worthOf, code, segment.passageLength[passage]!));
  });
  return { ...list, added };
}

/** The best of several terms in each passage. */
function joinParts(
  segment: Segment,
  terms: readonly { readonly blocks: PostingBlocks; readonly weight: number }[],
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
  const ascending = inOrder(sums, touched.subarray(0, count), { from: 0, to: segment.passages }).slice();
  const parts = Float32Array.from(ascending, (passage) => sums[passage]!);
  for (const passage of ascending) sums[passage] = 0;
  return { passages: ascending, parts, most };
}

/** Sorting a passage takes as long as looking at so many. */
const LOOKED_AT_IN_A_SORT = 64;

/** Puts the touched passages of a window in order. */
export function inOrder(sums: Float32Array, touched: Int32Array, { from, to }: Window): Int32Array {
  if (touched.length * LOOKED_AT_IN_A_SORT < to - from) return touched.sort();
  for (let passage = from, at = 0; at < touched.length; passage++) if (sums[passage] !== 0) touched[at++] = passage;
  return touched;
}

/** Goes on to a window; answers what the list is worth in it at most. */
export function boundIn(list: List, { from, to }: Window): number {
  const { last, bound } = list.blocks;
  const { added } = list;
  while (list.block < last.length && last[list.block]! < from) list.block++;
  while (list.addedAt < added.passages.length && added.passages[list.addedAt]! < from) list.addedAt++;
  let most = -1;
  for (let block = list.block; block < last.length && (block === list.block || last[block - 1]! < to - 1); block++) {
    if (bound[block]! > most) most = bound[block]!;
  }
  const ofBlocks = most < 0 ? 0 : Math.min(list.weight, ((most + 0.01) / 255) * list.full);
  // Sums are of 32 bits: the last of them may be rounded up.
  return added.passages[list.addedAt]! < to ? Math.max(ofBlocks, added.most) * (1 + 1e-6) : ofBlocks;
}

/** Adds what a list is worth in a window to the scores there; answers how many passages of it are touched now. */
export function addAll(
  segment: Segment,
  list: List,
  { from, to }: Window,
  ok: Uint8Array | undefined,
  worthOf: Impacts,
  { sums, touched }: Scratch,
  before: number,
): number {
  const { noteOf, passageLength } = segment;
  const { blocks, weight, added } = list;
  const { table } = worthOf;
  let count = before;
  for (let block = list.block; block < blocks.last.length && (block === list.block || blocks.last[block - 1]! < to - 1); block++) {
    let end = decodeBlock(segment, blocks, block, passages, codes);
    let at = 0;
    while (at < end && passages[at]! < from) at++;
    while (end > at && passages[end - 1]! >= to) end--;
    for (; at < end; at++) {
      const passage = passages[at]!;
      if (ok && ok[noteOf[passage]!] === 0) continue;
      const length = passageLength[passage]!;
      const worth = length < LENGTHS ? table[codes[at]! * LENGTHS + length]! : impactOf(worthOf, codes[at]!, length);
      const sum = sums[passage]!;
      if (sum === 0) touched[count++] = passage;
      sums[passage] = sum + weight * worth;
    }
  }
  for (let at = list.addedAt; at < added.passages.length && added.passages[at]! < to; at++) {
    const passage = added.passages[at]!;
    if (added.parts[at] === 0 || (ok && ok[noteOf[passage]!] === 0)) continue;
    if (sums[passage] === 0) touched[count++] = passage;
    sums[passage]! += added.parts[at]!;
  }
  return count;
}

/** Adds a list to the candidates (ascending, in the window at hand): those whose score is `least` or more by now. */
export function addWanted(
  segment: Segment,
  { blocks, block: first, weight, added, addedAt }: List,
  candidates: Int32Array,
  least: number,
  worthOf: Impacts,
  sums: Float32Array,
): void {
  const { passageLength } = segment;
  const { table } = worthOf;
  const { last } = blocks;
  for (let block = first, next = 0; block < last.length; block++) {
    while (next < candidates.length && block > 0 && candidates[next]! <= last[block - 1]!) next++;
    if (next === candidates.length) break;
    if (candidates[next]! > last[block]!) continue;
    const size = decodeBlock(segment, blocks, block, passages, codes);
    for (let at = 0; at < size; at++) {
      const passage = passages[at]!;
      const sum = sums[passage]!;
      if (sum < least || sum === 0) continue;
      const length = passageLength[passage]!;
      const worth = length < LENGTHS ? table[codes[at]! * LENGTHS + length]! : impactOf(worthOf, codes[at]!, length);
      sums[passage] = sum + weight * worth;
    }
  }
  if (addedAt === added.passages.length) return;
  let at = addedAt;
  for (const passage of candidates) {
    while (at < added.passages.length && added.passages[at]! < passage) at++;
    if (added.passages[at] === passage) sums[passage]! += added.parts[at]!;
  }
}
