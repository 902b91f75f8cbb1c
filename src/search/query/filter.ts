import { livingWith, markLabelled, type OpenSegment } from '../segment/open-segment.js';
import { eachPosting, eachWithPositions } from '../segment/postings.js';
import type { Branch, Condition } from './query.js';
import { normalizeMark } from '../documents/labels.js';
import {
  bytesToText,
  createKeyCursor,
  findTerm,
  firstKeyFrom,
  textToBytes,
} from '../segment/segment.js';
import { queryWords } from '../text/terms.js';

/** What every hit must fulfil, whatever the query says. */
export interface Scope {
  /** Only keys that begin so: a folder with its slash. */
  readonly keyPrefix?: string | undefined;
  /** All of them. */
  readonly labels?: readonly string[] | undefined;
  /** Milliseconds, both included. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** The notes of a segment that may be found: 1 for each; undefined where all may. */
export function allowedNotes(
  source: OpenSegment,
  branch: Branch,
  scope: Scope,
  languages: readonly number[],
): Uint8Array | undefined {
  const { segment } = source;
  const { phrases, unwanted, conditions } = branch;
  const isTimed = scope.from !== undefined || scope.to !== undefined;
  const living = livingWith(source, scope.labels ?? []);
  if (
    !isTimed &&
    scope.keyPrefix === undefined &&
    phrases.length + unwanted.length + conditions.length === 0
  )
    return living;
  const allowed = living ? living.slice() : new Uint8Array(segment.notes).fill(1);
  const keep = (marks: Uint8Array, isWanted: boolean) => {
    for (let note = 0; note < allowed.length; note++)
      if ((marks[note] === 1) !== isWanted) allowed[note] = 0;
  };
  if (scope.keyPrefix !== undefined) keep(markPrefix(source, scope.keyPrefix), true);
  const { from = -Infinity, to = Infinity } = scope;
  for (let note = 0; note < allowed.length; note++) {
    const time = segment.noteTime[note]!;
    if (time < from || time > to) allowed[note] = 0;
  }
  for (const condition of conditions) keep(markCondition(source, condition), condition.isWanted);
  for (const phrase of phrases) keep(markPhrase(source, phrase, languages), true);
  for (const phrase of unwanted) keep(markPhrase(source, phrase, languages), false);
  return allowed;
}

/** The notes whose keys begin with a text: the keys stand side by side. */
function markPrefix({ segment }: OpenSegment, prefix: string): Uint8Array {
  const bytes = textToBytes(prefix);
  const marks = new Uint8Array(segment.notes);
  const after = firstKeyFrom(segment, Uint8Array.from([...bytes, 0xff]));
  for (let rank = firstKeyFrom(segment, bytes); rank < after; rank++)
    marks[segment.keyNotes[rank]!] = 1;
  return marks;
}

function markCondition(source: OpenSegment, { kind, value }: Condition): Uint8Array {
  const marks = new Uint8Array(source.segment.notes);
  if (kind === 'label') markLabelled(source, value, marks);
  else {
    for (const cursor = createKeyCursor(source.segment); cursor.next();) {
      const path = normalizeMark(bytesToText(cursor.bytes().subarray(0, cursor.length())));
      if ((kind === 'path' ? path : path.slice(path.lastIndexOf('/') + 1)).includes(value))
        marks[cursor.note()] = 1;
    }
  }
  return marks;
}

/** The notes in which the words of a text follow one another within a passage. */
function markPhrase(
  { segment }: OpenSegment,
  text: string,
  languages: readonly number[],
): Uint8Array {
  const marks = new Uint8Array(segment.notes);
  const all = queryWords(text, languages).map((word, offset) => ({ ...word, offset }));
  // Where the grammar stands is not kept: between other words, any word may stand in its place.
  const placed = all.filter(({ isStop }) => !isStop);
  const words = (placed.length > 0 ? placed : all).map(({ stems, offset }) => ({
    offset,
    entries: stems.flatMap((stem) => {
      const entry = findTerm(segment, textToBytes(stem));
      return entry ? [entry] : [];
    }),
  }));
  if (words.length === 0) return marks.fill(1);
  const countOf = (entries: readonly { count: number }[]) =>
    entries.reduce((sum, { count }) => sum + count, 0);
  words.sort((a, b) => countOf(a.entries) - countOf(b.entries));
  const passages: number[] = [];
  for (const entry of words[0]!.entries)
    eachPosting(segment, entry, (passage) => passages.push(passage));
  /** Where, in each passage that is still possible, the phrase may begin; anywhere where that is not known yet. */
  let starts: Map<number, Set<number> | undefined> | undefined;
  for (const { entries, offset } of words) {
    const wanted = Int32Array.from(starts ? starts.keys() : new Set(passages)).sort();
    const found = new Map<number, Set<number> | undefined>();
    for (const entry of entries) {
      eachWithPositions(segment, entry, wanted, (passage, positions, count) => {
        const before = starts?.get(passage);
        if (count === 0) {
          found.set(passage, before);
          return;
        }
        const fitting = Array.from(
          positions.subarray(0, count),
          (position) => position - offset,
        ).filter((start) => !before || before.has(start));
        if (fitting.length > 0)
          found.set(passage, new Set([...(found.get(passage) ?? []), ...fitting]));
      });
    }
    starts = found;
  }
  for (const passage of starts?.keys() ?? []) marks[segment.noteOf[passage]!] = 1;
  return marks;
}
