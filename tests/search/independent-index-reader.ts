/*
 * Reads a search index as docs/search-format.md describes it, without any of the program's code,
 * and checks the rules on that page. It proves that the page is enough to read an index.
 */

import { check, checksumOf, Cursor, listOf, textOf } from './independent-cursor.js';

export type Segment = ReturnType<typeof readSegment>;

interface Manifest {
  readonly format: number;
  readonly segments: readonly { readonly name: string; readonly deleted: readonly number[] }[];
}

/** Postings of a term, with their positions and bound. */
interface Block {
  readonly postings: readonly (readonly [passage: number, code: number])[];
  readonly positions: Cursor;
  readonly bound: number;
}

interface Lists {
  readonly postings: Cursor;
  readonly positions: Cursor;
}

/** What is needed to read the terms of a segment. */
interface TermSections extends Lists {
  readonly lengths: readonly number[];
  readonly average: number;
}

const FREQUENCIES = [0.3, 1, 2, 3, 4, 6, 10, 20];
/** Possible error of a bound, because the average in the header is rounded. */
const INEXACT = 0.01;

/**
 * Returns the segments in the order of the manifest. Throws an error if the index breaks a rule.
 */
export function readIndex(
  { format, segments }: Manifest,
  blobs: ReadonlyMap<string, Uint8Array>,
): readonly Segment[] {
  check(format === 12, 'a manifest has format 12');
  const read = segments.map(({ name, deleted }) => readSegment(blobs.get(name)!, new Set(deleted)));
  const live = read.flatMap(({ documents }) => documents.filter((one) => !one.isDeleted));
  check(new Set(live.map(({ key }) => key)).size === live.length, 'a live key is stored once');
  return read;
}

function readSegment(blob: Uint8Array, deleted: ReadonlySet<number>) {
  const header = new Cursor(blob);
  check(header.text(4) === 'SPS1' && header.word() === 12, 'a segment begins with SPS1 and 12');
  check(header.word() === checksumOf(blob.subarray(12)), 'the checksum is right');
  check(header.word() === blob.length, 'the header has the size');
  const [documentCount = 0, passageCount = 0, termCount = 0] = header.words(3);
  const average = header.take(4).view.getFloat32(0, true);
  const starts = header.words(18);
  check(starts[0] === 104 && starts[17] === blob.length, 'the sections fill the blob');
  check(!starts.some((start) => start % 8), 'a section begins at a multiple of eight bytes');
  const sections = listOf(17, (at) => new Cursor(blob.subarray(starts[at], starts[at + 1])));
  const section = (index: number) => sections[index]!;

  const firsts = section(0).words(documentCount + 1);
  check(firsts[0] === 0 && firsts[documentCount] === passageCount, 'each passage has a document');
  check(isAscending(firsts), 'a document has at least one passage');
  const times = section(2).take(8 * documentCount).view;
  const languages = section(3).take(documentCount).bytes;
  const lengthsView = section(4).take(2 * passageCount).view;
  const lengths = listOf(passageCount, (passage) => lengthsView.getUint16(2 * passage, true));
  const fingerprints = listOf(passageCount, () => section(5).words(2));
  const keyBlocks = listOf(Math.ceil(documentCount / 32), () => section(6).words(3));
  const keys = readStrings(section(7), documentCount, (block) => keyBlocks[block]![0]!);
  const keyDocuments = section(12).words(documentCount);
  const keyOf = new Map(keys.map(([key], index) => [keyDocuments[index], key]));
  check(keyOf.size === documentCount, 'each document has a key');
  const nameStarts = section(13).words(documentCount + 1);
  const placeStarts = section(15).words(documentCount + 1);
  const documents = listOf(documentCount, (number) => {
    const first = firsts[number]!;
    const count = firsts[number + 1]! - first;
    const passages = listOf(count, (index) => ({
      length: lengths[first + index]!,
      fingerprint: fingerprints[first + index]!,
    }));
    return {
      key: keyOf.get(number)!,
      isDeleted: deleted.has(number),
      hashes: section(1).words(2),
      time: times.getFloat64(8 * number, true),
      language: languages[number]!,
      firstPassage: first,
      passages,
      names: readNames(section(14).words(nameStarts[number + 1]! - nameStarts[number]!)),
      places: readPlaces(section(16).take(placeStarts[number + 1]! - placeStarts[number]!), count),
    };
  });
  check(
    [...deleted].every((number) => number < documentCount),
    'a deleted document exists',
  );

  const termBlocks = listOf(Math.ceil(termCount / 32), () => section(8).words(3));
  const termSections = { postings: section(10), positions: section(11), lengths, average };
  const startOf = (block: number) => {
    const [start, postings, positions] = termBlocks[block]!;
    const areAt = postings === section(10).at && positions === section(11).at;
    check(areAt, 'the lists of a block of terms start where stated');
    return start!;
  };
  const readOne = (cursor: Cursor) => readTerm(cursor, termSections);
  const terms = new Map(readStrings(section(9), termCount, startOf, readOne));
  const documentOf = documents.flatMap(({ passages }, number) => passages.map(() => number));
  for (const [text, { postings }] of terms) {
    const unplaced = postings.filter(({ positions }) => !positions);
    const owners = unplaced.map(({ passage }) => documentOf[passage]!);
    check(isAscending(owners), 'a stop word or label is stored once per document');
    if (!text.startsWith('\u0001')) continue;
    check(unplaced.length === postings.length, 'a label has no positions');
    const isFirst = unplaced.every(({ passage }, index) => firsts[owners[index]!] === passage);
    check(isFirst, 'a label is on the first passage of a document');
  }
  for (const each of sections) each.checkPadding(8);
  return { documents, terms };
}

