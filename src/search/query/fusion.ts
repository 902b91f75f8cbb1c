import { keyOf } from '../segment/dictionary.js';
import { cachedLiveDoc, type SegmentReader } from '../segment/segment-reader.js';
import type { SemanticScores } from '../vectors/semantic-scores.js';
import type { Candidate } from './hits.js';
import type { DocScore } from './ranking.js';

const KEYWORD_WEIGHT = 0.55;
const SEMANTIC_WEIGHT = 0.45;

type DocAddress = Pick<DocScore, 'segmentNumber' | 'doc'>;

/** Returns a function that numbers the documents of all segments consecutively. */
export function numberDocs(segments: readonly SegmentReader[]): (address: DocAddress) => number {
  const firsts: number[] = [];
  let docs = 0;
  for (const { segment } of segments) {
    firsts.push(docs);
    docs += segment.docs;
  }
  return ({ segmentNumber, doc }) => firsts[segmentNumber]! + doc;
}

/**
 * Returns a function that finds the live document of a key, searching the largest segments first;
 * `doc` is -1 if there is none.
 */
function docFinder(segments: readonly SegmentReader[]): (key: string) => DocAddress {
  const bySize = [...segments.keys()].sort(
    (a, b) => segments[b]!.counts.docs - segments[a]!.counts.docs,
  );
  return (key) => {
    for (const segmentNumber of bySize) {
      const doc = cachedLiveDoc(segments[segmentNumber]!, key);
      if (doc >= 0) return { segmentNumber, doc };
    }
    return { segmentNumber: -1, doc: -1 };
  };
}

/** Converts a hit into a candidate of a search by keywords alone. */
export function keywordCandidate({ reader, doc, passage, score }: DocScore): Candidate {
  return { reader, doc, passage, score, isKeywordMatch: true, isSemanticMatch: false };
}

/** A document found by keywords, by its semantic score, or both. */
interface Fused extends DocAddress {
  readonly passage: number;
  /** Undefined if it was not found by keywords. */
  readonly keywordScore: number | undefined;
  similarity: number;
}

/**
 * Fuses keyword and semantic results into a weighted sum of scores, each relative to the best of
 * its kind.
 * @param found Keyword results by document number.
 * @param keywordShare Factor for the weight of keyword scores.
 */
export function fuse(
  found: ReadonlyMap<number, DocScore>,
  semantic: SemanticScores,
  segments: readonly SegmentReader[],
  allowedPerBranch: readonly (readonly (Uint8Array | undefined)[])[],
  keywordShare = 1,
): Candidate[] {
  const numberOf = numberDocs(segments);
  const fused = new Map<number, Fused>();
  let bestKeyword = 0;
  let bestSimilarity = 0;
  for (const [number, { reader, segmentNumber, doc, passage, score }] of found) {
    const { segment } = reader;
    const own = passage - segment.docFirst[doc]!;
    const similarity = Math.max(0, semantic.similarity(keyOf(segment, doc), own));
    bestKeyword = Math.max(bestKeyword, score);
    bestSimilarity = Math.max(bestSimilarity, similarity);
    fused.set(number, { segmentNumber, doc, passage, keywordScore: score, similarity });
  }
  const findDoc = docFinder(segments);
  for (const { key, passage: own } of semantic.nearest) {
    const { segmentNumber, doc } = findDoc(key);
    if (doc < 0 || allowedPerBranch.every((allowed) => allowed[segmentNumber]?.[doc] === 0))
      continue;
    const similarity = semantic.similarity(key, own);
    const passage = segments[segmentNumber]!.segment.docFirst[doc]! + own;
    bestSimilarity = Math.max(bestSimilarity, similarity);
    const number = numberOf({ segmentNumber, doc });
    const known = fused.get(number);
    if (known) known.similarity = Math.max(known.similarity, similarity);
    else fused.set(number, { segmentNumber, doc, passage, keywordScore: undefined, similarity });
  }
  return Array.from(fused.values(), (own): Candidate => {
    const { segmentNumber, doc, passage, keywordScore, similarity } = own;
    const score =
      keywordShare * KEYWORD_WEIGHT * ((keywordScore ?? 0) / bestKeyword || 0) +
      SEMANTIC_WEIGHT * (similarity / bestSimilarity || 0);
    return {
      reader: segments[segmentNumber]!,
      doc,
      passage,
      score,
      isKeywordMatch: keywordScore !== undefined,
      isSemanticMatch: similarity > 0,
    };
  });
}
