import { LANGUAGE_COUNT } from './languages.js';
import { eachPosting } from './postings.js';
import { LABEL_MARK } from './segment-format.js';
import { findNote, findTerm, openSegment, textToBytes, type Segment, type TermEntry } from './segment.js';

/** A segment in use: with what was changed or removed since it was written. */
export interface OpenSegment {
  readonly name: string;
  readonly segment: Segment;
  /** 1 for each note that is no more. */
  readonly gone: Uint8Array;
  readonly counts: LiveCounts;
}

export interface LiveCounts {
  notes: number;
  passages: number;
  /** The sum of the weighted lengths of the living passages. */
  length: number;
  /** How many notes are in each language. */
  readonly languages: Int32Array;
  /** In how many living passages a term occurs; forgotten with every note that goes. */
  readonly terms: Map<number, number>;
}

export function openWithGone(name: string, blob: Uint8Array, gone?: Uint8Array): OpenSegment {
  const segment = openSegment(blob);
  const languages = new Int32Array(LANGUAGE_COUNT);
  for (const language of segment.noteLanguage) languages[language]!++;
  const opened: OpenSegment = {
    ...{ name, segment, gone: new Uint8Array(segment.notes) },
    counts: {
      ...{ notes: segment.notes, passages: segment.passages, languages, terms: new Map() },
      length: sum(segment.passageLength, 0, segment.passages),
    },
  };
  if (gone) for (let note = 0; note < segment.notes; note++) if (gone[note >> 3]! & (1 << (note & 7))) removeNote(opened, note);
  return opened;
}

/** The living note of a key; -1 where there is none. */
export function findLiving({ segment, gone }: OpenSegment, key: Uint8Array): number {
  const note = findNote(segment, key);
  return note >= 0 && gone[note] === 0 ? note : -1;
}

export function removeNote({ segment, gone, counts }: OpenSegment, note: number): void {
  const [first, end] = [segment.noteFirst[note]!, segment.noteFirst[note + 1]!];
  gone[note] = 1;
  counts.notes--;
  counts.languages[segment.noteLanguage[note]!]!--;
  counts.passages -= end - first;
  counts.length -= sum(segment.passageLength, first, end);
  counts.terms.clear();
}

/** In how many living passages a term occurs. */
export function liveCount({ segment, gone, counts }: OpenSegment, entry: TermEntry): number {
  if (counts.notes === segment.notes) return entry.count;
  const known = counts.terms.get(entry.postingsStart);
  if (known !== undefined) return known;
  let living = 0;
  eachPosting(segment, entry, (passage) => {
    if (gone[segment.noteOf[passage]!] === 0) living++;
  });
  counts.terms.set(entry.postingsStart, living);
  return living;
}

/** Marks the living notes that carry a label. */
export function markLabelled({ segment }: OpenSegment, label: string, marks: Uint8Array): void {
  const entry = findTerm(segment, textToBytes(LABEL_MARK + label));
  if (entry) eachPosting(segment, entry, (passage) => (marks[segment.noteOf[passage]!] = 1));
}

function sum(values: Uint16Array, from: number, to: number): number {
  let total = 0;
  for (let at = from; at < to; at++) total += values[at]!;
  return total;
}
