import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { revealRow, visibleRows } from '../../../src/obsidian/memory/visible-rows.js';

const window = { height: 400, rowHeight: 40 };

describe('the visible rows', () => {
  it('are the rows that fit plus a few more, for any number of rows', () => {
    expect(visibleRows({ ...window, above: 4000, count: 10_000 })).toEqual({ first: 94, end: 116 });
    expect(visibleRows({ ...window, above: 0, count: 3 })).toEqual({ first: 0, end: 3 });
    expect(visibleRows({ ...window, above: 0, count: 0 })).toEqual({ first: 0, end: 0 });
  });

  it('are none for a list that starts far below the viewport', () => {
    expect(visibleRows({ ...window, above: -1000, count: 10 })).toEqual({ first: 0, end: 0 });
  });

  it('fully include a revealed row from any scroll position', () => {
    fc.assert(
      fc.property(fc.nat({ max: 9999 }), fc.nat({ max: 400_000 }), (row, above) => {
        const after = above + revealRow(row, { ...window, above });
        expect(after).toBeLessThanOrEqual(row * 40);
        expect(after + 400).toBeGreaterThanOrEqual(row * 40 + 40);
        const { first, end } = visibleRows({ ...window, above: after, count: 10_000 });
        expect(row >= first && row < end).toBe(true);
      }),
    );
  });

  it('do not move when a visible row is revealed', () => {
    expect(revealRow(5, { ...window, above: 100 })).toBe(0);
  });
});
