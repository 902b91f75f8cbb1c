import { checksumSteps, createByteWriter, type ByteWriter } from './bytes.js';
import {
  CHECKED_FROM,
  DICTIONARY_BLOCK,
  FORMAT_VERSION,
  FREQUENCIES,
  FREQUENCY_BITS,
  HEADER,
  HEADER_BYTES,
  impact,
  MAGIC,
  POSTINGS_BLOCK,
  SECTION,
  SECTION_COUNT,
} from './segment-format.js';

/** A note as a segment keeps it; notes come sorted by the bytes of their keys. */
export interface NoteEntry {
  readonly key: Uint8Array;
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

/** Writes a segment: all notes first, then the terms in the order of their bytes, then `finish`. */
export interface SegmentWriter {
  readonly note: (note: NoteEntry) => void;
  readonly term: (bytes: Uint8Array, length: number, postings: TermPostings) => void;
  /** Puts it together, some megabytes at a time. */
  readonly finish: () => Generator<undefined, Uint8Array<ArrayBuffer>>;
}

export function createSegmentWriter(): SegmentWriter {
  const first = numbers();
  const hashes = numbers();
  const times = numbers();
  const languages = numbers();
  const lengths = numbers();
  const fingerprints = numbers();
  const keys = createFrontCoder();
  const terms = createFrontCoder();
  const postings = createByteWriter(1 << 16);
  const positions = createByteWriter(1 << 16);
  const skips = createByteWriter();
  const blocks = createByteWriter();
  let lengthSum = 0;

  const average = () => Math.max(1, lengthSum / Math.max(1, lengths.count()));

  /** Writes postings from `from` up to `to`; answers the largest impact among them, from 1 to 255. */
  const writeBlock = (out: ByteWriter, list: TermPostings, from: number, to: number, after: number): number => {
    const { passages, codes } = list;
    const averageLength = average();
    let last = after;
    let bound = 0;
    for (let at = from; at < to; at++) {
      const passage = passages[at]!;
      const code = codes[at]!;
      out.varint(((passage - last) << FREQUENCY_BITS) | code);
      last = passage;
      bound = Math.max(bound, impact(FREQUENCIES[code]! / 10, lengths.at(passage), averageLength));
    }
    return Math.min(255, Math.ceil(bound * 255));
  };

  return {
    note({ key, hash, time, language, lengths: ofPassages, fingerprints: own }) {
      keys.add(key, key.length, postings.length(), positions.length());
      first.push(lengths.count());
      hashes.push(hash[0]);
      hashes.push(hash[1]);
      times.push(time);
      languages.push(language);
      for (let at = 0; at < ofPassages.length; at++) {
        const length = Math.min(65_535, Math.round(ofPassages[at]!));
        lengths.push(length);
        lengthSum += length;
      }
      for (let at = 0; at < own.length; at++) fingerprints.push(own[at]!);
    },
    term(bytes, length, list) {
      const { count, passages, positionEnds } = list;
      const entry = terms.add(bytes, length, postings.length(), positions.length());
      const before = postings.length();
      let bound = 0;
      if (count <= POSTINGS_BLOCK) bound = writeBlock(postings, list, 0, count, -1);
      else {
        skips.clear();
        blocks.clear();
        for (let from = 0; from < count; from += POSTINGS_BLOCK) {
          const to = Math.min(count, from + POSTINGS_BLOCK);
          const after = from === 0 ? -1 : passages[from - 1]!;
          const start = blocks.length();
          const blockBound = writeBlock(blocks, list, from, to, after);
          skips.varint(passages[to - 1]! - after);
          skips.varint(blocks.length() - start);
          skips.varint(positionEnds[to - 1]! - (from === 0 ? 0 : positionEnds[from - 1]!));
          skips.byte(blockBound);
          bound = Math.max(bound, blockBound);
        }
        postings.bytes(skips.written());
        postings.bytes(blocks.written());
      }
      const positionBytes = positionEnds[count - 1] ?? 0;
      positions.bytes(list.positions, 0, positionBytes);
      entry.varint(count);
      entry.varint(postings.length() - before);
      entry.varint(positionBytes);
      entry.byte(bound);
    },
    *finish() {
      first.push(lengths.count());
      const sections: Uint8Array[] = [];
      sections[SECTION.noteFirst] = asBytes(new Uint32Array(first.all()));
      sections[SECTION.noteHash] = asBytes(new Uint32Array(hashes.all()));
      sections[SECTION.noteTime] = asBytes(new Float64Array(times.all()));
      sections[SECTION.noteLanguage] = new Uint8Array(languages.all());
      sections[SECTION.passageLength] = asBytes(new Uint16Array(lengths.all()));
      sections[SECTION.fingerprints] = asBytes(new Uint32Array(fingerprints.all()));
      yield;
      sections[SECTION.keyBlocks] = keys.blocks();
      sections[SECTION.keys] = keys.written();
      sections[SECTION.termBlocks] = terms.blocks();
      sections[SECTION.terms] = terms.written();
      sections[SECTION.postings] = postings.written();
      sections[SECTION.positions] = positions.written();
      return yield* assemble(sections, languages.count(), lengths.count(), terms.count(), average());
    },
  };
}

const COPIED_AT_ONCE = 1 << 20;

function* assemble(
  sections: readonly Uint8Array[],
  notes: number,
  passages: number,
  terms: number,
  average: number,
): Generator<undefined, Uint8Array<ArrayBuffer>> {
  const offsets = [HEADER_BYTES];
  for (const section of sections) offsets.push(align(offsets.at(-1)! + section.length));
  const size = offsets.at(-1)!;
  const blob = new Uint8Array(size);
  for (const [at, section] of sections.entries()) {
    for (let from = 0; from < section.length; from += COPIED_AT_ONCE) {
      blob.set(section.subarray(from, from + COPIED_AT_ONCE), offsets[at]! + from);
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
  return blob;
}

const align = (offset: number) => (offset + 7) & ~7;

function asBytes(array: Uint32Array | Float64Array | Uint16Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

/** Sorted strings of bytes, each without what it shares with the one before; every 32nd whole, with its place and two more. */
function createFrontCoder() {
  const out = createByteWriter(1 << 14);
  const blocks = numbers();
  let last = new Uint8Array(256);
  let lastLength = 0;
  let count = 0;
  return {
    /** The writer, for what is to be kept with the string. */
    add(bytes: Uint8Array, length: number, one: number, other: number): ByteWriter {
      let shared = 0;
      if (count % DICTIONARY_BLOCK === 0) {
        blocks.push(out.length());
        blocks.push(one);
        blocks.push(other);
      } else while (shared < length && shared < lastLength && bytes[shared] === last[shared]) shared++;
      out.varint(shared);
      out.varint(length - shared);
      out.bytes(bytes, shared, length);
      if (length > last.length) last = new Uint8Array(length * 2);
      last.set(bytes.subarray(0, length));
      lastLength = length;
      count++;
      return out;
    },
    count: () => count,
    blocks: () => asBytes(new Uint32Array(blocks.all())),
    written: () => out.written(),
  };
}

/** Numbers that grow in number. */
function numbers() {
  let values = new Float64Array(256);
  let count = 0;
  return {
    push(value: number) {
      if (count === values.length) {
        const more = new Float64Array(count * 2);
        more.set(values);
        values = more;
      }
      values[count++] = value;
    },
    at: (index: number) => values[index]!,
    count: () => count,
    all: () => values.subarray(0, count),
  };
}
