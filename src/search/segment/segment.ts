import { checksumSteps } from '../../platform/bytes/hash.js';
import { runToEnd } from '../../platform/run-sliced.js';
import {
  CHECKSUM_START,
  DICTIONARY_BLOCK,
  FORMAT_VERSION,
  HEADER,
  HEADER_BYTES,
  MAGIC,
  SECTION,
} from './segment-format.js';

/** Per block of a term: last passage, start of the postings and positions, and impact bound. */
export interface PostingBlocks {
  count: number;
  /** Start of a dense list: half a byte per passage (code + 1, or 0); -1 for a list of gaps. */
  readonly dense: number;
  readonly last: Int32Array;
  readonly start: Int32Array;
  readonly positions: Int32Array;
  readonly bound: Uint8Array;
}

export type Segment = Readonly<ReturnType<typeof openSegment>>;

/** Returns a phrase that completes a sentence about the blob; undefined if it is undamaged. */
export function findDamage(blob: Uint8Array): string | undefined {
  if (blob.length < HEADER_BYTES || blob.length % 8 !== 0) return 'is cut off';
  const header = new Uint32Array(blob.buffer, blob.byteOffset, HEADER_BYTES / 4);
  if (header[HEADER.magic] !== MAGIC) return 'is not a segment';
  if (header[HEADER.version] !== FORMAT_VERSION) return 'has another format version';
  if (header[HEADER.size] !== blob.length) return 'is cut off';
  return runToEnd(checksumSteps(blob.subarray(CHECKSUM_START))) === header[HEADER.checksum]
    ? undefined
    : 'is damaged';
}

/**
 * Opens an immutable segment by laying typed arrays over its bytes. The blob must pass
 * `findDamage`, and begin at a multiple of eight bytes in its buffer.
 */
export function openSegment(blob: Uint8Array) {
  const header = new Uint32Array(blob.buffer, blob.byteOffset, HEADER_BYTES / 4);
  const offset = (section: number) => header[HEADER.sections + section]!;
  const start = (section: number) => blob.byteOffset + offset(section);
  const bytes = (section: number) => blob.subarray(offset(section), offset(section + 1));
  const docs = header[HEADER.docs]!;
  const passages = header[HEADER.passages]!;
  const terms = header[HEADER.terms]!;
  const docFirst = new Uint32Array(blob.buffer, start(SECTION.docFirst), docs + 1);
  const docOf = new Uint32Array(passages);
  for (let doc = 0; doc < docs; doc++) docOf.fill(doc, docFirst[doc], docFirst[doc + 1]);
  const keyDocs = new Uint32Array(blob.buffer, start(SECTION.keyDocs), docs);
  const keyRank = new Uint32Array(docs);
  for (let rank = 0; rank < docs; rank++) keyRank[keyDocs[rank]!] = rank;
  const blocksOf = (section: number, count: number) =>
    new Uint32Array(blob.buffer, start(section), Math.ceil(count / DICTIONARY_BLOCK) * 3);
  return {
    blob,
    /** Includes deleted ones. */
    docs,
    /** Includes those of deleted documents. */
    passages,
    terms,
    /** First passage of each document, then the number of all passages. */
    docFirst,
    /** Document of each passage. */
    docOf,
    /** Document of each key, in the byte order of the keys. */
    keyDocs,
    /** Rank of each document's key in that order. */
    keyRank,
    /** Cache of block tables, by the start of the postings. */
    blockTables: new Map<number, PostingBlocks>(),
    /** Average weighted length of a passage at writing, for which the impact bounds hold. */
    averageLength: new Float32Array(blob.buffer, blob.byteOffset + HEADER.averageLength * 4, 1)[0]!,
    /** Two per document. */
    docHash: new Uint32Array(blob.buffer, start(SECTION.docHash), docs * 2),
    /** Milliseconds since 1970, per document. */
    docTime: new Float64Array(blob.buffer, start(SECTION.docTime), docs),
    docLanguage: new Uint8Array(blob.buffer, start(SECTION.docLanguage), docs),
    /** Weighted length of each passage. */
    passageLength: new Uint16Array(blob.buffer, start(SECTION.passageLength), passages),
    /** Two per passage. */
    fingerprints: new Uint32Array(blob.buffer, start(SECTION.fingerprints), passages * 2),
    /** Start of each document's names in `names`, then their end. */
    nameStarts: new Uint32Array(blob.buffer, start(SECTION.nameStarts), docs + 1),
    /** Per name, the number of its terms, the hash of its text, and the hashes of its terms. */
    names: new Uint32Array(
      blob.buffer,
      start(SECTION.names),
      (offset(SECTION.names + 1) - offset(SECTION.names)) >> 2,
    ),
    /** Start of each document's bytes in `stored`, then their end. */
    storedStarts: new Uint32Array(blob.buffer, start(SECTION.storedStarts), docs + 1),
    stored: bytes(SECTION.stored),
    keyBlocks: blocksOf(SECTION.keyBlocks, docs),
    keyBytes: bytes(SECTION.keys),
    termBlocks: blocksOf(SECTION.termBlocks, terms),
    termBytes: bytes(SECTION.terms),
    postings: bytes(SECTION.postings),
    positions: bytes(SECTION.positions),
  };
}

/** Returns a view. */
export function storedOf({ stored, storedStarts }: Segment, doc: number): Uint8Array {
  return stored.subarray(storedStarts[doc], storedStarts[doc + 1]);
}
