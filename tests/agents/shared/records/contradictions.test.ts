import { describe, expect, it } from 'vitest';
import { mayContradict, subjectOf } from '../../../../src/agents/shared/records/contradictions.js';
import { COMPATIBLE, CONTRADICTIONS, type DecisionPair } from './contradiction-pairs.js';
import {
  DEVELOPMENT_PAIRS,
  HELD_OUT_PAIRS,
  LATER_PAIRS,
  type PairSet,
} from './independent-pairs.js';

const isFlagged = ([older, newer]: DecisionPair) =>
  mayContradict(subjectOf(newer), subjectOf(older));
const textOf = ([older, newer]: DecisionPair) => `${older.title} / ${newer.title}`;

/**
 * Returns the share of flagged pairs among those that contradict and among those that do not, from
 * 0 to 1.
 */
function ratesOf({ contradicting, compatible }: PairSet) {
  const rate = (pairs: PairSet['compatible']) =>
    pairs.filter(([older, newer]) => isFlagged([{ title: older }, { title: newer }])).length /
    pairs.length;
  return { found: rate(contradicting), wrong: rate(compatible) };
}

describe('mayContradict', () => {
  it('flags at least 90 % of the decisions that cannot both hold', () => {
    const missed = CONTRADICTIONS.filter((pair) => !isFlagged(pair));
    expect(missed.length / CONTRADICTIONS.length, missed.map(textOf).join('\n')).toBeLessThan(0.1);
  });

  it('is tried on two hundred pairs', () => {
    expect(CONTRADICTIONS).toHaveLength(100);
    expect(COMPATIBLE.length).toBeGreaterThanOrEqual(100);
  });

  it('does not flag titles without a word in common', () => {
    expect(isFlagged([{ title: '数据库使用' }, { title: 'Use a database' }])).toBe(false);
    expect(isFlagged([{ title: '!' }, { title: '?' }])).toBe(false);
  });

  it('flags at most 5 % of those that can', () => {
    const wrong = COMPATIBLE.filter(isFlagged);
    expect(wrong.length / COMPATIBLE.length, wrong.map(textOf).join('\n')).toBeLessThanOrEqual(
      0.05,
    );
  });

  it('does not flag a decision because of words of another language, or none', () => {
    expect(isFlagged([{ title: '数据库使用' }, { title: 'Use a database' }])).toBe(false);
    expect(isFlagged([{ title: '!' }, { title: '?' }])).toBe(false);
  });

  it('flags 84 % of the independent pairs that guided the rules, and 2 % wrongly', () => {
    const { found, wrong } = ratesOf(DEVELOPMENT_PAIRS);
    expect(found).toBeGreaterThanOrEqual(0.84);
    expect(wrong).toBeLessThanOrEqual(0.02);
  });

  // On held-out pairs the rules find 54 % and flag 14 % wrongly, on later ones 46 % and 16 %. This
  // starts to fail when they reach the goal.
  it.fails.each([
    ['held-out', HELD_OUT_PAIRS],
    ['later', LATER_PAIRS],
  ])('flags 90 %% of %s pairs, and at most 5 %% wrongly', (_, pairs) => {
    const { found, wrong } = ratesOf(pairs);
    expect(found).toBeGreaterThanOrEqual(0.9);
    expect(wrong).toBeLessThanOrEqual(0.05);
  });
});
