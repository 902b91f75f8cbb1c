import { expect, it } from 'vitest';
import {
  countNumbers,
  gapsBetween,
  isInRanges,
  rangesOf,
} from '../../../src/storage/format/number-ranges.js';

const RANGES = [
  [3, 5],
  [8, 8],
] as const;

it('ranges include their first and last numbers, and no others', () => {
  expect([1, 2, 3, 4, 5, 6, 7, 8, 9].filter((n) => isInRanges(RANGES, n))).toEqual([3, 4, 5, 8]);
  expect(isInRanges([], 1)).toBe(false);
});

it('rangesOf() joins numbers in any order, and repeated ones', () => {
  expect(rangesOf([8, 5, 3, 4, 5])).toEqual(RANGES);
  expect(rangesOf([])).toEqual([]);
});

it('countNumbers() counts the numbers of all ranges', () => {
  expect([countNumbers(RANGES), countNumbers([])]).toEqual([4, 0]);
});

it('gapsBetween() returns all gaps up to the end, for ranges in any order', () => {
  expect(gapsBetween(RANGES, 10)).toEqual([
    [1, 2],
    [6, 7],
    [9, 10],
  ]);
  expect(
    gapsBetween(
      [
        [8, 8],
        [4, 5],
        [1, 9],
        [3, 4],
      ],
      9,
    ),
  ).toEqual([]);
  expect(
    gapsBetween(
      [
        [4, 20],
        [6, 7],
      ],
      9,
    ),
  ).toEqual([[1, 3]]);
  expect(gapsBetween([[12, 20]], 9)).toEqual([[1, 9]]);
  expect(gapsBetween([], 0)).toEqual([]);
});
