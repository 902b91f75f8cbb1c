import type { TermEntry } from '../dictionary.js';
import { endOfPositions, readPositions } from '../positions.js';
import { blocksOf, decodeBlock } from './posting-blocks.js';
import type { Segment, PostingBlocks } from '../segment.js';
import { POSTINGS_BLOCK } from '../segment-format.js';

const passages = new Int32Array(POSTINGS_BLOCK);
const codes = new Uint8Array(POSTINGS_BLOCK);

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

/** Visits the postings in `wanted` (ascending passages); decodes only blocks that may have them. */
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

/** Returns the first block, from `block` on, that ends at or after a passage (galloping search). */
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

const MAX_POSITIONS_READ = 256;
const positionsRead = new Int32Array(MAX_POSITIONS_READ);

/**
 * Visits the postings in `wanted` (ascending passages) with the term's positions: the first `count`
 * (at most 256; 0 if not stored) in `positions`, valid only inside `visit`.
 */
export function eachWithPositions(
  segment: Segment,
  entry: TermEntry,
  wanted: ArrayLike<number>,
  visit: (passage: number, positions: Int32Array, count: number, code: number) => void,
): void {
  const blocks = blocksOf(segment, entry);
  let currentBlock = -1;
  let at = 0;
  let skipped = 0;
  eachWanted(segment, blocks, wanted, (passage, code, block, index) => {
    if (!entry.hasPositions) return visit(passage, positionsRead, 0, code);
    if (block !== currentBlock) {
      currentBlock = block;
      at = blocks.positions[block]!;
      skipped = 0;
    }
    for (; skipped < index; skipped++) at = endOfPositions(segment.positions, at, codes[skipped]!);
    visit(passage, positionsRead, readPositions(segment.positions, at, code, positionsRead), code);
  });
}
