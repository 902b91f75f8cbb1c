import { describe, expect, it } from 'vitest';
import { rankPaths } from '../../../src/search/query/path-search.js';

const PATHS = [
  'Projects/',
  'Projects/Alpha plan.md',
  'Projects/Alpha/Meeting notes.md',
  'Archive/Planning.md',
  'Müller/Übersicht.md',
  '会议记录.md',
];

describe('rankPaths', () => {
  it.each([
    ['plan', ['Projects/Alpha plan.md', 'Archive/Planning.md']],
    ['alpha plan', ['Projects/Alpha plan.md']],
    ['ALPHA', ['Projects/Alpha plan.md', 'Projects/Alpha/Meeting notes.md']],
    ['meeting alpha', ['Projects/Alpha/Meeting notes.md']],
    ['meetnig', ['Projects/Alpha/Meeting notes.md']],
    ['mxetnxg', []],
    ['meating', ['Projects/Alpha/Meeting notes.md']],
    ['mtgnts', ['Projects/Alpha/Meeting notes.md']],
    ['ubersicht', ['Müller/Übersicht.md']],
    ['muller', ['Müller/Übersicht.md']],
    ['会议', ['会议记录.md']],
    ['projects', ['Projects/', 'Projects/Alpha plan.md', 'Projects/Alpha/Meeting notes.md']],
    ['md', []],
    ['', []],
    ['(((', []],
  ])('finds %j', (query, expected) => {
    expect(rankPaths(query, PATHS, 10)).toEqual(expected);
  });

  it('ranks whole names first, then prefixes, then shorter paths', () => {
    const paths = ['a/deep/cat.md', 'cat.md', 'category.md', 'concatenate.md', 'cat photos.md'];
    expect(rankPaths('cat', paths, 10)).toEqual([
      'cat.md',
      'a/deep/cat.md',
      'cat photos.md',
      'category.md',
      'concatenate.md',
    ]);
    expect(rankPaths('cat', paths, 2)).toEqual(['cat.md', 'a/deep/cat.md']);
  });

  it('accepts a query of 10,000 characters', () => {
    expect(rankPaths('cat '.repeat(2500), ['cat.md'], 5)).toEqual(['cat.md']);
    expect(rankPaths('x'.repeat(10_000), PATHS, 5)).toEqual([]);
  });
});