/** Reads sorted strings, and what follows each. */
function readStrings<T = undefined>(
  cursor: Cursor,
  count: number,
  startOf: (block: number) => number,
  readMore: (cursor: Cursor) => T = () => undefined as T,
): [string, T][] {
  let last: Uint8Array = new Uint8Array();
  return listOf(count, (index) => {
    const isFirst = index % 32 === 0;
    check(!isFirst || startOf(index / 32) === cursor.at, 'a block of strings starts where stated');
    const shared = cursor.varint();
    check(shared <= (isFirst ? 0 : last.length), 'a string shares bytes that there are');
    const text = Buffer.concat([last.subarray(0, shared), cursor.take(cursor.varint()).bytes]);
    check(
      index === 0 || Buffer.compare(last, text) < 0,
      'keys and terms are sorted by their bytes',
    );
    last = text;
    return [textOf(text), readMore(cursor)];
  });
}

function readNames(words: readonly number[]) {
  const names: { readonly hash: number; readonly terms: readonly number[] }[] = [];
  for (let at = 0; at < words.length; at += 2 + words[at]!)
    names.push({ hash: words[at + 1]!, terms: words.slice(at + 2, at + 2 + words[at]!) });
  return names;
}

function readPlaces(cursor: Cursor, passageCount: number) {
  if (cursor.isAtEnd) return undefined;
  const readTexts = () => listOf(cursor.varint(), () => cursor.text(cursor.varint()));
  const readSpan = () => {
    const units = cursor.varint();
    return { units, bytes: units + cursor.varint(), lineBreaks: cursor.varint() };
  };
  const [aliases, tags, headings] = [readTexts(), readTexts(), readTexts()] as const;
  const [before, after] = [readSpan(), readSpan()] as const;
  const passages = listOf(passageCount, () => ({
    ...readSpan(),
    headings: listOf(cursor.varint(), () => headings[cursor.varint()]!),
  }));
  check(cursor.isAtEnd, 'the places of a note end with its last passage');
  return { aliases, tags, headings, before, after, passages };
}

