import { inFull, SEED } from '../tier.js';

const FRACTION = 12;
const isEach = inFull(`faults at ${FRACTION - 1} of ${FRACTION} calls, chosen by the seed`);

/**
 * Returns the calls of one kind that a fault affects, counted from 1: every `stride`-th in the full
 * tier. The quick tier takes one in twelve of these, chosen by the seed, and at least one.
 */
export function struckCalls(count: number, stride: number): number[] {
  const all: number[] = [];
  for (let at = 1; at <= count; at += stride) all.push(at);
  if (isEach) return all;
  const offset = SEED % Math.min(FRACTION, Math.max(1, all.length));
  return all.filter((_, index) => index % FRACTION === offset);
}
