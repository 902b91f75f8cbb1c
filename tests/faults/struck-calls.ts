import { inFull, SEED } from '../tier.js';

const FRACTION = 12;
const isEach = inFull(`faults at ${FRACTION - 1} of ${FRACTION} calls; each run strikes others`);

/**
 * Returns which calls of one kind a fault strikes, counted from 1: every `stride`-th. The quick tier strikes one in twelve of these, by the
 * seed of the run, and at least one.
 */
export function struckCalls(count: number, stride: number): number[] {
  const all: number[] = [];
  for (let at = 1; at <= count; at += stride) all.push(at);
  if (isEach) return all;
  const offset = SEED % Math.min(FRACTION, Math.max(1, all.length));
  return all.filter((_, index) => index % FRACTION === offset);
}
