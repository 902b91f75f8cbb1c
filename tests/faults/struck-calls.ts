import { perTier, SEED } from '../tier.js';

/** A fault affects one call in FRACTION. */
const FRACTION = perTier(12, 4, 1);
if (FRACTION > 1) console.log(`Faults at one in ${FRACTION} calls, chosen by the seed`);

/**
 * Returns the calls of one kind that a fault affects, counted from 1: every `stride`-th in the
 * nightly tier. The other tiers take some of these, chosen by the seed, and at least one.
 */
export function struckCalls(count: number, stride: number): number[] {
  const all: number[] = [];
  for (let at = 1; at <= count; at += stride) all.push(at);
  const offset = SEED % Math.min(FRACTION, Math.max(1, all.length));
  return all.filter((_, index) => index % FRACTION === offset);
}
