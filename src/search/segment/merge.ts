import { compareBytes, resized } from '../../platform/bytes/bytes.js';
import { KeyCursor, TermCursor, type StringCursor } from './dictionary.js';
import { endOfPositions } from './positions.js';
import { createSingleBlock, decodeBlock, readBlocks } from './postings/posting-blocks.js';
import { storedOf, type PostingBlocks, type Segment } from './segment.js';
import { SegmentEncoder } from './segment-encoder.js';
import { NO_POSITIONS, POSTINGS_BLOCK } from './segment-format.js';
import { grownPostings, type TermPostings } from './postings/term-postings.js';

export interface MergeSource {
  readonly segment: Segment;
  /** 1 for each deleted document. */
  readonly deleted: Uint8Array;
}

/** Postings, roughly: a quarter of a millisecond, but some milliseconds before compilation. */
const SLICE_WORK = 2500;
/** Fixed amounts of work per term of a source, and per document. */
const TERM_WORK = 50;
const DOC_WORK = 10;

/** Merges live documents, one slice per step. No live key may be in two of the segments. */
export function* mergeSegments(
  sources: readonly MergeSource[],
): Generator<undefined, Uint8Array<ArrayBuffer>> {
  const encoder = new SegmentEncoder();
  const passageMaps = yield* mergeDocs(sources, encoder);
  const all = sources.map(({ segment }, source) => ({
    cursor: new TermCursor(segment),
    segment,
    passageMap: passageMaps[source]!,
  }));
  const merged = new MergedPostings();
  const single = createSingleBlock();
  let work = 0;
  for (const holders of alignCursors(all)) {
    const hasPositions = holders.some(({ cursor }) => cursor.entry().hasPositions);
    merged.clear();
    for (const { cursor, segment, passageMap } of holders) {
      const entry = cursor.entry();
      const blocks = readBlocks(segment, entry, single);
      for (let block = 0; block < blocks.last.length; block++) {
        merged.append(segment, blocks, block, passageMap, entry.hasPositions, hasPositions);
        work += POSTINGS_BLOCK;
        if (work > SLICE_WORK) {
          work = 0;
          yield;
        }
      }
      work += TERM_WORK;
    }
    const term = holders[0]!.cursor;
    if (merged.postings.count > 0) encoder.addTerm(term.bytes(), term.length(), merged.postings);
  }
  yield;
  return yield* encoder.finish();
}

/** Advances cursors together; yields those on the smallest string, in their original order. */
function* alignCursors<T extends { readonly cursor: StringCursor }>(
  all: readonly T[],
): Generator<readonly T[], void> {
  let left = all.filter(({ cursor }) => cursor.next());
  while (left.length > 0) {
    let smallest: T[] = [];
    for (const holder of left) {
      const { cursor } = holder;
      const best = smallest[0]?.cursor;
      const order = best
        ? compareBytes(cursor.bytes(), cursor.length(), best.bytes(), best.length())
        : -1;
      if (order < 0) smallest = [holder];
      else if (order === 0) smallest.push(holder);
    }
    yield smallest;
    for (const holder of smallest)
      if (!holder.cursor.next()) left = left.filter((other) => other !== holder);
  }
}

/** Postings of one term, appended source by source; the arrays are reused for the next term. */
class MergedPostings {
  readonly #passages = new Int32Array(POSTINGS_BLOCK);
  readonly #codes = new Uint8Array(POSTINGS_BLOCK);
  #postings: TermPostings = {
    count: 0,
    passages: new Int32Array(POSTINGS_BLOCK),
    codes: new Uint8Array(POSTINGS_BLOCK),
    positions: new Uint8Array(POSTINGS_BLOCK),
    positionEnds: new Int32Array(POSTINGS_BLOCK),
  };

  get postings(): TermPostings {
    return this.#postings;
  }

  clear(): void {
    this.#postings.count = 0;
  }

  /**
   * Appends the live postings of a block, which come after those already there.
   * @param hasPositions True if the source stores positions of the term.
   * @param writesPositions True if any source does.
   */
  append(
    segment: Segment,
    blocks: PostingBlocks,
    block: number,
    passageMap: Int32Array,
    hasPositions: boolean,
    writesPositions: boolean,
  ): void {
    const passages = this.#passages;
    const codes = this.#codes;
    const size = decodeBlock(segment, blocks, block, passages, codes);
    if (this.#postings.count + size > this.#postings.passages.length)
      this.#postings = grownPostings(this.#postings);
    const postings = this.#postings;
    let { count } = postings;
    let filled = count === 0 ? 0 : postings.positionEnds[count - 1]!;
    let end = blocks.positions[block]!;
    for (let at = 0; at < size; at++) {
      const start = end;
      if (hasPositions) end = endOfPositions(segment.positions, start, codes[at]!);
      const passage = passageMap[passages[at]!]!;
      if (passage < 0) continue;
      if (filled + end - start >= postings.positions.length)
        postings.positions = resized(postings.positions, (filled + end - start) * 2);
      const { positions } = postings;
      for (let from = start; from < end; from++) positions[filled++] = segment.positions[from]!;
      if (writesPositions && !hasPositions) positions[filled++] = NO_POSITIONS;
      postings.passages[count] = passage;
      postings.codes[count] = codes[at]!;
      postings.positionEnds[count++] = filled;
    }
    postings.count = count;
  }
}

/** Adds live documents. Returns the new numbers of each source's passages; -1 if deleted. */
function* mergeDocs(
  sources: readonly MergeSource[],
  encoder: SegmentEncoder,
): Generator<undefined, Int32Array[]> {
  let docs = 0;
  let passages = 0;
  let work = 0;
  const passageMaps: Int32Array[] = [];
  const all: { readonly cursor: KeyCursor; readonly docMap: Int32Array }[] = [];
  for (const { segment, deleted } of sources) {
    const passageMap = new Int32Array(segment.passages).fill(-1);
    const docMap = new Int32Array(segment.docs).fill(-1);
    for (let doc = 0; doc < segment.docs; doc++) {
      if (deleted[doc] === 1) continue;
      const first = segment.docFirst[doc]!;
      const end = segment.docFirst[doc + 1]!;
      for (let passage = first; passage < end; passage++) passageMap[passage] = passages++;
      docMap[doc] = docs++;
      encoder.addDoc({
        hash: [segment.docHash[doc * 2]!, segment.docHash[doc * 2 + 1]!],
        time: segment.docTime[doc]!,
        language: segment.docLanguage[doc]!,
        names: segment.names.subarray(segment.nameStarts[doc], segment.nameStarts[doc + 1]),
        stored: storedOf(segment, doc),
        lengths: segment.passageLength.subarray(first, end),
        fingerprints: segment.fingerprints.subarray(first * 2, end * 2),
      });
      work += DOC_WORK;
      if (work > SLICE_WORK) {
        work = 0;
        yield;
      }
    }
    passageMaps.push(passageMap);
    all.push({ cursor: new KeyCursor(segment), docMap });
  }
  for (const holders of alignCursors(all)) {
    for (const { cursor, docMap } of holders) {
      const doc = docMap[cursor.doc()]!;
      if (doc >= 0) encoder.addKey(cursor.bytes(), cursor.length(), doc);
    }
    work += DOC_WORK;
    if (work > SLICE_WORK) {
      work = 0;
      yield;
    }
  }
  return passageMaps;
}
