import { resized } from '../../../platform/bytes/bytes.js';

/** Postings of a term: ascending passages, each with its frequency code and encoded positions. */
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
