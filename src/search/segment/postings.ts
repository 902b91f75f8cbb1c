import { POSTINGS_BLOCK } from './segment-format.js';
import {
  decodeBlock,
  endOfPositions,
  blocksOf,
  readPositions,
  type PostingBlocks,
  type Segment,
  type TermEntry,
} from './segment.js';

const passages = new Int32Array(POSTINGS_BLOCK);
const codes = new Uint8Array(POSTINGS_BLOCK);

/** Visits every posting of a term: its passage and the code of its frequency. */
export function eachPosting(
  segment: Segment,
  entry: TermEntry,
  visit: (passage: number, code: number) => void,
): void {
  const blocks = blocksOf(segment, entry);
  for (let block = 0; block < blocks.last.length; block++) {
    const count = decodeBlock(segment, blocks, block, passages, codes);
    for (let at = 0; at < count; at++) visit(passages[at]!, codes[at]!);
  }
}

/** Visits those of `wanted` (ascending passages) that hold the term, decoding only the blocks in which they may lie. */
export function eachWanted(
  segment: Segment,
  blocks: PostingBlocks,
  wanted: ArrayLike<number>,
  visit: (passage: number, code: number, block: number, index: number) => void,
): void {
  let block = 0;
  let decoded = -1;
  let count = 0;
  let index = 0;
  for (let at = 0; at < wanted.length; at++) {
    const passage = wanted[at]!;
    block = firstBlockFrom(blocks, passage, block);
    if (block === blocks.last.length) return;
    if (block !== decoded) {
      count = decodeBlock(segment, blocks, block, passages, codes);
      decoded = block;
      index = 0;
    }
    while (index < count && passages[index]! < passage) index++;
    if (index < count && passages[index] === passage) visit(passage, codes[index]!, block, index);
  }
}

/** The first block, from `block` on, that ends at or after a passage; steps double, so that near ones are found at once. */
function firstBlockFrom({ last }: PostingBlocks, passage: number, block: number): number {
  if (block >= last.length || last[block]! >= passage) return block;
  let step = 1;
  let low = block;
  while (low + step < last.length && last[low + step]! < passage) {
    low += step;
    step *= 2;
  }
  let high = Math.min(low + step, last.length);
  while (low + 1 < high) {
    const middle = (low + high) >> 1;
    if (last[middle]! < passage) low = middle;
    else high = middle;
  }
  return high;
}

/** So many positions of a term are read in a passage: more say nothing new. */
const positionsRead = new Int32Array(256);

/**
 * Visits those of `wanted` (ascending passages) that hold the term, with its positions there: `count` numbers in
 * `positions`, valid inside `visit` only; none where they are not kept.
 */
export function eachWithPositions(
  segment: Segment,
  entry: TermEntry,
  wanted: ArrayLike<number>,
  visit: (passage: number, positions: Int32Array, count: number, code: number) => void,
): void {
  const blocks = blocksOf(segment, entry);
  let inBlock = -1;
  let at = 0;
  let passed = 0;
  eachWanted(segment, blocks, wanted, (passage, code, block, index) => {
    if (!entry.hasPositions) return visit(passage, positionsRead, 0, code);
    if (block !== inBlock) {
      inBlock = block;
      at = blocks.positions[block]!;
      passed = 0;
    }
    for (; passed < index; passed++) at = endOfPositions(segment.positions, at, codes[passed]!);
    visit(passage, positionsRead, readPositions(segment.positions, at, code, positionsRead), code);
  });
}
