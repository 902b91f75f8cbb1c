import { findTerm, seekTerm, type TermEntry } from '../segment/dictionary.js';
import { liveCount, type SegmentReader } from '../segment/segment-reader.js';
import { foldWord } from '../text/characters.js';
import { formsAtOneEdit } from '../text/edits.js';
import { stemsOf } from '../text/languages.js';
import type { QueryWord } from '../text/query-words.js';
import { encodeUtf8 } from '../text/utf8.js';
import { editDistance } from './edit-distance.js';

/** A term of the index that matches a word of the query. */
export interface TermVariant {
  readonly term: string;
  /** Share of the word's idf weight that this term gets. */
  readonly weight: number;
  /** Entry of the term in each segment. */
  readonly entries: readonly (TermEntry | undefined)[];
  /** Number of live passages that contain the term, at least 1. */
  readonly count: number;
}

/** Returns a term as a variant; undefined if no live passage contains it. */
export function variantOf(
  term: string,
  weight: number,
  segments: readonly SegmentReader[],
): TermVariant | undefined {
  const bytes = encodeUtf8(term);
  const entries = segments.map(({ segment }) => findTerm(segment, bytes));
  const count = entries.reduce(
    (sum, entry, number) => sum + (entry ? liveCount(segments[number]!, entry) : 0),
    0,
  );
  return count > 0 ? { term, weight, entries, count } : undefined;
}

const MAX_COMPLETIONS = 64;
const COMPLETION_WEIGHT = 0.5;
/** Weight of a longer word if the word itself occurs. */
const LONGER_WEIGHT = 0.15;
/** A stem may be this much shorter than the typed text: `connect` of `connectio(ns)`. */
const MAX_STEM_CUT = 3;
const MIN_STEM_LENGTH = 3;

/** Returns terms that start with a word, or may be its stem, the shortest first. */
export function completions(
  { word, stems }: QueryWord,
  segments: readonly SegmentReader[],
  isWhole = false,
): TermVariant[] {
  const folded = foldWord(word);
  const prefix = encodeUtf8(folded);
  const found = new Set<string>();
  for (const reader of segments) {
    const terms = seekTerm(reader.segment, prefix);
    if (!terms) continue;
    do {
      if (!terms.startsWith(prefix)) break;
      if (liveCount(reader, terms.entry()) > 0) found.add(terms.text());
    } while (terms.next());
  }
  for (
    let cut = 1;
    !isWhole && cut <= MAX_STEM_CUT && folded.length - cut >= MIN_STEM_LENGTH;
    cut++
  ) {
    const stem = folded.slice(0, -cut);
    if (variantOf(stem, 1, segments)) found.add(stem);
  }
  return [...found]
    .filter((term) => !stems.includes(term))
    .sort(byLength)
    .slice(0, MAX_COMPLETIONS)
    .flatMap(
      (term) => variantOf(term, isWhole ? LONGER_WEIGHT : COMPLETION_WEIGHT, segments) ?? [],
    );
}

function byLength(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : 1);
}

function endsWith(bytes: Uint8Array, length: number, ending: Uint8Array): boolean {
  for (let back = 1; back <= ending.length; back++)
    if (bytes[length - back] !== ending[ending.length - back]) return false;
  return length >= ending.length;
}

/** Sorts before every term that begins with a letter, and after labels and numbers. */
const AFTER_NUMBERS = encodeUtf8(':');
const MIN_PART_LENGTH = 4;
const PART_WEIGHT = 0.6;
const MAX_COMPOUNDS = 16;

/** Finds the terms that start or end with an unknown word, and the two that it consists of. */
export function compounds({ stems }: QueryWord, segments: readonly SegmentReader[]): TermVariant[] {
  const found = new Set<string>();
  for (const stem of stems.filter(({ length }) => length >= MIN_PART_LENGTH)) {
    for (const part of compoundParts(stem, segments)) found.add(part);
    const wanted = encodeUtf8(stem);
    for (const { segment } of segments) {
      const terms = seekTerm(segment, AFTER_NUMBERS);
      if (!terms) continue;
      do {
        const length = terms.length();
        if (length < wanted.length + MIN_PART_LENGTH) continue;
        if (terms.startsWith(wanted) || endsWith(terms.bytes(), length, wanted))
          found.add(terms.text());
      } while (terms.next());
    }
  }
  return [...found]
    .sort(byLength)
    .flatMap((term) => variantOf(term, PART_WEIGHT, segments) ?? [])
    .slice(0, MAX_COMPOUNDS);
}

