import { compareBytes } from '../../platform/bytes/bytes.js';
import { createTopKThreshold } from '../vectors/top-k.js';
import { keyBytesOf, keyOf } from '../segment/dictionary.js';
import { storedOf } from '../segment/segment.js';
import type { SegmentReader } from '../segment/segment-reader.js';
import { isNearlySame } from '../text/fingerprint.js';

export interface SearchHit {
  readonly key: string;
  /** Number of the best passage in the document, from 0. */
  readonly passage: number;
  /** From 0 to 1: how far the best hit answers the query, and how others compare with it. */
  readonly score: number;
  /** Milliseconds since 1970, as given with the document. */
  readonly time: number;
  readonly isKeywordMatch: boolean;
  readonly isSemanticMatch: boolean;
  /** True if the query is a name of the document. */
  readonly isNamed: boolean;
  /** True if its passage has all words of the query in a row as typed. */
  readonly isWhole: boolean;
  /** Number of the detected language. */
  readonly language: number;
  /** Stored with the document; empty if there are none. */
  readonly stored: Uint8Array;
  /** Keys of hits with nearly the same passage, the best first; empty without `isDeduplicated`. */
  readonly duplicateKeys: readonly string[];
}

/** A document found by keywords, by its semantic score, or both. */
export interface Candidate {
  readonly reader: SegmentReader;
  readonly doc: number;
  readonly passage: number;
  score: number;
  readonly isKeywordMatch: boolean;
  readonly isSemanticMatch: boolean;
  /** How far it answers the query, from 0 to 1. */
  confidence: number;
  readonly isWhole: boolean;
}

interface HitOptions {
  readonly isNamed: (candidate: Candidate) => boolean;
  readonly limit: number;
  readonly newestFirst: boolean;
  readonly isDeduplicated: boolean;
}

/** Returns the best hits, sorted by score, then (if `newestFirst`) by time, then by key. */
export function bestHits(
  candidates: Candidate[],
  { limit, newestFirst, isDeduplicated, isNamed }: HitOptions,
): SearchHit[] {
  const timeOf = ({ reader, doc }: Candidate) => reader.segment.docTime[doc]!;
  const compare = (a: Candidate, b: Candidate) =>
    b.score - a.score || (newestFirst ? timeOf(b) - timeOf(a) : 0) || compareKeys(a, b);
  const sorted = isDeduplicated
    ? candidates.sort(compare)
    : firstOf(bestByScore(candidates, limit), limit, compare);
  const [first] = sorted;
  const scale = first ? first.confidence / first.score : 1;
  const distinct = isDeduplicated
    ? deduplicate(sorted, limit)
    : sorted.map((candidate) => ({ candidate, duplicates: [] }));
  return distinct.map(({ candidate, duplicates }) => {
    const { reader, doc, passage, score, isKeywordMatch, isSemanticMatch, isWhole } = candidate;
    return {
      key: keyOf(reader.segment, doc),
      passage: passage - reader.segment.docFirst[doc]!,
      score: score * scale,
      time: timeOf(candidate),
      isKeywordMatch,
      isSemanticMatch,
      isNamed: isNamed(candidate),
      isWhole,
      language: reader.segment.docLanguage[doc]!,
      stored: storedOf(reader.segment, doc),
      duplicateKeys: duplicates.map((other) => keyOf(other.reader.segment, other.doc)),
    };
  });
}

/** Returns the `count` best hits, and all that tie with the last of them, in their order. */
export function bestByScore<T extends { readonly score: number }>(hits: T[], count: number): T[] {
  if (hits.length <= count) return hits;
  const { min, add } = createTopKThreshold(count);
  for (const { score } of hits) add(score);
  const needed = min();
  return hits.filter(({ score }) => score >= needed);
}

/** Sorts only items that may be first, beginning with the last, which are mostly the newest. */
function firstOf<T>(items: readonly T[], limit: number, compare: (a: T, b: T) => number): T[] {
  const first: T[] = [];
  let worst: T | undefined;
  for (let at = items.length - 1; at >= 0; at--) {
    const item = items[at]!;
    if (worst !== undefined && compare(item, worst) > 0) continue;
    first.push(item);
    if (first.length < 2 * limit) continue;
    first.sort(compare).length = limit;
    worst = first.at(-1);
  }
  return first.sort(compare).slice(0, limit);
}

interface DistinctCandidate {
  readonly candidate: Candidate;
  readonly duplicates: Candidate[];
}

/** Returns the first `limit` candidates whose passages differ, each with all of its duplicates. */
function deduplicate(sorted: readonly Candidate[], limit: number): DistinctCandidate[] {
  const distinct: DistinctCandidate[] = [];
  for (const candidate of sorted) {
    const same = distinct.find((other) => isSamePassage(other.candidate, candidate));
    if (same) same.duplicates.push(candidate);
    else if (distinct.length < limit) distinct.push({ candidate, duplicates: [] });
  }
  return distinct;
}

function isSamePassage(one: Candidate, other: Candidate): boolean {
  const fingerprints = one.reader.segment.fingerprints;
  const otherFingerprints = other.reader.segment.fingerprints;
  const at = one.passage * 2;
  const otherAt = other.passage * 2;
  return isNearlySame(
    fingerprints[at]!,
    fingerprints[at + 1]!,
    otherFingerprints[otherAt]!,
    otherFingerprints[otherAt + 1]!,
  );
}

/** Compares two candidates by the bytes of their keys. */
function compareKeys(a: Candidate, b: Candidate): number {
  const { keyRank } = a.reader.segment;
  if (a.reader === b.reader) return keyRank[a.doc]! - keyRank[b.doc]!;
  const one = keyBytesOf(a.reader.segment, a.doc).slice();
  const other = keyBytesOf(b.reader.segment, b.doc);
  return compareBytes(one, one.length, other, other.length);
}
