import { compareBytes } from '../../platform/byte-writer.js';
import { foldWord } from '../text/characters.js';
import { stemsOf } from '../text/languages.js';
import { liveCount, type OpenSegment } from '../segment/open-segment.js';
import {
  bytesToText,
  findTerm,
  seekTerm,
  textToBytes,
  type TermEntry,
} from '../segment/segment.js';
import type { QueryWord } from '../text/terms.js';

/** A term of the index that stands for a word of the query. */
export interface Variant {
  readonly term: string;
  /** How much of the word's worth it has. */
  readonly weight: number;
  /** Where it lies in each of the segments. */
  readonly entries: readonly (TermEntry | undefined)[];
  /** In how many living passages it occurs: at least one. */
  readonly count: number;
}

/** A term as a variant; undefined where no living passage holds it. */
export function variantOf(
  term: string,
  weight: number,
  segments: readonly OpenSegment[],
): Variant | undefined {
  const bytes = textToBytes(term);
  const entries = segments.map(({ segment }) => findTerm(segment, bytes));
  const count = entries.reduce(
    (sum, entry, place) => sum + (entry ? liveCount(segments[place]!, entry) : 0),
    0,
  );
  return count > 0 ? { term, weight, entries, count } : undefined;
}

const MOST_COMPLETIONS = 64;
const COMPLETION_WEIGHT = 0.5;
/** How much shorter than what was typed a stem may be: `connectio` is on its way to `connections`, whose stem is `connect`. */
const STEM_CUT = 3;
const SHORTEST_STEM = 3;

/** The terms that begin as the word does, the shortest first: of a word still being typed. */
export function completions(
  { word, stems }: QueryWord,
  segments: readonly OpenSegment[],
): Variant[] {
  const bare = foldWord(word);
  const prefix = textToBytes(bare);
  const found = new Set<string>();
  for (const opened of segments) {
    const cursor = seekTerm(opened.segment, prefix);
    if (!cursor) continue;
    do {
      if (!startsWith(cursor.bytes(), cursor.length(), prefix)) break;
      if (liveCount(opened, cursor.entry()) > 0)
        found.add(bytesToText(cursor.bytes().subarray(0, cursor.length())));
    } while (cursor.next());
  }
  for (let cut = 1; cut <= STEM_CUT && bare.length - cut >= SHORTEST_STEM; cut++) {
    const stem = bare.slice(0, -cut);
    if (variantOf(stem, 1, segments)) found.add(stem);
  }
  return [...found]
    .filter((term) => !stems.includes(term))
    .sort((a, b) => a.length - b.length || (a < b ? -1 : 1))
    .slice(0, MOST_COMPLETIONS)
    .flatMap((term) => variantOf(term, COMPLETION_WEIGHT, segments) ?? []);
}

function startsWith(bytes: Uint8Array, length: number, prefix: Uint8Array): boolean {
  return length >= prefix.length && compareBytes(bytes, prefix.length, prefix, prefix.length) === 0;
}

function endsWith(bytes: Uint8Array, length: number, ending: Uint8Array): boolean {
  for (let back = 1; back <= ending.length; back++)
    if (bytes[length - back] !== ending[ending.length - back]) return false;
  return length >= ending.length;
}

/** Where the terms that begin with a letter begin, behind the labels and the numbers. */
const PAST_NUMBERS = textToBytes(':');
const SHORTEST_PART = 4;
const PART_WEIGHT = 0.6;
const MOST_COMPOUNDS = 16;

/**
 * For a word that occurs nowhere, in a language that writes compounds as one word: the terms that begin or end with it,
 * and the two terms that it is put together of.
 */
export function compounds({ stems }: QueryWord, segments: readonly OpenSegment[]): Variant[] {
  const found = new Set<string>();
  for (const stem of stems.filter(({ length }) => length >= SHORTEST_PART)) {
    for (const part of partsOf(stem, segments)) found.add(part);
    const wanted = textToBytes(stem);
    for (const { segment } of segments) {
      const cursor = seekTerm(segment, PAST_NUMBERS);
      if (!cursor) continue;
      do {
        const [bytes, length] = [cursor.bytes(), cursor.length()];
        if (length < wanted.length + SHORTEST_PART) continue;
        if (startsWith(bytes, length, wanted) || endsWith(bytes, length, wanted))
          found.add(bytesToText(bytes.subarray(0, length)));
      } while (cursor.next());
    }
  }
  return [...found]
    .sort((a, b) => a.length - b.length || (a < b ? -1 : 1))
    .flatMap((term) => variantOf(term, PART_WEIGHT, segments) ?? [])
    .slice(0, MOST_COMPOUNDS);
}

/** What may stand between the parts of a compound. */
const LINKS = ['', 's', 'es', 'n', 'en'];

/** The two terms that a compound is put together of, the second as long as may be. */
function partsOf(compound: string, segments: readonly OpenSegment[]): string[] {
  for (let cut = SHORTEST_PART; cut <= compound.length - SHORTEST_PART; cut++) {
    const second = compound.slice(cut);
    if (!variantOf(second, 1, segments)) continue;
    const head = compound.slice(0, cut);
    for (const link of LINKS) {
      const first = head.endsWith(link) ? head.slice(0, head.length - link.length) : '';
      if (first.length >= SHORTEST_PART && variantOf(first, 1, segments)) return [first, second];
    }
  }
  return [];
}