/** Letters that may link the parts of a compound. */
const LINKING_ELEMENTS = ['', 's', 'es', 'n', 'en'];

/** Returns the two terms that form a compound, the second as long as possible; empty if none do. */
function compoundParts(compound: string, segments: readonly SegmentReader[]): string[] {
  for (let cut = MIN_PART_LENGTH; cut <= compound.length - MIN_PART_LENGTH; cut++) {
    const second = compound.slice(cut);
    if (!variantOf(second, 1, segments)) continue;
    const head = compound.slice(0, cut);
    for (const link of LINKING_ELEMENTS) {
      const first = head.endsWith(link) ? head.slice(0, head.length - link.length) : '';
      if (first.length >= MIN_PART_LENGTH && variantOf(first, 1, segments)) return [first, second];
    }
  }
  return [];
}

const MIN_FUZZY_LENGTH = 4;
/** Terms of at least this length may differ by two edits. */
const TWO_EDITS_LENGTH = 8;
const MAX_CORRECTIONS = 3;
const ONE_EDIT_WEIGHT = 0.7;
const TWO_EDITS_WEIGHT = 0.5;

function maxEditsFor(term: string): number {
  if (term.length < MIN_FUZZY_LENGTH) return 0;
  return term.length < TWO_EDITS_LENGTH ? 1 : 2;
}

/** Returns the nearest terms with the same first letter, by one edit or, for a long term, two. */
export function corrections(term: string, segments: readonly SegmentReader[]): TermVariant[] {
  const maxEdits = maxEditsFor(term);
  if (maxEdits === 0) return [];
  const first = encodeUtf8(String.fromCodePoint(term.codePointAt(0)!));
  const wanted = encodeUtf8(term);
  const letters = letterSet(wanted, wanted.length);
  const near = new Map<string, { distance: number; count: number }>();
  for (const reader of segments) {
    const terms = seekTerm(reader.segment, first);
    if (!terms) continue;
    do {
      if (!terms.startsWith(first)) break;
      const length = terms.length();
      // A letter has up to three bytes, so a larger difference in length takes more edits.
      if (Math.abs(length - wanted.length) > maxEdits * 3) continue;
      const others = letterSet(terms.bytes(), length);
      if (countBits(letters & ~others) > maxEdits || countBits(others & ~letters) > maxEdits)
        continue;
      const other = terms.text();
      const distance = editDistance(term, other, maxEdits);
      const count = distance <= maxEdits ? liveCount(reader, terms.entry()) : 0;
      if (count > 0) near.set(other, { distance, count: count + (near.get(other)?.count ?? 0) });
    } while (terms.next());
  }
  const sorted = [...near].sort(
    ([a, x], [b, y]) => x.distance - y.distance || y.count - x.count || (a < b ? -1 : 1),
  );
  return sorted
    .filter(([, { distance }]) => distance === sorted[0]![1].distance)
    .slice(0, MAX_CORRECTIONS)
    .flatMap(
      ([other, { distance }]) =>
        variantOf(other, distance === 1 ? ONE_EDIT_WEIGHT : TWO_EDITS_WEIGHT, segments) ?? [],
    );
}

/** ASCII characters of a term as 32 bits; an edit adds at most one bit and removes at most one. */
function letterSet(bytes: Uint8Array, length: number): number {
  let letters = 0;
  for (let at = 0; at < length; at++) if (bytes[at]! < 128) letters |= 1 << (bytes[at]! & 31);
  return letters;
}

function countBits(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count++;
  return count;
}

const MAX_ENDING_LENGTH = 5;

/** Tries edits of the ending of a long word: a typo there changes the stem (`configuraton`). */
export function correctedEndings(
  { word }: QueryWord,
  language: number,
  segments: readonly SegmentReader[],
): TermVariant[] {
  if (word.length < TWO_EDITS_LENGTH || !/^[a-z]+$/.test(word)) return [];
  const forms = formsAtOneEdit(word, word.length - MAX_ENDING_LENGTH);
  const terms = new Set(forms.flatMap((form) => stemsOf(form, language)));
  return [...terms]
    .flatMap((term) =>
      term.length < MIN_FUZZY_LENGTH ? [] : (variantOf(term, ONE_EDIT_WEIGHT, segments) ?? []),
    )
    .sort((a, b) => b.count - a.count || (a.term < b.term ? -1 : 1))
    .slice(0, MAX_CORRECTIONS);
}
