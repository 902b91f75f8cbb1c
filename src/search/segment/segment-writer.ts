import {
  checksumSteps,
  createByteWriter,
  createLongWriter,
  grown,
  type ByteWriter,
  type LongWriter,
} from '../../platform/byte-writer.js';
import {
  CHECKED_FROM,
  DICTIONARY_BLOCK,
  FORMAT_VERSION,
  FREQUENCIES,
  FREQUENCY_BITS,
  HEADER,
  HEADER_BYTES,
  impact,
  isDense,
  MAGIC,
  POSTINGS_BLOCK,
  SECTION,
  SECTION_COUNT,
} from './segment-format.js';

/** A note as a segment keeps it. */
export interface NoteEntry {
  readonly hash: readonly [number, number];
  readonly time: number;
  readonly language: number;
  /** The weighted length of each passage. */
  readonly lengths: ArrayLike<number>;
  /** Two numbers of 32 bits for each passage, see `createFingerprintMaker`. */
  readonly fingerprints: ArrayLike<number>;
}

/** One term's passages, ascending, with the code of its frequency in each and the bytes of its positions there. */
export interface TermPostings {
  count: number;
  passages: Int32Array;
  codes: Uint8Array;
  positions: Uint8Array;
  /** Where each passage's positions end. */
  positionEnds: Int32Array;
}

/** Writes a segment: all keys in the order of their bytes, all notes by their numbers, the terms in the order of their bytes; `finish`. */
export interface SegmentWriter {
  readonly key: (bytes: Uint8Array, length: number, note: number) => void;
  readonly note: (note: NoteEntry) => void;
  readonly term: (bytes: Uint8Array, length: number, postings: TermPostings) => void;
  /** Puts it together, some megabytes at a time. */
  readonly finish: () => Generator<undefined, Uint8Array<ArrayBuffer>>;
}

const LONGEST = 65_534;
const NO_LENGTH = 65_535;

export function createSegmentWriter(): SegmentWriter {
  const first = numbers(Uint32Array);
  const hashes = numbers(Uint32Array);
  const times = numbers(Float64Array);
  const languages = numbers(Uint8Array);
  const lengths = numbers(Uint16Array);
  const fingerprints = numbers(Uint32Array);
  const keyNotes = numbers(Uint32Array);
  const keys = createFrontCoder();
  const terms = createFrontCoder();
  const postings = createLongWriter();
  const positions = createLongWriter();
  const skips = createByteWriter();
  const blocks = createByteWriter();
  let lengthSum = 0;
  /** The least length of a passage that each code was written with since the last bound. */
  const shortest = new Uint16Array(FREQUENCIES.length);

  const average = () => Math.max(1, lengthSum / Math.max(1, lengths.count()));

  /** The largest impact among postings from `from` up to `to`, from 1 to 255. */
  const boundOf = ({ passages, codes }: TermPostings, from: number, to: number): number => {
    const all = lengths.values();
    shortest.fill(NO_LENGTH);
    for (let at = from; at < to; at++) {
      const length = all[passages[at]!]!;
      if (length < shortest[codes[at]!]!) shortest[codes[at]!] = length;
    }
    let bound = 0;
    for (let code = 0; code < FREQUENCIES.length; code++) {
      if (shortest[code] !== NO_LENGTH)
        bound = Math.max(bound, impact(FREQUENCIES[code]! / 10, shortest[code]!, average()));
    }
    return Math.min(255, Math.ceil(bound * 255));
  };

  const writeBlock = (
    out: Pick<ByteWriter, 'varint'>,
    { passages, codes }: TermPostings,
    from: number,
    to: number,
    after: number,
  ): void => {
    for (let at = from, last = after; at < to; at++) {
      out.varint(((passages[at]! - last) << FREQUENCY_BITS) | codes[at]!);
      last = passages[at]!;
    }
  };

  /** Writes a list in blocks with a table before them; answers the largest of their bounds. */
  const writeBlocks = (list: TermPostings): number => {
    const { count, passages, positionEnds } = list;
    let most = 0;
    skips.clear();
    blocks.clear();
    for (let from = 0; from < count; from += POSTINGS_BLOCK) {
      const to = Math.min(count, from + POSTINGS_BLOCK);
      const after = from === 0 ? -1 : passages[from - 1]!;
      const start = blocks.length();
      const bound = boundOf(list, from, to);
      writeBlock(blocks, list, from, to, after);
      skips.varint(passages[to - 1]! - after);
      skips.varint(blocks.length() - start);
      skips.varint(positionEnds[to - 1]! - (from === 0 ? 0 : positionEnds[from - 1]!));
      skips.byte(bound);
      most = Math.max(most, bound);
    }
    return most;
  };

  /** Writes a list that most passages are in: a table of blocks of as many passages, then half a byte for each passage. */
  const writeDense = (list: TermPostings): number => {
    const { count, passages, codes, positionEnds } = list;
    const all = lengths.count();
    let most = 0;
    skips.clear();
    blocks.clear();
    for (let first = 0, from = 0; first < all; first += POSTINGS_BLOCK) {
      let to = from;
      while (to < count && passages[to]! < first + POSTINGS_BLOCK) to++;
      const bound = boundOf(list, from, to);
      for (
        let passage = first, at = from;
        passage < Math.min(all, first + POSTINGS_BLOCK);
        passage += 2
      ) {
        const low = at < to && passages[at] === passage ? codes[at++]! + 1 : 0;
        const high = at < to && passages[at] === passage + 1 ? codes[at++]! + 1 : 0;
        blocks.byte(low | (high << 4));
      }
      skips.varint(
        (to === 0 ? 0 : positionEnds[to - 1]!) - (from === 0 ? 0 : positionEnds[from - 1]!),
      );
      skips.byte(bound);
      most = Math.max(most, bound);
      from = to;
    }
    return most;
  };

  return {
    key(bytes, length, note) {
      keys.add(bytes, length, 0, 0);
      keys.cut();
      keyNotes.push(note);
    },
    note({ hash, time, language, lengths: ofPassages, fingerprints: own }) {
      first.push(lengths.count());
      hashes.push(hash[0]);
      hashes.push(hash[1]);
      times.push(time);
      languages.push(language);
      for (let at = 0; at < ofPassages.length; at++) {
        const length = Math.min(LONGEST, Math.round(ofPassages[at]!));
        lengths.push(length);
        lengthSum += length;
      }
      for (let at = 0; at < own.length; at++) fingerprints.push(own[at]!);
    },
    term(bytes, length, list) {
      const { count, positionEnds } = list;
      const entry = terms.add(bytes, length, postings.length(), positions.length());
      const before = postings.length();
      let bound: number;
      if (count <= POSTINGS_BLOCK) {
        bound = boundOf(list, 0, count);
        writeBlock(postings, list, 0, count, -1);
      } else {
        bound = isDense(count, lengths.count()) ? writeDense(list) : writeBlocks(list);
        postings.bytes(skips.written());
        postings.bytes(blocks.written());
      }
      const positionBytes = positionEnds[count - 1] ?? 0;
      positions.bytes(list.positions, 0, positionBytes);
      entry.varint(count);
      entry.varint(postings.length() - before);
      entry.varint(positionBytes);
      entry.byte(bound);
      terms.cut();
      postings.cut();
      positions.cut();
    },
    *finish() {
      first.push(lengths.count());
      const sections: (readonly Uint8Array[])[] = [];
      sections[SECTION.noteFirst] = [asBytes(first.values())];
      sections[SECTION.noteHash] = [asBytes(hashes.values())];
      sections[SECTION.noteTime] = [asBytes(times.values())];
      sections[SECTION.noteLanguage] = [languages.values()];
      sections[SECTION.passageLength] = [asBytes(lengths.values())];
      sections[SECTION.fingerprints] = [asBytes(fingerprints.values())];
      sections[SECTION.keyNotes] = [asBytes(keyNotes.values())];
      sections[SECTION.keyBlocks] = [keys.blocks()];
      sections[SECTION.keys] = keys.parts();
      sections[SECTION.termBlocks] = [terms.blocks()];
      sections[SECTION.terms] = terms.parts();
      sections[SECTION.postings] = postings.parts();
      sections[SECTION.positions] = positions.parts();
      return yield* assemble(
        sections,
        languages.count(),
        lengths.count(),
        terms.count(),
        average(),
      );
    },
  };
}

