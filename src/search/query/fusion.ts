import { keyOf } from '../segment/dictionary.js';
import { cachedLiveDoc, type SegmentReader } from '../segment/segment-reader.js';
import type { SemanticScores } from '../vectors/semantic-scores.js';
import type { Candidate } from './hits.js';
import type { DocScore } from './ranking.js';

const KEYWORD_WEIGHT = 0.55;
const SEMANTIC_WEIGHT = 0.45;
/** For the keyword score of a document without vectors, in place of the meaning that it lacks. */
const KEYWORD_ONLY_FACTOR = 0.9;
/** A query that its best hit matches this well is likely copied from it: meaning counts less. */
const COPIED_FROM = 0.5;
const COPIED_TO = 0.75;
const MIN_SEMANTIC_SHARE = 0.1;
/** A best similarity below this is weak, and is not stretched to one. */
const MIN_BEST_SIMILARITY = 0.5;

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

/** Searches the largest segments first for the live document of a key; `doc` is -1 if none. */
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

/** Certainty of a passage that has the words of a query, but none of them in a row. */
const APART = 0.6;
/** The same of a passage that only means something similar. */
const SIMILAR = 0.5;

/** @param total Weight of the query's words, with those that occur nowhere. */
function confidenceOf({ found, score }: DocScore, total: number): number {
  if (total === 0) return 1;
  if (!found?.weight) return Math.min(1, score / total); // stop words, or words of other texts
  return (found.weight / total) * (APART + (1 - APART) * (found.run / total));
}

export function keywordCandidate(hit: DocScore, total: number): Candidate {
  const { reader, doc, passage, score, found } = hit;
  return {
    reader,
    doc,
    passage,
    score,
    confidence: confidenceOf(hit, total),
    isWhole: found !== undefined && found.run >= total,
    isKeywordMatch: true,
    isSemanticMatch: false,
  };
}

/** A candidate that is fused: its score is that of its keywords, 0 if none were found. */
interface Fused extends Candidate {
  similarity: number;
  readonly hasVectors: boolean;
}

/** How far the keyword results of a query are to be trusted. */
interface Trust {
  /** Share of the weight of the query's words that some document can match. */
  readonly keywordShare: number;
  /** Share of the highest possible keyword score that the best document has. */
  readonly certainty: number;
  /** Weight of the query's words, with those that occur nowhere. */
  readonly total: number;
}

/** Sums weighted scores, each relative to the best of its kind. `found` has each document once. */
export function fuse(
  found: readonly DocScore[],
  semantic: SemanticScores,
  segments: readonly SegmentReader[],
  allowedPerBranch: readonly (readonly (Uint8Array | undefined)[])[],
  { keywordShare, certainty, total }: Trust,
): Candidate[] {
  const numberOf = numberDocs(segments);
  const fused = new Map<number, Fused>();
  let bestKeyword = 0;
  let bestSimilarity = MIN_BEST_SIMILARITY;
  for (const hit of found) {
    const { reader, doc, passage, score } = hit;
    const { segment } = reader;
    const scored = semantic.similarity(keyOf(segment, doc), passage - segment.docFirst[doc]!);
    const similarity = Math.max(0, scored ?? 0);
    bestKeyword = Math.max(bestKeyword, score);
    bestSimilarity = Math.max(bestSimilarity, similarity);
    const hasVectors = scored !== undefined;
    fused.set(numberOf(hit), { ...keywordCandidate(hit, total), similarity, hasVectors });
  }
  const findDoc = docFinder(segments);
  for (const { key, passage: own } of semantic.nearest) {
    const { segmentNumber, doc } = findDoc(key);
    if (doc < 0 || allowedPerBranch.every((allowed) => allowed[segmentNumber]?.[doc] === 0))
      continue;
    const similarity = semantic.similarity(key, own) ?? 0;
    const reader = segments[segmentNumber]!;
    bestSimilarity = Math.max(bestSimilarity, similarity);
    const number = numberOf({ segmentNumber, doc });
    const known = fused.get(number);
    if (known) known.similarity = Math.max(known.similarity, similarity);
    else
      fused.set(number, {
        reader,
        doc,
        passage: reader.segment.docFirst[doc]! + own,
        score: 0,
        confidence: 0,
        isWhole: false,
        isKeywordMatch: false,
        isSemanticMatch: true,
        similarity,
        hasVectors: true,
      });
  }
  const doubt = (COPIED_TO - certainty) / (COPIED_TO - COPIED_FROM);
  const semanticWeight = SEMANTIC_WEIGHT * Math.min(1, Math.max(MIN_SEMANTIC_SHARE, doubt));
  const keywordOnlyWeight = KEYWORD_ONLY_FACTOR * (KEYWORD_WEIGHT + semanticWeight);
  return Array.from(fused.values(), ({ similarity, hasVectors, ...own }): Candidate => {
    const keywords = (keywordShare * own.score) / bestKeyword || 0;
    const score = hasVectors
      ? KEYWORD_WEIGHT * keywords + (semanticWeight * similarity) / bestSimilarity
      : keywordOnlyWeight * keywords;
    const confidence = Math.max(own.confidence, SIMILAR * similarity);
    return { ...own, score, confidence, isSemanticMatch: similarity > 0 };
  });
}
