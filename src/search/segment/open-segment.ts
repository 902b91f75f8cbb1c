import { compareBytes } from '../../platform/byte-writer.js';
import { labelTerm } from '../documents/labels.js';
import { LANGUAGE_COUNT } from '../text/languages.js';
import { eachPosting, eachWanted } from './postings.js';
import { LABEL_MARK } from '../documents/labels.js';
import {
  blocksOf,
  bytesToText,
  findNote,
  findTerm,
  openSegment,
  seekTerm,
  textToBytes,
  type Segment,
  type TermEntry,
} from './segment.js';

/** A segment in use: with what was changed or removed since it was written. */
export interface OpenSegment {
  readonly name: string;
  readonly segment: Segment;
  /** 1 for each note that is no more. */
  readonly gone: Uint8Array;
  readonly counts: LiveCounts;
  /** The keys of its notes, where they were at hand when it was opened: what is not among them need not be looked for. */
  readonly keys: ReadonlySet<string> | undefined;
  /** The notes of keys that were looked for of late, -1 for none. */
  readonly places: Map<string, number>;
  /** The labels of its notes by what they begin with, as far as they were asked for. */
  readonly labelled: Map<string, NoteLabels>;
  /** The living notes that carry several labels, as far as they were asked for, with how many notes lived then. */
  readonly living: Map<string, { readonly notes: number; readonly marks: Uint8Array | undefined }>;
}

/** For each note its label of those that begin in one way. */
export interface NoteLabels {
  readonly labels: readonly string[];
  /** The place of its label in the list; -1 where it has none. */
  readonly ofNote: Int32Array;
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
  /** Of the notes that are no more, as far as they were asked for; forgotten with the next. */
  gonePassages: Int32Array | undefined;
}

export function openWithGone(
  name: string,
  blob: Uint8Array,
  keys?: ReadonlySet<string>,
): OpenSegment {
  const segment = openSegment(blob);
  const languages = new Int32Array(LANGUAGE_COUNT);
  for (const language of segment.noteLanguage) languages[language]!++;
  return {
    name,
    segment,
    gone: new Uint8Array(segment.notes),
    keys,
    places: new Map(),
    labelled: new Map(),
    living: new Map(),
    counts: {
      notes: segment.notes,
      passages: segment.passages,
      languages,
      terms: new Map(),
      gonePassages: undefined,
      length: sum(segment.passageLength, 0, segment.passages),
    },
  };
}

/** The living note of a key; -1 where there is none. */
export function findLiving({ segment, gone }: OpenSegment, key: Uint8Array): number {
  const note = findNote(segment, key);
  return note >= 0 && gone[note] === 0 ? note : -1;
}

const MOST_PLACES = 20_000;

/** The same, for keys that are likely to be asked for again. */
export function recallLiving({ segment, gone, places }: OpenSegment, key: string): number {
  let note = places.get(key);
  if (note === undefined) {
    note = findNote(segment, textToBytes(key));
    if (places.size >= MOST_PLACES) places.clear();
    places.set(key, note);
  }
  return note >= 0 && gone[note] === 0 ? note : -1;
}

export function removeNote({ segment, gone, counts, living }: OpenSegment, note: number): void {
  const [first, end] = [segment.noteFirst[note]!, segment.noteFirst[note + 1]!];
  gone[note] = 1;
  for (const [asked, { notes, marks = new Uint8Array(segment.notes).fill(1) }] of living) {
    if (notes !== counts.notes) continue;
    marks[note] = 0;
    living.set(asked, { notes: notes - 1, marks });
  }
  counts.notes--;
  counts.languages[segment.noteLanguage[note]!]!--;
  counts.passages -= end - first;
  counts.length -= sum(segment.passageLength, first, end);
  counts.terms.clear();
  counts.gonePassages = undefined;
}

/** In how many living passages a term occurs. */
export function liveCount(source: OpenSegment, entry: TermEntry): number {
  const { segment, gone, counts } = source;
  if (counts.notes === segment.notes) return entry.count;
  const known = counts.terms.get(entry.postingsStart);
  if (known !== undefined) return known;
  let living = 0;
  if (segment.passages - counts.passages < entry.count) {
    // Few are gone: only the parts of the list are read in which they may be.
    living = entry.count;
    eachWanted(segment, blocksOf(segment, entry), gonePassages(source), () => living--);
  } else {
    eachPosting(segment, entry, (passage) => {
      if (gone[segment.noteOf[passage]!] === 0) living++;
    });
  }
  counts.terms.set(entry.postingsStart, living);
  return living;
}

/** The passages of the notes that are no more, ascending. */
function gonePassages({ segment, gone, counts }: OpenSegment): Int32Array {
  if (counts.gonePassages) return counts.gonePassages;
  const all = new Int32Array(segment.passages - counts.passages);
  let count = 0;
  for (let note = gone.indexOf(1); note >= 0; note = gone.indexOf(1, note + 1)) {
    for (let passage = segment.noteFirst[note]!; passage < segment.noteFirst[note + 1]!; passage++)
      all[count++] = passage;
  }
  return (counts.gonePassages = all);
}

const MOST_LABELS = 16;

/** 1 for each living note that carries all of the labels; undefined where every note does. Read only. */
export function livingWith(source: OpenSegment, labels: readonly string[]): Uint8Array | undefined {
  const { segment, gone, counts, living } = source;
  if (labels.length === 0 && counts.notes === segment.notes) return undefined;
  const asked = labels.join('\n');
  const known = living.get(asked);
  if (known?.notes === counts.notes) return known.marks;
  const left = Uint8Array.from(gone);
  for (let note = 0; note < left.length; note++) left[note]! ^= 1;
  for (const label of labels) {
    const own = new Uint8Array(segment.notes);
    markLabelled(source, label, own);
    for (let note = 0; note < left.length; note++) left[note]! &= own[note]!;
  }
  const marks = left.includes(0) ? left : undefined;
  if (living.size >= MOST_LABELS) living.clear();
  living.set(asked, { notes: counts.notes, marks });
  return marks;
}

/** Marks the notes that carry a label. */
export function markLabelled({ segment }: OpenSegment, label: string, marks: Uint8Array): void {
  const entry = findTerm(segment, textToBytes(labelTerm(label)));
  if (entry) eachPosting(segment, entry, (passage) => (marks[segment.noteOf[passage]!] = 1));
}

/** Of each note the label that begins so; read once. */
export function labelled({ segment, labelled: known }: OpenSegment, start: string): NoteLabels {
  const found = known.get(start);
  if (found) return found;
  const labels: string[] = [];
  const ofNote = new Int32Array(segment.notes).fill(-1);
  const wanted = textToBytes(LABEL_MARK + start);
  const cursor = seekTerm(segment, wanted);
  if (cursor) {
    do {
      if (
        compareBytes(
          cursor.bytes(),
          Math.min(cursor.length(), wanted.length),
          wanted,
          wanted.length,
        ) !== 0
      )
        break;
      const label =
        labels.push(bytesToText(cursor.bytes().subarray(LABEL_MARK.length, cursor.length()))) - 1;
      eachPosting(segment, cursor.entry(), (passage) => (ofNote[segment.noteOf[passage]!] = label));
    } while (cursor.next());
  }
  const read = { labels, ofNote };
  known.set(start, read);
  return read;
}

function sum(values: Uint16Array, from: number, to: number): number {
  let total = 0;
  for (let at = from; at < to; at++) total += values[at]!;
  return total;
}
