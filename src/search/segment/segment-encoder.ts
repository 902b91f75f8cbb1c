import { createChunkedWriter } from '../../platform/bytes/byte-writer.js';
import { checksumSteps } from '../../platform/bytes/hash.js';
import { FrontCoder } from './front-coder.js';
import { NumberList } from './number-list.js';
import { PassageLengths, PostingsEncoder } from './postings/postings-encoder.js';
import {
  CHECKSUM_START,
  FORMAT_VERSION,
  HEADER,
  HEADER_BYTES,
  MAGIC,
  SECTION,
  SECTION_COUNT,
} from './segment-format.js';
import type { TermPostings } from './postings/term-postings.js';

export interface DocEntry {
  readonly hash: readonly [number, number];
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly language: number;
  /** Per name, the number of its terms, the hash of its text, and the hashes of its terms. */
  readonly names: ArrayLike<number>;
  /** Returned with each hit in the document. */
  readonly stored: Uint8Array;
  /** Weighted length of each passage. */
  readonly lengths: ArrayLike<number>;
  /** Two 32-bit numbers per passage, see `createFingerprinter`. */
  readonly fingerprints: ArrayLike<number>;
}

/** Add all keys in byte order, documents by number, terms in byte order; then call `finish`. */
export class SegmentEncoder {
  readonly #firstPassages = new NumberList(Uint32Array);
  readonly #hashes = new NumberList(Uint32Array);
  readonly #times = new NumberList(Float64Array);
  readonly #languages = new NumberList(Uint8Array);
  readonly #nameStarts = new NumberList(Uint32Array);
  readonly #names = new NumberList(Uint32Array);
  readonly #storedStarts = new NumberList(Uint32Array);
  readonly #stored = createChunkedWriter();
  readonly #lengths = new PassageLengths();
  readonly #fingerprints = new NumberList(Uint32Array);
  readonly #keyDocs = new NumberList(Uint32Array);
  readonly #keys = new FrontCoder();
  readonly #terms = new FrontCoder();
  readonly #postings = new PostingsEncoder(this.#lengths);
  readonly #positions = createChunkedWriter();

  addKey(bytes: Uint8Array, length: number, doc: number): void {
    this.#keys.add(bytes, length, 0, 0);
    this.#keys.cut();
    this.#keyDocs.push(doc);
  }

  addDoc({ hash, time, language, names, stored, lengths, fingerprints }: DocEntry): void {
    this.#firstPassages.push(this.#lengths.count);
    this.#hashes.push(hash[0]);
    this.#hashes.push(hash[1]);
    this.#times.push(time);
    this.#languages.push(language);
    this.#nameStarts.push(this.#names.count);
    for (let at = 0; at < names.length; at++) this.#names.push(names[at]!);
    this.#storedStarts.push(this.#stored.length());
    this.#stored.bytes(stored);
    this.#stored.cut();
    for (let at = 0; at < lengths.length; at++) this.#lengths.add(lengths[at]!);
    for (let at = 0; at < fingerprints.length; at++) this.#fingerprints.push(fingerprints[at]!);
  }

  addTerm(bytes: Uint8Array, length: number, list: TermPostings): void {
    const postings = this.#postings;
    const positions = this.#positions;
    const postingsStart = postings.length();
    const entry = this.#terms.add(bytes, length, postingsStart, positions.length());
    const bound = postings.add(list);
    const positionBytes = list.positionEnds[list.count - 1] ?? 0;
    positions.bytes(list.positions, 0, positionBytes);
    entry.varint(list.count);
    entry.varint(postings.length() - postingsStart);
    entry.varint(positionBytes);
    entry.byte(bound);
    this.#terms.cut();
    postings.cut();
    positions.cut();
  }

  /** Assembles the segment. Each step copies at most some megabytes. */
  *finish(): Generator<undefined, Uint8Array<ArrayBuffer>> {
    this.#firstPassages.push(this.#lengths.count);
    this.#nameStarts.push(this.#names.count);
    this.#storedStarts.push(this.#stored.length());
    const sections: (readonly Uint8Array[])[] = [];
    sections[SECTION.docFirst] = [this.#firstPassages.bytes()];
    sections[SECTION.docHash] = [this.#hashes.bytes()];
    sections[SECTION.docTime] = [this.#times.bytes()];
    sections[SECTION.docLanguage] = [this.#languages.bytes()];
    sections[SECTION.passageLength] = [this.#lengths.bytes()];
    sections[SECTION.fingerprints] = [this.#fingerprints.bytes()];
    sections[SECTION.nameStarts] = [this.#nameStarts.bytes()];
    sections[SECTION.names] = [this.#names.bytes()];
    sections[SECTION.storedStarts] = [this.#storedStarts.bytes()];
    sections[SECTION.stored] = this.#stored.parts();
    sections[SECTION.keyDocs] = [this.#keyDocs.bytes()];
    sections[SECTION.keyBlocks] = [this.#keys.blocks()];
    sections[SECTION.keys] = this.#keys.parts();
    sections[SECTION.termBlocks] = [this.#terms.blocks()];
    sections[SECTION.terms] = this.#terms.parts();
    sections[SECTION.postings] = this.#postings.parts();
    sections[SECTION.positions] = this.#positions.parts();
    return yield* assemble(sections, {
      docs: this.#languages.count,
      passages: this.#lengths.count,
      terms: this.#terms.count,
      averageLength: this.#lengths.average(),
    });
  }
}

function* assemble(
  sections: readonly (readonly Uint8Array[])[],
  totals: Readonly<Record<'docs' | 'passages' | 'terms' | 'averageLength', number>>,
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
  header[HEADER.docs] = totals.docs;
  header[HEADER.passages] = totals.passages;
  header[HEADER.terms] = totals.terms;
  new Float32Array(blob.buffer, HEADER.averageLength * 4, 1)[0] = totals.averageLength;
  header.set(offsets.slice(0, SECTION_COUNT + 1), HEADER.sections);
  header[HEADER.checksum] = yield* checksumSteps(blob.subarray(CHECKSUM_START));
  yield;
  return blob;
}

/** Rounds up to a multiple of eight. */
const align = (offset: number) => (offset + 7) & ~7;