function readTerm(cursor: Cursor, { lengths, average, ...sections }: TermSections) {
  const count = cursor.varint();
  const lists = {
    postings: sections.postings.take(cursor.varint()),
    positions: sections.positions.take(cursor.varint()),
    bound: cursor.byte(),
  };
  const hasPositions = !lists.positions.isAtEnd;
  const form = count <= 128 ? 'plain' : 5 * count > lengths.length ? 'dense' : 'blocks';
  const blocks = {
    plain: () => [{ ...lists, postings: readGaps(lists.postings, count, -1) }],
    blocks: () => readBlocks(lists, count),
    dense: () => readDense(lists, lengths.length),
  }[form]();
  const termBound = Math.max(...blocks.map((block) => block.bound));
  check(lists.bound === termBound, 'the bound of a term is the largest of its blocks');
  const postings = blocks.flatMap((block) => {
    let largest = 0;
    const read = block.postings.map(([passage, code]) => {
      const frequency = FREQUENCIES[code]!;
      const impact = frequency / (frequency + 1.2 * (0.4 + (0.6 * lengths[passage]!) / average));
      largest = Math.max(largest, 255 * impact);
      const positions = hasPositions ? readPositions(block.positions, code) : undefined;
      return { passage, code, positions };
    });
    const rounding = block.bound - largest;
    check(rounding > -INEXACT && rounding < 1 + INEXACT, 'a bound is the largest impact');
    check(block.positions.isAtEnd, 'the positions of a block have the size that is stated');
    return read;
  });
  const atEnd = lists.postings.isAtEnd && lists.positions.isAtEnd;
  check(atEnd && postings.length === count, 'the lists of a term are as the dictionary states');
  check(isAscending(postings.map(({ passage }) => passage)), 'postings are in ascending order');
  return { form, postings };
}

function readGaps(cursor: Cursor, count: number, before: number): Block['postings'] {
  let passage = before;
  return listOf(count, () => {
    const value = cursor.varint();
    passage += Math.floor(value / 8);
    return [passage, value % 8] as const;
  });
}

function readBlocks({ postings, positions }: Lists, count: number): readonly Block[] {
  let last = -1;
  const table = listOf(Math.ceil(count / 128), () => ({
    before: last,
    last: (last += postings.varint()),
    size: postings.varint(),
    positions: positions.take(postings.varint()),
    bound: postings.byte(),
  }));
  return table.map((row, index) => {
    const block = postings.take(row.size);
    const read = readGaps(block, Math.min(128, count - 128 * index), row.before);
    check(block.isAtEnd && read.at(-1)![0] === row.last, 'a block is as its table states');
    return { ...row, postings: read };
  });
}

function readDense({ postings, positions }: Lists, passageCount: number): readonly Block[] {
  const table = listOf(Math.ceil(passageCount / 128), () => ({
    positions: positions.take(postings.varint()),
    bound: postings.byte(),
  }));
  const { bytes } = postings.take(Math.ceil(passageCount / 2));
  const halves = [...bytes].flatMap((byte) => [byte & 15, byte >> 4]);
  const isValid = halves.every((half, passage) => half <= (passage < passageCount ? 8 : 0));
  check(isValid, 'half a byte is 0, or a code plus one');
  const entries = halves.map((half, passage) => [passage, half - 1] as const);
  return table.map((row, index) => ({
    ...row,
    postings: entries.slice(128 * index, 128 * (index + 1)).filter(([, code]) => code >= 0),
  }));
}

function readPositions(cursor: Cursor, code: number): readonly number[] | undefined {
  const first = cursor.byte();
  if (first === 254) return undefined;
  if (code === 1 && first !== 255) return [first];
  const positions: number[] = [];
  for (let position = 0, byte = code === 1 ? cursor.byte() : first; ; byte = cursor.byte()) {
    position += byte % 128 === 127 ? cursor.varint() + 126 : byte % 128;
    positions.push(position);
    if (byte >= 128) return positions;
  }
}

/** Returns the documents of a blob of vectors. Throws an error if the blob breaks a rule. */
export function readVectors(blob: Uint8Array) {
  const cursor = new Cursor(blob);
  check(cursor.text(4) === 'SPV2', 'a blob of vectors begins with SPV2');
  check(cursor.word() === checksumOf(blob.subarray(8)), 'the checksum is right');
  const [dimensions = 0, count = 0, keyBytes = 0] = cursor.words(3);
  const counts = cursor.words(count);
  const scales = cursor.take(4 * count).view;
  const keyText = cursor.text(keyBytes);
  const keys = count === 0 ? [] : keyText.split('\0');
  check(keys.length === count, 'each document has a key');
  const documents = keys.map((key, index) => ({
    key,
    scale: scales.getFloat32(4 * index, true),
    vectors: listOf(counts[index]!, () => [...new Int8Array(cursor.take(dimensions).bytes)]),
  }));
  check(blob.length % 4 === 0, 'a blob of vectors is padded to a multiple of four bytes');
  cursor.checkPadding(4);
  return documents;
}

function isAscending(numbers: readonly number[]): boolean {
  return numbers.every((number, index) => index === 0 || numbers[index - 1]! < number);
}
