import { compareBytes, grown } from '../../platform/byte-writer.js';
import { grownList } from './segment-builder.js';
import { NOWHERE, POSTINGS_BLOCK } from './segment-format.js';
import { createSegmentWriter, type SegmentWriter, type TermPostings } from './segment-writer.js';
import {
  createKeyCursor,
  createTermCursor,
  decodeBlock,
  endOfPositions,
  oneBlock,
  readBlocks,
  type PostingBlocks,
  type Segment,
} from './segment.js';

/** A segment with the notes of it that are no more. */
export interface LivingSegment {
  readonly segment: Segment;
  /** 1 for each note that was changed or removed since. */
  readonly gone: Uint8Array;
}

/** So much work (postings, roughly) is done between two yields: a quarter of a millisecond, and some milliseconds at first, before it is compiled. */
const SLICE = 2500;
/** What a term of one source costs beside its postings, and a note. */
const WORK_OF_A_TERM = 50;
const WORK_OF_A_NOTE = 10;

/** Makes one segment of several, without what is gone, a slice of work at a time. No key lives in two of them. */
export function* mergeSegments(
  sources: readonly LivingSegment[],
): Generator<undefined, Uint8Array<ArrayBuffer>> {
  const writer = createSegmentWriter();
  const places = yield* mergeNotes(sources, writer);
  const cursors = sources.map(({ segment }, source) => ({
    ...createTermCursor(segment),
    segment,
    places: places[source]!,
  }));
  const list = createList();
  const one = oneBlock();
  let work = 0;
  for (const holders of alike(cursors)) {
    const isPlaced = holders.some((cursor) => cursor.entry().hasPositions);
    list.clear();
    for (const cursor of holders) {
      const entry = cursor.entry();
      const blocks = readBlocks(cursor.segment, entry, one);
      for (let block = 0; block < blocks.last.length; block++) {
        list.append(cursor.segment, blocks, block, cursor.places, entry.hasPositions, isPlaced);
        work += POSTINGS_BLOCK;
        if (work > SLICE) {
          work = 0;
          yield;
        }
      }
      work += WORK_OF_A_TERM;
    }
    const { bytes, length } = holders[0]!;
    if (list.postings.count > 0) writer.term(bytes(), length(), list.postings);
  }
  yield;
  return yield* writer.finish();
}

/** Strings of bytes, ascending. */
interface StringCursor {
  readonly bytes: () => Uint8Array;
  readonly length: () => number;
  readonly next: () => boolean;
}

/** Goes through several together: each time those, in their order, that stand on the least string. */
function* alike<T extends StringCursor>(all: readonly T[]): Generator<readonly T[], void> {
  let cursors = all.filter((cursor) => cursor.next());
  while (cursors.length > 0) {
    let least: T[] = [];
    for (const cursor of cursors) {
      const one = least[0];
      const order = one
        ? compareBytes(cursor.bytes(), cursor.length(), one.bytes(), one.length())
        : -1;
      if (order < 0) least = [cursor];
      else if (order === 0) least.push(cursor);
    }
    yield least;
    for (const cursor of least)
      if (!cursor.next()) cursors = cursors.filter((other) => other !== cursor);
  }
}

/** Postings that grow, and are used again for the next term. */
function createList() {
  const passages = new Int32Array(POSTINGS_BLOCK);
  const codes = new Uint8Array(POSTINGS_BLOCK);
  let postings: TermPostings = {
    count: 0,
    passages: new Int32Array(POSTINGS_BLOCK),
    codes: new Uint8Array(POSTINGS_BLOCK),
    positions: new Uint8Array(POSTINGS_BLOCK),
    positionEnds: new Int32Array(POSTINGS_BLOCK),
  };
  return {
    get postings() {
      return postings;
    },
    clear() {
      postings.count = 0;
    },
    /** Adds the living postings of a block of a source's term; all of them come after what is there. */
    append(
      segment: Segment,
      blocks: PostingBlocks,
      block: number,
      places: Int32Array,
      hasPositions: boolean,
      isPlaced: boolean,
    ) {
      const size = decodeBlock(segment, blocks, block, passages, codes);
      if (postings.count + size > postings.passages.length) postings = grownList(postings);
      let { count } = postings;
      let filled = count === 0 ? 0 : postings.positionEnds[count - 1]!;
      let end = blocks.positions[block]!;
      for (let at = 0; at < size; at++) {
        const start = end;
        if (hasPositions) end = endOfPositions(segment.positions, start, codes[at]!);
        const passage = places[passages[at]!]!;
        if (passage < 0) continue;
        if (filled + end - start >= postings.positions.length)
          postings.positions = grown(postings.positions, (filled + end - start) * 2);
        const { positions } = postings;
        for (let from = start; from < end; from++) positions[filled++] = segment.positions[from]!;
        if (isPlaced && !hasPositions) positions[filled++] = NOWHERE;
        postings.passages[count] = passage;
        postings.codes[count] = codes[at]!;
        postings.positionEnds[count++] = filled;
      }
      postings.count = count;
    },
  };
}

/** Writes the living notes, source by source; answers the new number of each source's passages, -1 for what is gone. */
function* mergeNotes(
  sources: readonly LivingSegment[],
  writer: SegmentWriter,
): Generator<undefined, Int32Array[]> {
  let [notes, passages, work] = [0, 0, 0];
  const places: Int32Array[] = [];
  const cursors: (StringCursor & { note: () => number; numbers: Int32Array })[] = [];
  for (const { segment, gone } of sources) {
    const placesHere = new Int32Array(segment.passages).fill(-1);
    const numbers = new Int32Array(segment.notes).fill(-1);
    for (let note = 0; note < segment.notes; note++) {
      if (gone[note] === 1) continue;
      const [first, end] = [segment.noteFirst[note]!, segment.noteFirst[note + 1]!];
      for (let own = first; own < end; own++) placesHere[own] = passages++;
      numbers[note] = notes++;
      writer.note({
        hash: [segment.noteHash[note * 2]!, segment.noteHash[note * 2 + 1]!],
        time: segment.noteTime[note]!,
        language: segment.noteLanguage[note]!,
        lengths: segment.passageLength.subarray(first, end),
        fingerprints: segment.fingerprints.subarray(first * 2, end * 2),
      });
      work += WORK_OF_A_NOTE;
      if (work > SLICE) {
        work = 0;
        yield;
      }
    }
    places.push(placesHere);
    cursors.push({ ...createKeyCursor(segment), numbers });
  }
  for (const holders of alike(cursors)) {
    for (const { bytes, length, note, numbers } of holders)
      if (numbers[note()]! >= 0) writer.key(bytes(), length(), numbers[note()]!);
    work += WORK_OF_A_NOTE;
    if (work > SLICE) {
      work = 0;
      yield;
    }
  }
  return places;
}
