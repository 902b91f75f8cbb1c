/** The byte format of a segment is described in docs/search-format.md. */
export const MAGIC = 0x31535053; // "SPS1"
/** Raised with every change of format, analysis or stop words: what was written before is then rebuilt. */
export const FORMAT_VERSION = 5;

/** Terms and keys are front-coded in blocks of this many. */
export const DICTIONARY_BLOCK = 32;
/** A longer list of postings is cut into blocks of this many, with a table of them before it. */
export const POSTINGS_BLOCK = 128;

/** A list of more than one in so many of all passages has half a byte for each passage instead. */
const DENSE = 5;

export function isDense(count: number, passages: number): boolean {
  return count > POSTINGS_BLOCK && count * DENSE > passages;
}

/** The header in words of 32 bits; the offsets of the sections follow, then the length of the whole. */
export const HEADER = {
  magic: 0,
  version: 1,
  checksum: 2,
  size: 3,
  notes: 4,
  passages: 5,
  terms: 6,
  averageLength: 7,
  sections: 8,
};
/** The checksum covers all that comes after it. */
export const CHECKED_FROM = 12;

export const SECTION = {
  /** The first passage of each note, and the number of all. */
  noteFirst: 0,
  noteHash: 1,
  noteTime: 2,
  noteLanguage: 3,
  passageLength: 4,
  fingerprints: 5,
  keyBlocks: 6,
  keys: 7,
  termBlocks: 8,
  terms: 9,
  postings: 10,
  positions: 11,
  /** The note of each key. */
  keyNotes: 12,
};
export const SECTION_COUNT = 13;
export const HEADER_BYTES = 88;

/** How many bits of a posting's number tell how often; the rest is the gap to the passage before. */
export const FREQUENCY_BITS = 3;
/** The frequencies that are told apart, in tenths, since weights are: BM25 flattens what lies between. */
export const FREQUENCIES = [3, 10, 20, 30, 40, 60, 100, 200] as const;

/** The code of the nearest frequency below or at the middle to the next. */
export function frequencyCode(tenths: number): number {
  let code = 0;
  while (
    code + 1 < FREQUENCIES.length &&
    tenths >= (FREQUENCIES[code]! + FREQUENCIES[code + 1]!) / 2
  )
    code++;
  return code;
}

/** BM25: how soon a frequency saturates, and how far a passage's length counts. */
export const SATURATION = 1.2;
export const LENGTH_EFFECT = 0.6;

/** What a term's frequency is worth in a passage, from 0 up to 1. */
export function impact(frequency: number, length: number, averageLength: number): number {
  return (
    frequency /
    (frequency + SATURATION * (1 - LENGTH_EFFECT + (LENGTH_EFFECT * length) / averageLength))
  );
}

/** The code of a term that occurs once: its only position is one byte. */
export const ONCE = 1;
/** That byte, where positions are not kept: the term carries no matter in the passage. */
export const NOWHERE = 254;
/** That byte, where the position is larger or there are several after all: a list follows. */
export const LISTED = 255;
/** In a list of positions: this bit closes it, the rest is the gap to the position before. */
export const LAST_POSITION = 128;
/** Written for a gap of 126 or more: what it exceeds 126 by follows as a varint. */
export const LONG_GAP = 127;
