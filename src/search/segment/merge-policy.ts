import type { SegmentReader } from './segment-reader.js';

/** Segments of about the same size that are merged, and ratio of sizes between tiers. */
const MERGE_FACTOR = 3;
/** Maximum number of segments merged at once, because each term is looked up in all of them. */
const MAX_MERGED_SEGMENTS = 32;
/** Segments with fewer passages than this are all in the first tier. */
const MIN_TIER_PASSAGES = 64;
const MAX_DELETED_SHARE = 0.3;

/** Returns several segments of one tier, or else one with too many deleted documents, or none. */
export function chooseMerge(segments: readonly SegmentReader[]): readonly SegmentReader[] {
  const tiers = new Map<number, SegmentReader[]>();
  for (const reader of segments) {
    const ratio = Math.max(MIN_TIER_PASSAGES, reader.counts.passages) / MIN_TIER_PASSAGES;
    const tier = Math.floor(Math.log(ratio) / Math.log(MERGE_FACTOR));
    tiers.set(tier, [...(tiers.get(tier) ?? []), reader]);
  }
  for (const [, same] of [...tiers].sort(([a], [b]) => a - b))
    if (same.length >= MERGE_FACTOR) return same.slice(0, MAX_MERGED_SEGMENTS);
  return segments
    .filter(({ counts, segment }) => counts.docs < segment.docs * (1 - MAX_DELETED_SHARE))
    .slice(0, 1);
}