function* assemble(
  sections: readonly (readonly Uint8Array[])[],
  notes: number,
  passages: number,
  terms: number,
  average: number,
): Generator<undefined, Uint8Array<ArrayBuffer>> {
  const offsets = [HEADER_BYTES];
  for (const parts of sections)
    offsets.push(align(parts.reduce((at, { length }) => at + length, offsets.at(-1)!)));
  const size = offsets.at(-1)!;
  const blob = new Uint8Array(size);
  yield;
  for (const [section, parts] of sections.entries()) {
    let at = offsets[section]!;
    for (const part of parts) {
      blob.set(part, at);
      at += part.length;
      yield;
    }
  }
  const header = new Uint32Array(blob.buffer, 0, HEADER_BYTES / 4);
  header[HEADER.magic] = MAGIC;
  header[HEADER.version] = FORMAT_VERSION;
  header[HEADER.size] = size;
  header[HEADER.notes] = notes;
  header[HEADER.passages] = passages;
  header[HEADER.terms] = terms;
  new Float32Array(blob.buffer, HEADER.averageLength * 4, 1)[0] = average;
  header.set(offsets.slice(0, SECTION_COUNT + 1), HEADER.sections);
  header[HEADER.checksum] = yield* checksumSteps(blob.subarray(CHECKED_FROM));
  yield;
  return blob;
}

const align = (offset: number) => (offset + 7) & ~7;

function asBytes(array: NumberArray): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

/** Sorted strings of bytes, each without what it shares with the one before; every 32nd whole, with its place and two more. */
function createFrontCoder() {
  const out = createLongWriter();
  const blocks = numbers(Uint32Array);
  let last = new Uint8Array(256);
  let lastLength = 0;
  let count = 0;
  return {
    /** The writer, for what is to be kept with the string. */
    add(bytes: Uint8Array, length: number, one: number, other: number): LongWriter {
      let shared = 0;
      if (count % DICTIONARY_BLOCK === 0) {
        blocks.push(out.length());
        blocks.push(one);
        blocks.push(other);
      } else
        while (shared < length && shared < lastLength && bytes[shared] === last[shared]) shared++;
      out.varint(shared);
      out.varint(length - shared);
      out.bytes(bytes, shared, length);
      if (length > last.length) last = grown(last, length * 2);
      for (let at = shared; at < length; at++) last[at] = bytes[at]!;
      lastLength = length;
      count++;
      return out;
    },
    count: () => count,
    blocks: () => asBytes(blocks.values()),
    cut: () => out.cut(),
    parts: () => out.parts(),
  };
}

type NumberArray = Uint8Array | Uint16Array | Uint32Array | Float64Array;

/** Numbers that grow in number. */
function numbers<T extends NumberArray>(Kind: new (length: number) => T) {
  let values = new Kind(256);
  let count = 0;
  return {
    push(value: number) {
      if (count === values.length) {
        const more = new Kind(count * 2);
        more.set(values);
        values = more;
      }
      values[count++] = value;
    },
    count: () => count,
    /** A view, valid until the next is pushed. */
    values: () => values.subarray(0, count) as T,
  };
}
