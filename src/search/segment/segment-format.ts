/** The byte format of a segment is described in docs/search-format.md. */
export const MAGIC = 0x31535053; // "SPS1"
/** Raised if format, analysis or stop words change: an index of another version is rebuilt. */
export const FORMAT_VERSION = 12;

/** Front-coded terms or keys per block. */
export const DICTIONARY_BLOCK = 32;
/** Postings per block; a longer list is preceded by a table of its blocks. */
export const POSTINGS_BLOCK = 128;

/** A list with more than one in this many passages has half a byte for every passage (dense). */
const DENSE_RATIO = 5;

export function isDense(count: number, passages: number): boolean {
  return count > POSTINGS_BLOCK && count * DENSE_RATIO > passages;
}

/** Indices of 32-bit words; from `sections` on, the sections' offsets and then the blob's size. */
export const HEADER = {
  magic: 0,
  version: 1,
  checksum: 2,
  size: 3,
  docs: 4,
  passages: 5,
  terms: 6,
  averageLength: 7,
  sections: 8,
};
/** First byte that the checksum covers. */
export const CHECKSUM_START = 12;

export const SECTION = {
  /** First passage of each document, then the number of passages. */
  docFirst: 0,
  docHash: 1,
  docTime: 2,
  docLanguage: 3,
  passageLength: 4,
  fingerprints: 5,
  keyBlocks: 6,
  keys: 7,
  termBlocks: 8,
  terms: 9,
  postings: 10,
  positions: 11,
  /** Document of each key. */
  keyDocs: 12,
  /** Start of each document's names, then the end of the last ones, as indices into `names`. */
  nameStarts: 13,
  names: 14,
  /** Start of each document's bytes in `stored`, then the end of the last ones. */
  storedStarts: 15,
  stored: 16,
};
export const SECTION_COUNT = 17;
export const HEADER_BYTES = 104;

/** Lowest bits of a posting, its frequency code; the others are the gap to the passage before. */
export const FREQUENCY_BITS = 3;
/** Frequency that each code stands for, in tenths. BM25 flattens the differences in between. */
export const FREQUENCIES = [3, 10, 20, 30, 40, 60, 100, 200] as const;

/** Returns the code of the nearest frequency; of two equally near ones, that of the higher. */
export function frequencyCode(tenths: number): number {
  let code = 0;
  while (
    code + 1 < FREQUENCIES.length &&
    tenths >= (FREQUENCIES[code]! + FREQUENCIES[code + 1]!) / 2
  )
    code++;
  return code;
}

/** BM25's k1, which controls how quickly the frequency of a term saturates. */
export const BM25_K1 = 1.2;
/** BM25's b, which controls how much the length of a passage counts. */
export const BM25_B = 0.6;

/** Returns BM25's term-frequency factor, from 0 up to 1 (exclusive). */
export function impact(frequency: number, length: number, averageLength: number): number {
  return frequency / (frequency + BM25_K1 * (1 - BM25_B + (BM25_B * length) / averageLength));
}

/** Frequency code of a term that occurs once. Its position is one byte if it is below 254. */
export const CODE_ONCE = 1;
/** First byte if positions are not stored, because the term is a stop word in that passage. */
export const NO_POSITIONS = 254;
/** First byte of a list for `CODE_ONCE`: of several positions, or of one that is 254 or more. */
export const POSITION_LIST = 255;
/** Bit of a list's last position; the other bits are the gap to the position before. */
export const LAST_POSITION = 128;
/** Written for a gap of 126 or more; a varint follows with the part above 126. */
export const LONG_GAP = 127;
