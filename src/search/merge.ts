import { compareBytes } from './bytes.js';
import { grownList } from './memtable.js';
import { NOWHERE, POSTINGS_BLOCK } from './segment-format.js';
import { createSegmentWriter, type TermPostings } from './segment-writer.js';
import {
  createTermCursor,
  decodeBlock,
  eachKey,
  endOfPositions,
  blocksOf,
  type Segment,
  type TermCursor,
  type TermEntry,
} from './segment.js';
import { grown } from './vocabulary.js';

/** A segment with the notes of it that are no more. */
export interface LivingSegment {
  readonly segment: Segment;
  /** 1 for each note that was changed or removed since. */
  readonly gone: Uint8Array;
}

/** So much work (postings, roughly) is done between two yields: about a millisecond's. */
const SLICE = 5_000;

/** Makes one segment of several, without what is gone, a slice of work at a time. No key lives in two of them. */
export function* mergeSegments(sources: readonly LivingSegment[]): Generator<undefined, Uint8Array<ArrayBuffer>> {
  const writer = createSegmentWriter();
  const places = yield* mergeNotes(sources, writer);
  const cursors: { cursor: TermCursor; source: number }[] = [];
  sources.forEach(({ segment }, source) => {
    const cursor = createTermCursor(segment);
    if (cursor.next()) cursors.push({ cursor, source });
  });
  const list = createList();
  let work = 0;
  while (cursors.length > 0) {
    let least = cursors[0]!.cursor;
    for (const { cursor } of cursors) {
      if (compareBytes(cursor.bytes(), cursor.length(), least.bytes(), least.length()) < 0) least = cursor;
    }
    const bytes = least.bytes().slice(0, least.length());
    const holders = cursors.filter(({ cursor }) => compareBytes(cursor.bytes(), cursor.length(), bytes, bytes.length) === 0);
    const isPlaced = holders.some(({ cursor }) => cursor.entry().hasPositions);
    const streams = heapOf(holders.map(({ cursor, source }) => createStream(sources[source]!.segment, cursor.entry(), places[source]!)));
    list.clear();
    while (streams.length > 0) {
      const next = streams[0]!;
      list.append(next, isPlaced);
      next.advance();
      sinkFirst(streams);
      if (++work > SLICE) {
        work = 0;
        yield;
      }
    }
    if (list.postings.count > 0) writer.term(bytes, bytes.length, list.postings);
    for (const holder of holders) if (!holder.cursor.next()) cursors.splice(cursors.indexOf(holder), 1);
    work += WORK_OF_A_TERM;
  }
  yield;
  return yield* writer.finish();
}

/** What a term costs beside its postings. */
const WORK_OF_A_TERM = 100;

/** The living postings of a term in one source, one after the other. */
interface Stream {
  readonly segment: Segment;
  readonly hasPositions: boolean;
  /** The passage at hand by its new number; -1 after the last. */
  passage: number;
  code: number;
  /** Where its positions lie. */
  start: number;
  end: number;
  readonly advance: () => void;
}

function createStream(segment: Segment, entry: TermEntry, places: Int32Array): Stream {
  const blocks = blocksOf(segment, entry);
  const size = Math.min(POSTINGS_BLOCK, entry.count);
  const passages = new Int32Array(size);
  const codes = new Uint8Array(size);
  let block = -1;
  let count = 0;
  let index = 0;
  const stream: Stream = {
    ...{ segment, hasPositions: entry.hasPositions, passage: -1, code: 0, start: 0, end: 0 },
    advance() {
      do {
        if (++index >= count) {
          if (++block >= blocks.last.length) {
            stream.passage = -1;
            return;
          }
          count = decodeBlock(segment, blocks, block, passages, codes);
          index = 0;
          stream.end = blocks.positions[block]!;
        }
        stream.code = codes[index]!;
        stream.start = stream.end;
        if (entry.hasPositions) stream.end = endOfPositions(segment.positions, stream.start, stream.code);
        stream.passage = places[passages[index]!]!;
      } while (stream.passage < 0);
    },
  };
  stream.advance();
  return stream;
}

/** The streams that hold anything, as a heap: the one with the least passage is the first. */
function heapOf(streams: readonly Stream[]): Stream[] {
  return streams.filter(({ passage }) => passage >= 0).sort((a, b) => a.passage - b.passage);
}

/** Brings the first, which has gone on, to its place; takes it out where it is at its end. */
function sinkFirst(heap: Stream[]): void {
  if (heap[0]!.passage < 0) {
    const last = heap.pop()!;
    if (heap.length === 0) return;
    heap[0] = last;
  }
  const moved = heap[0]!;
  let at = 0;
  for (;;) {
    let child = at * 2 + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && heap[child + 1]!.passage < heap[child]!.passage) child++;
    if (heap[child]!.passage >= moved.passage) break;
    heap[at] = heap[child]!;
    at = child;
  }
  heap[at] = moved;
}

/** Postings that grow, and are used again for the next term. */
function createList() {
  let postings: TermPostings = {
    ...{ count: 0, passages: new Int32Array(64), codes: new Uint8Array(64) },
    ...{ positions: new Uint8Array(64), positionEnds: new Int32Array(64) },
  };
  return {
    get postings() {
      return postings;
    },
    clear() {
      postings.count = 0;
    },
    append({ segment, hasPositions, passage, code, start, end }: Stream, isPlaced: boolean) {
      const { count } = postings;
      if (count === postings.passages.length) postings = grownList(postings);
      let filled = count === 0 ? 0 : postings.positionEnds[count - 1]!;
      if (filled + end - start >= postings.positions.length) postings.positions = grown(postings.positions, (filled + end - start) * 2);
      const { positions } = postings;
      for (let at = start; at < end; at++) positions[filled++] = segment.positions[at]!;
      if (isPlaced && !hasPositions) positions[filled++] = NOWHERE;
      postings.passages[count] = passage;
      postings.codes[count] = code;
      postings.positionEnds[count] = filled;
      postings.count++;
    },
  };
}

/** Writes the living notes in the order of their keys; answers the new number of each source's passages, -1 for what is gone. */
function* mergeNotes(
  sources: readonly LivingSegment[],
  writer: ReturnType<typeof createSegmentWriter>,
): Generator<undefined, Int32Array[]> {
  const notes: { key: Uint8Array; source: number; note: number }[] = [];
  for (const [source, { segment, gone }] of sources.entries()) {
    eachKey(segment, (bytes, length, note) => {
      if (gone[note] === 0) notes.push({ key: bytes.slice(0, length), source, note });
    });
    yield;
  }
  notes.sort((a, b) => compareBytes(a.key, a.key.length, b.key, b.key.length));
  yield;
  const places = sources.map(({ segment }) => new Int32Array(segment.passages).fill(-1));
  let passage = 0;
  for (const [at, { key, source, note }] of notes.entries()) {
    const { segment } = sources[source]!;
    const [first, end] = [segment.noteFirst[note]!, segment.noteFirst[note + 1]!];
    for (let own = first; own < end; own++) places[source]![own] = passage++;
    writer.note({
      key,
      hash: [segment.noteHash[note * 2]!, segment.noteHash[note * 2 + 1]!],
      time: segment.noteTime[note]!,
      language: segment.noteLanguage[note]!,
      lengths: segment.passageLength.subarray(first, end),
      fingerprints: segment.fingerprints.subarray(first * 2, end * 2),
    });
    if (at % 2_000 === 1_999) yield;
  }
  return places;
}
