import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  clampRange,
  extendDown,
  extendUp,
  initialRange,
} from '../../../../../src/obsidian/chat/ui/messages/message-range.js';

const branch = (length: number) => Array.from({ length }, (_, at) => ({ id: `m${at}` }));

describe('the first range', () => {
  it('is the end of the branch', () => {
    expect(initialRange(branch(100), undefined)).toEqual({ from: 88, to: undefined });
    expect(initialRange(branch(10), undefined)).toEqual({ from: 0, to: undefined });
  });

  it('surrounds the wanted message', () => {
    expect(initialRange(branch(100), 'm50')).toEqual({ from: 44, to: 56 });
    expect(initialRange(branch(100), 'm3')).toEqual({ from: 0, to: 9 });
  });

  it('includes the end of the branch near the wanted message', () => {
    expect(initialRange(branch(100), 'm95')).toEqual({ from: 89, to: undefined });
  });

  it('is the end of the branch if the wanted message is unknown', () => {
    expect(initialRange(branch(100), 'other')).toEqual({ from: 88, to: undefined });
  });
});

describe('an extended range', () => {
  it('grows upwards by a batch', () => {
    expect(extendUp({ from: 70, to: undefined }, 70)).toEqual({ from: 30, to: undefined });
    expect(extendUp({ from: 10, to: 40 }, 10)).toEqual({ from: 0, to: 40 });
  });

  it('grows downwards by a batch, and then follows the end', () => {
    expect(extendDown(35, 65, 200)).toEqual({ from: 35, to: 105 });
    expect(extendDown(35, 105, 140)).toEqual({ from: 35, to: undefined });
  });
});

it('clampRange stays within a branch of any length', () => {
  const anyRange = fc.record({ from: fc.nat(200), to: fc.option(fc.nat(200), { nil: undefined }) });
  fc.assert(
    fc.property(anyRange, fc.nat(200), (range, length) => {
      const { from, to } = clampRange(range, length);
      expect(from).toBeGreaterThanOrEqual(0);
      expect(from).toBeLessThanOrEqual(to);
      expect(to).toBeLessThanOrEqual(length);
      if (range.to === undefined && length > 0) expect(from).toBeLessThan(to);
    }),
  );
});
