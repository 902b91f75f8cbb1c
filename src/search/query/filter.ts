import { normalizeLabelText } from '../documents/labels.js';
import { findTerm, firstKeyFrom, KeyCursor } from '../segment/dictionary.js';
import { eachPosting, eachWithPositions } from '../segment/postings/postings.js';
import { liveDocsWithLabels, markLabelled, type SegmentReader } from '../segment/segment-reader.js';
import { isNegation } from '../text/excluded-words.js';
import { queryWords } from '../text/query-words.js';
import { encodeUtf8 } from '../text/utf8.js';
import type { QueryBranch, QueryCondition } from './parse-query.js';

/** Conditions on every hit, in addition to those of the query. */
export interface SearchScope {
  /** Start of the key, such as a folder with its slash. */
  readonly keyPrefix?: string | undefined;
  /** A hit must have all of them. */
  readonly labels?: readonly string[] | undefined;
  /** A hit must have at least one of them. */
  readonly anyLabel?: readonly string[] | undefined;
  /** Milliseconds since 1970, both inclusive. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** Returns 1 for each document that may be found; undefined for all. It must not be changed. */
export function allowedDocs(
  reader: SegmentReader,
  branch: QueryBranch,
  scope: SearchScope,
  languages: readonly number[],
): Uint8Array | undefined {
  const { segment } = reader;
  const { phrases, unwanted, conditions } = branch;
  const { keyPrefix, anyLabel, from = -Infinity, to = Infinity } = scope;
  const isTimed = from !== -Infinity || to !== Infinity;
  const live = liveDocsWithLabels(reader, scope.labels ?? []);
  const filters = phrases.length + unwanted.length + conditions.length;
  if (!isTimed && keyPrefix === undefined && anyLabel === undefined && filters === 0) return live;
  const allowed = live ? live.slice() : new Uint8Array(segment.docs).fill(1);
  const keep = (marks: Uint8Array, isWanted: boolean) => {
    for (let doc = 0; doc < allowed.length; doc++)
      if ((marks[doc] === 1) !== isWanted) allowed[doc] = 0;
  };
  if (keyPrefix !== undefined) keep(markPrefix(reader, keyPrefix), true);
  if (anyLabel !== undefined) keep(markAnyLabelled(reader, anyLabel), true);
  for (let doc = 0; doc < allowed.length; doc++) {
    const time = segment.docTime[doc]!;
    if (time < from || time > to) allowed[doc] = 0;
  }
  for (const condition of conditions) keep(markCondition(reader, condition), condition.isWanted);
  for (const phrase of phrases) keep(markPhrase(reader, phrase, languages), true);
  for (const phrase of unwanted) keep(markPhrase(reader, phrase, languages), false);
  return allowed;
}

/** Marks the documents whose keys start with a text; those keys are consecutive. */
function markPrefix({ segment }: SegmentReader, prefix: string): Uint8Array {
  const bytes = encodeUtf8(prefix);
  const marks = new Uint8Array(segment.docs);
  const end = firstKeyFrom(segment, Uint8Array.from([...bytes, 0xff]));
  for (let rank = firstKeyFrom(segment, bytes); rank < end; rank++)
    marks[segment.keyDocs[rank]!] = 1;
  return marks;
}

function markAnyLabelled(reader: SegmentReader, labels: readonly string[]): Uint8Array {
  const marks = new Uint8Array(reader.segment.docs);
  for (const label of labels) markLabelled(reader, label, marks);
  return marks;
}

/** Returns true if the path of a document contains a text. */
export function hasPath(path: string, segments: readonly SegmentReader[]): boolean {
  const condition = { kind: 'path', value: normalizeLabelText(path), isWanted: true } as const;
  return segments.some((reader) => markCondition(reader, condition).includes(1));
}

function markCondition(reader: SegmentReader, { kind, value }: QueryCondition): Uint8Array {
  const marks = new Uint8Array(reader.segment.docs);
  if (kind === 'label') {
    markLabelled(reader, value, marks);
    return marks;
  }
  for (const keys = new KeyCursor(reader.segment); keys.next();) {
    const path = normalizeLabelText(keys.text());
    const searched = kind === 'path' ? path : path.slice(path.lastIndexOf('/') + 1);
    if (searched.includes(value)) marks[keys.doc()] = 1;
  }
  return marks;
}

/** Returns true if a live document has a phrase with a negation, which is then a name. */
export function isWritten(
  phrase: string,
  segments: readonly SegmentReader[],
  languages: readonly number[],
): boolean {
  if (!queryWords(phrase, languages).some(({ word }) => isNegation(word))) return false;
  return segments.some((reader) => {
    const marks = markPhrase(reader, phrase, languages);
    return marks.some((mark, doc) => mark === 1 && reader.deleted[doc] === 0);
  });
}

/** Marks the documents in which the words of a text follow one another within a passage. */
function markPhrase(
  { segment }: SegmentReader,
  text: string,
  languages: readonly number[],
): Uint8Array {
  const marks = new Uint8Array(segment.docs);
  const all = queryWords(text, languages);
  // Positions of stop words are not stored, so between other words any word matches in their place.
  const positioned = all.filter(({ word, isStop }) => !isStop || isNegation(word));
  const words = (positioned.length > 0 ? positioned : all).map(({ stems, position }) => ({
    offset: position,
    entries: stems.flatMap((stem) => findTerm(segment, encodeUtf8(stem)) ?? []),
  }));
  if (words.length === 0) return marks.fill(1);
  const countOf = (entries: readonly { count: number }[]) =>
    entries.reduce((sum, { count }) => sum + count, 0);
  words.sort((a, b) => countOf(a.entries) - countOf(b.entries));
  const passages: number[] = [];
  for (const entry of words[0]!.entries)
    eachPosting(segment, entry, (passage) => passages.push(passage));
  /** Where the phrase may start in each remaining passage; undefined means anywhere. */
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
  for (const passage of starts?.keys() ?? []) marks[segment.docOf[passage]!] = 1;
  return marks;
}
