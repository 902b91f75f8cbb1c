import { describe, expect, it } from 'vitest';
import { firstIndex } from '../../../src/model/sorted/first-index.js';

describe('firstIndex', () => {
  it('finds every border, also of an empty range', () => {
    for (const count of [0, 1, 2, 3, 8])
      for (let border = 0; border <= count; border++)
        expect(firstIndex(count, (index) => index >= border)).toBe(border);
  });

  it('halves the range with each look', () => {
    const looked: number[] = [];
    firstIndex(1000, (index) => looked.push(index) > 0 && index >= 999);
    expect(looked.length).toBeLessThanOrEqual(10);
  });
});