const SHORTEST_FUZZY = 4;
const TWO_EDITS_FROM = 8;
const MOST_CORRECTIONS = 3;
const ONE_EDIT_WEIGHT = 0.7;
const TWO_EDITS_WEIGHT = 0.5;

/** The nearest terms to one that occurs nowhere: one edit away, two for long ones; the first letter is taken to be right. */
export function corrections(term: string, segments: readonly OpenSegment[]): Variant[] {
  const most = term.length < SHORTEST_FUZZY ? 0 : term.length < TWO_EDITS_FROM ? 1 : 2;
  if (most === 0) return [];
  const first = textToBytes(String.fromCodePoint(term.codePointAt(0)!));
  const wanted = textToBytes(term);
  const letters = lettersOf(wanted, wanted.length);
  const near = new Map<string, { distance: number; count: number }>();
  for (const opened of segments) {
    const cursor = seekTerm(opened.segment, first);
    if (!cursor) continue;
    do {
      const [bytes, length] = [cursor.bytes(), cursor.length()];
      if (!startsWith(bytes, length, first)) break;
      // A letter has up to three bytes: what differs by more of them cannot be near.
      if (Math.abs(length - wanted.length) > most * 3) continue;
      const others = lettersOf(bytes, length);
      if (countBits(letters & ~others) > most || countBits(others & ~letters) > most) continue;
      const other = bytesToText(bytes.subarray(0, length));
      const distance = editDistance(term, other, most);
      const count = distance <= most ? liveCount(opened, cursor.entry()) : 0;
      if (count > 0) near.set(other, { distance, count: count + (near.get(other)?.count ?? 0) });
    } while (cursor.next());
  }
  const sorted = [...near].sort(
    ([a, x], [b, y]) => x.distance - y.distance || y.count - x.count || (a < b ? -1 : 1),
  );
  return sorted
    .filter(([, { distance }]) => distance === sorted[0]![1].distance)
    .slice(0, MOST_CORRECTIONS)
    .flatMap(
      ([other, { distance }]) =>
        variantOf(other, distance === 1 ? ONE_EDIT_WEIGHT : TWO_EDITS_WEIGHT, segments) ?? [],
    );
}

/** Which letters of ASCII there are, a bit for one or some: an edit brings one at most, and takes one away at most. */
function lettersOf(bytes: Uint8Array, length: number): number {
  let letters = 0;
  for (let at = 0; at < length; at++) if (bytes[at]! < 128) letters |= 1 << (bytes[at]! & 31);
  return letters;
}

function countBits(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count++;
  return count;
}

const LONGEST_ENDING = 5;
const LETTERS = Array.from('abcdefghijklmnopqrstuvwxyz');

/**
 * For a long word that occurs nowhere, the terms of what it may have been meant to be where the slip is in its ending: with that the
 * stem is another, often a much longer one (`configuraton`, `configur`).
 */
export function correctedEndings(
  { word }: QueryWord,
  language: number,
  segments: readonly OpenSegment[],
): Variant[] {
  if (word.length < TWO_EDITS_FROM || !/^[a-z]+$/.test(word)) return [];
  const terms = new Set<string>();
  for (let at = word.length - LONGEST_ENDING; at <= word.length; at++) {
    const [before, letter, next, rest] = [
      word.slice(0, at),
      word.charAt(at),
      word.charAt(at + 1),
      word.slice(at + 2),
    ];
    const forms = LETTERS.flatMap((other) => [
      before + other + letter + next + rest,
      before + other + next + rest,
    ]);
    for (const form of [before + next + rest, before + next + letter + rest, ...forms]) {
      for (const stem of stemsOf(form, language)) terms.add(stem);
    }
  }
  return [...terms]
    .flatMap((term) =>
      term.length < SHORTEST_FUZZY ? [] : (variantOf(term, ONE_EDIT_WEIGHT, segments) ?? []),
    )
    .sort((a, b) => b.count - a.count || (a.term < b.term ? -1 : 1))
    .slice(0, MOST_CORRECTIONS);
}

let rows = [new Uint8Array(80), new Uint8Array(80), new Uint8Array(80)] as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
];

/** Letters put in, left out, changed or swapped with the next, from `a` to `b`; anything above `most` where there are more. */
export function editDistance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  if (b.length >= rows[0].length)
    rows = rows.map(() => new Uint8Array(b.length * 2)) as typeof rows;
  let [before, last, row] = rows;
  for (let column = 0; column <= b.length; column++) last[column] = Math.min(255, column);
  for (let line = 1; line <= a.length; line++) {
    let least = (row[0] = Math.min(255, line));
    for (let column = 1; column <= b.length; column++) {
      const isSame = a.charCodeAt(line - 1) === b.charCodeAt(column - 1);
      let cost = Math.min(
        last[column - 1]! + (isSame ? 0 : 1),
        last[column]! + 1,
        row[column - 1]! + 1,
      );
      const isSwap =
        line > 1 &&
        column > 1 &&
        a.charCodeAt(line - 1) === b.charCodeAt(column - 2) &&
        a.charCodeAt(line - 2) === b.charCodeAt(column - 1);
      if (isSwap) cost = Math.min(cost, before[column - 2]! + 1);
      row[column] = cost;
      if (cost < least) least = cost;
    }
    if (least > most) return most + 1;
    [before, last, row] = [last, row, before];
  }
  return last[b.length]!;
}
