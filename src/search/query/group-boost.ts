import type { Candidate } from './hits.js';
import { labelsWithPrefix, type DocLabels, type SegmentReader } from '../segment/segment-reader.js';

type ScoredDoc = Pick<Candidate, 'reader' | 'doc' | 'score'>;

/** Weight of a hit's group, relative to the hit itself. */
const GROUP_WEIGHT = 0.15;
/** Squares are summed as integers of this scale, so that the order of hits does not matter. */
const FIXED_POINT_SCALE = 2 ** 36;

/**
 * Scales the best score to 1, and adds to each a share of the score of its group: of the documents
 * that have the same label with a prefix. That is the root of the sum of its squared scores,
 * relative to the best group, so a few good hits count for more than many poor ones.
 */
export function addGroupBoost(hits: readonly ScoredDoc[], labelPrefix: string): void {
  const numbers = new Map<string, number>();
  let last: SegmentReader | undefined;
  let own: DocLabels = { labels: [], ofDoc: new Int32Array(0) };
  const groups = hits.map(({ reader, doc }) => {
    if (reader !== last) own = labelsWithPrefix(reader, labelPrefix);
    last = reader;
    const label = own.labels[own.ofDoc[doc]!];
    if (label === undefined) return -1;
    const known = numbers.get(label);
    if (known === undefined) numbers.set(label, numbers.size);
    return known ?? numbers.size - 1;
  });
  const best = hits.reduce((max, { score }) => Math.max(max, score), Number.MIN_VALUE);
  const squares = new Float64Array(numbers.size);
  hits.forEach((hit, at) => {
    hit.score /= best;
    const group = groups[at]!;
    if (group >= 0) squares[group]! += Math.round(hit.score ** 2 * FIXED_POINT_SCALE);
  });
  const bestGroup = squares.reduce((max, sum) => Math.max(max, sum), 1);
  hits.forEach((hit, at) => {
    const group = groups[at]!;
    if (group >= 0) hit.score += GROUP_WEIGHT * Math.sqrt(squares[group]! / bestGroup);
  });
}
