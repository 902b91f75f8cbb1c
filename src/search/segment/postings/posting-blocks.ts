import { readVarint } from '../../../platform/bytes/byte-writer.js';
import type { TermEntry } from '../dictionary.js';
import type { PostingBlocks, Segment } from '../segment.js';
import { FREQUENCY_BITS, isDense, POSTINGS_BLOCK } from '../segment-format.js';

export const NO_BLOCKS: PostingBlocks = {
  count: 0,
  dense: -1,
  last: new Int32Array(0),
  start: new Int32Array(0),
  positions: new Int32Array(0),
  bound: new Uint8Array(0),
};

const MAX_CACHED_TABLES = 256;

/** Returns the block table of a term from a cache. */
export function blocksOf(segment: Segment, entry: TermEntry): PostingBlocks {
  const { blockTables } = segment;
  const cached = blockTables.get(entry.postingsStart);
  if (cached) return cached;
  const read = readBlocks(segment, entry);
  if (blockTables.size >= MAX_CACHED_TABLES) blockTables.clear();
  blockTables.set(entry.postingsStart, read);
  return read;
}

/** Creates a table of one block, for `readBlocks` to reuse. */
export function createSingleBlock(): PostingBlocks {
  return {
    count: 0,
    dense: -1,
    last: new Int32Array(1),
    start: new Int32Array(1),
    positions: new Int32Array(1),
    bound: new Uint8Array(1),
  };
}

/** Reads the block table of a term; a list of one block is read into `single`. */
export function readBlocks(
  segment: Segment,
  { count, bound, postingsStart, positionsStart }: TermEntry,
  single: PostingBlocks = createSingleBlock(),
): PostingBlocks {
  const isHalfBytes = isDense(count, segment.passages);
  const blocks = Math.ceil((isHalfBytes ? segment.passages : count) / POSTINGS_BLOCK);
  if (blocks === 1) {
    single.count = count;
    single.last[0] = segment.passages;
    single.start[0] = postingsStart;
    single.positions[0] = positionsStart;
    single.bound[0] = bound;
    return single;
  }
  const last = new Int32Array(blocks);
  const start = new Int32Array(blocks);
  const positions = new Int32Array(blocks);
  const bounds = new Uint8Array(blocks);
  const { postings } = segment;
  const cursor = { at: postingsStart };
  let passage = -1;
  let offset = 0;
  let positionsAt = positionsStart;
  for (let block = 0; block < blocks; block++) {
    passage += isHalfBytes ? POSTINGS_BLOCK : readVarint(postings, cursor);
    last[block] = passage;
    start[block] = offset;
    offset += isHalfBytes ? POSTINGS_BLOCK / 2 : readVarint(postings, cursor);
    positions[block] = positionsAt;
    positionsAt += readVarint(postings, cursor);
    bounds[block] = postings[cursor.at++]!;
  }
  for (let block = 0; block < blocks; block++) start[block]! += cursor.at;
  return { count, dense: isHalfBytes ? cursor.at : -1, last, start, positions, bound: bounds };
}

/** Returns a passage's half byte in a dense list: its code + 1, or 0 without the term. */
export function halfByteOf(postings: Uint8Array, dense: number, passage: number): number {
  return (postings[dense + (passage >> 1)]! >> ((passage & 1) << 2)) & 15;
}

/** Decodes a block into passages and frequency codes; returns the number of postings. */
export function decodeBlock(
  segment: Segment,
  blocks: PostingBlocks,
  block: number,
  passages: Int32Array,
  codes: Uint8Array,
): number {
  const { postings } = segment;
  if (blocks.dense >= 0) return decodeDense(segment, blocks, block, passages, codes);
  const count = Math.min(POSTINGS_BLOCK, blocks.count - block * POSTINGS_BLOCK);
  let passage = block === 0 ? -1 : blocks.last[block - 1]!;
  let at = blocks.start[block]!;
  for (let index = 0; index < count; index++) {
    let value = postings[at++]!;
    if (value > 127) {
      value &= 127;
      let shift = 7;
      let byte: number;
      do {
        byte = postings[at++]!;
        value |= (byte & 127) << shift;
        shift += 7;
      } while (byte > 127);
    }
    passage += value >>> FREQUENCY_BITS;
    passages[index] = passage;
    codes[index] = value & ((1 << FREQUENCY_BITS) - 1);
  }
  return count;
}

function decodeDense(
  { postings, passages: all }: Segment,
  { dense }: PostingBlocks,
  block: number,
  passages: Int32Array,
  codes: Uint8Array,
): number {
  const end = Math.min(all, (block + 1) * POSTINGS_BLOCK);
  let count = 0;
  for (
    let passage = block * POSTINGS_BLOCK, at = dense + (passage >> 1);
    passage < end;
    passage += 2
  ) {
    // Branchless, because occurrence is unpredictable: the next passage overwrites one without it.
    const both = postings[at++]!;
    const low = both & 15;
    const high = both >> 4;
    passages[count] = passage;
    codes[count] = low - 1;
    count += (low + 15) >> 4;
    passages[count] = passage + 1;
    codes[count] = high - 1;
    count += (high + 15) >> 4;
  }
  return count;
}
