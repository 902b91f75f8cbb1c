import { labelled, type OpenSegment } from '../segment/open-segment.js';

interface Ranked {
  readonly source: OpenSegment;
  readonly note: number;
  score: number;
}

/** How much what stands with a hit counts beside the hit itself. */
const SHARE = 0.5;
/** Squares are added as whole numbers of this fineness: their sum is the same in any order, and hits come in that of the segments. */
const FINENESS = 2 ** 36;

/**
 * Makes scores shares of the best, and adds to each what its group was found for: notes of a group carry the same label of those that
 * begin so. A group counts by the root of the sum of the squares of its hits' scores, as a share of the best group's: several good
 * hits count for more than one, many poor ones for little.
 */
export function addSupport(hits: readonly Ranked[], labelStart: string): void {
  const numbers = new Map<string, number>();
  const groups = hits.map(({ source, note }) => {
    const { labels, ofNote } = labelled(source, labelStart);
    const label = labels[ofNote[note]!];
    if (label === undefined) return -1;
    const known = numbers.get(label);
    if (known === undefined) numbers.set(label, numbers.size);
    return known ?? numbers.size - 1;
  });
  const best = hits.reduce((most, { score }) => Math.max(most, score), Number.MIN_VALUE);
  const squares = new Float64Array(numbers.size);
  hits.forEach((hit, at) => {
    hit.score /= best;
    const group = groups[at]!;
    if (group >= 0) squares[group]! += Math.round(hit.score ** 2 * FINENESS);
  });
  const most = squares.reduce((largest, sum) => Math.max(largest, sum), 1);
  hits.forEach((hit, at) => {
    const group = groups[at]!;
    if (group >= 0) hit.score += SHARE * Math.sqrt(squares[group]! / most);
  });
}
