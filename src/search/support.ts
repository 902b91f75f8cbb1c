import { labelled, type OpenSegment } from './open-segment.js';

interface Ranked {
  readonly source: OpenSegment;
  readonly note: number;
  readonly score: number;
}

/** How much what stands with a hit counts beside the hit itself. */
const SHARE = 0.5;

/**
 * The hits with their scores as shares of the best, and to each added what its group was found for: notes of a group carry the same
 * label of those that begin so. A group counts by the root of the sum of the squares of its hits' scores, as a share of the best
 * group's: several good hits count for more than one, many poor ones for little.
 */
export function withSupport<T extends Ranked>(hits: readonly T[], labelStart: string): T[] {
  const groups = hits.map(({ source, note }) => {
    const { labels, ofNote } = labelled(source, labelStart);
    return labels[ofNote[note]!];
  });
  const best = hits.reduce((most, { score }) => Math.max(most, score), Number.MIN_VALUE);
  const squares = new Map<string, number>();
  // From the best on: in another order sums would be rounded otherwise, and hits come in that of the segments.
  for (const at of [...hits.keys()].sort((one, other) => hits[other]!.score - hits[one]!.score)) {
    const group = groups[at];
    if (group !== undefined) squares.set(group, (squares.get(group) ?? 0) + (hits[at]!.score / best) ** 2);
  }
  const most = Math.max(...squares.values());
  return hits.map((hit, at) => {
    const own = squares.get(groups[at] ?? '') ?? 0;
    return { ...hit, score: hit.score / best + (own > 0 ? SHARE * Math.sqrt(own / most) : 0) };
  });
}
