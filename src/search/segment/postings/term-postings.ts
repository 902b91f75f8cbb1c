import { resized } from '../../../platform/bytes/bytes.js';

/**
 * Postings of one term: the passages in ascending order, with the frequency code and the encoded
 * positions in each.
 */
export interface TermPostings {
  count: number;
  passages: Int32Array;
  codes: Uint8Array;
  positions: Uint8Array;
  /** End of each passage's positions. */
  positionEnds: Int32Array;
}

/** Returns the same postings with twice the capacity. */
export function grownPostings(postings: TermPostings): TermPostings {
  const capacity = postings.passages.length * 2;
  return {
    ...postings,
    passages: resized(postings.passages, capacity),
    codes: resized(postings.codes, capacity),
    positionEnds: resized(postings.positionEnds, capacity),
  };
}
