import type { SegmentReader } from '../segment/segment-reader.js';
import type { QueryBranch } from './parse-query.js';
import { rankDocs, type DocScore } from './ranking.js';
import { termGroups } from './term-groups.js';

/** Above this share of the highest score, a document is about the words, not just mentions them. */
const MIN_SHARE = 0.5;
const MAX_DEMOTED = 1000;
const DEMOTION_FACTOR = 0.1;

export function* docsAbout(
  words: string,
  segments: readonly SegmentReader[],
  languages: readonly number[],
  averageLength: number,
): Generator<undefined, DocScore[]> {
  const branch: QueryBranch = { words, phrases: [], unwanted: [], conditions: [] };
  const { groups } = termGroups(branch, segments, languages, false);
  const highest = groups.reduce((sum, { idfWeight }) => sum + idfWeight, 0);
  if (highest === 0) return [];
  const everything = segments.map(() => undefined);
  const docs = yield* rankDocs(segments, groups, everything, averageLength, MAX_DEMOTED);
  return docs.filter(({ score }) => score > MIN_SHARE * highest);
}

/** Lowers the scores of hits among the given documents, so that they come after most others. */
export function demote(
  hits: readonly Pick<DocScore, 'reader' | 'doc' | 'score'>[],
  docs: readonly DocScore[],
): void {
  const docsOf = new Map<SegmentReader, Set<number>>();
  for (const { reader, doc } of docs)
    docsOf.set(reader, (docsOf.get(reader) ?? new Set<number>()).add(doc));
  for (const hit of hits) if (docsOf.get(hit.reader)?.has(hit.doc)) hit.score *= DEMOTION_FACTOR;
}
