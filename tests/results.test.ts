import { describe, expect, it } from 'vitest';
import { drawCurves } from './benchmarks/curves.mjs';
import { fittedExponent } from './benchmarks/lib.js';
import { boundText, commitOf, screenText, valueText, withResults } from './benchmarks/results.mjs';

const facts = 'Node v20, some machine; commit 1234abcdef, 2026-11-26';
const write = {
  name: 'write',
  question: 'What does a write cost?',
  facts,
  figures: [
    { what: 'a write, median', value: 1.5, unit: ' ms' },
    { what: 'a write, times faster than another', value: 38.2, least: 20, isHighlighted: true },
  ],
};
const size = {
  name: 'size',
  question: 'How large is it?',
  facts,
  figures: [{ what: 'size', value: 6, limit: 4.5, unit: ' MB', isHighlighted: true }],
};
const questions = [write.question, size.question];

describe('a figure', () => {
  it.each([
    [{ what: 'a', value: 1390, unit: ' tokens' }, '1,390 tokens', ''],
    [{ what: 'a', value: NaN, isMissing: true }, '–', ''],
    [{ what: 'a', value: 0.0934, limit: 0.1 }, '0.093', 'at most 0.1'],
    [{ what: 'a', value: 0.1034, limit: 0.1 }, '0.103', 'at most 0.1, MISSED'],
    [{ what: 'a', value: 12.345, least: 20, unit: ' ms' }, '12.35 ms', 'at least 20 ms, MISSED'],
  ])('%j has the text "%s" and the bound "%s"', (figure, value, bound) => {
    expect(valueText(figure)).toBe(value);
    expect(boundText(figure)).toBe(bound);
  });
});

const summaryOf = (page: string) => /^## Summary\n\n(.*?)\n## /ms.exec(page)?.[1] ?? '';

describe('the results page', () => {
  const page = withResults('', [write, size], questions);

  it('contains everything that the terminal shows, and the environment', () => {
    for (const { name, question, figures } of [write, size]) {
      expect(page).toContain(`## ${question}\n\n${facts}, \`npm run bench -- ${name}\`\n`);
      for (const figure of figures) {
        expect(screenText(figures)).toContain(figure.what);
        for (const cell of [figure.what, valueText(figure), boundText(figure)])
          expect(page).toContain(cell);
      }
    }
  });

  it('summarizes highlighted figures and missed bounds', () => {
    const summary = summaryOf(page);
    expect(summary).toMatch(/^Of 2 bounds of current rows, 1 are met and 1 are missed\.\n/);
    expect(summary).toContain('| a write, times faster than another | 38.20 | at least 20 |');
    expect(summary).toContain('| size | 6 MB | at most 4.5 MB, MISSED |');
    expect(summary).not.toContain('a write, median');
  });

  it('has one sentence for each question that misses a bound', () => {
    expect(page).toMatch(/^## Missed bounds\n\n- _How large is it\?_ The reason .+\.\n\n## /m);
    expect(withResults('', [write], questions)).not.toContain('Missed bounds');
  });

  it('summarizes only rows that are not out of date, and names the others', () => {
    const outdated = new Map([[size.question, 'size']]);
    const later = withResults(page, [], questions, outdated);
    expect(summaryOf(later)).toMatch(
      /^Of 1 bounds of current rows, 1 are met and 0 are missed\. 1 row is out of date: `size`\.\n/,
    );
    expect(summaryOf(later)).not.toContain('at most 4.5 MB');
    expect(later).not.toContain('## Missed bounds');
    expect(later).toContain('| **size** | **6 MB** | **at most 4.5 MB, MISSED** |');
    expect(withResults(later, [], questions)).toBe(page);
  });

  it('says at which commit a question was measured', () => {
    const changed = { ...size, facts: facts.replace('abcdef', 'abcdef and changes') };
    const later = withResults(page, [changed], questions);
    expect(commitOf(later, write.question)).toEqual({ commit: '1234abcdef', hadChanges: false });
    expect(commitOf(later, size.question)).toEqual({ commit: '1234abcdef', hadChanges: true });
    expect(commitOf(later, 'Is it there?')).toBeUndefined();
  });

  it('replaces only the results of the same question', () => {
    const smaller = {
      ...size,
      facts: 'another machine',
      figures: [{ what: 'size', value: 4, limit: 4.5, unit: ' MB', isHighlighted: true }],
    };
    const later = withResults(page, [smaller], questions);
    expect(later).toContain('38.20');
    expect(later).toContain('| **size** | **4 MB** | **at most 4.5 MB** |');
    expect(later).not.toContain('6 MB');
    expect(summaryOf(later)).toMatch(/^Of 2 bounds of current rows, 2 are met and 0 are missed\./);
  });

  it('drops a question that no longer exists', () => {
    const later = withResults(page, [], [size.question]);
    expect(later).not.toContain(write.question);
    expect(later).not.toContain('38.20');
    expect(later).toContain(size.question);
  });
});

describe('the fitted exponent', () => {
  it.each([
    ['linear growth', [3, 30, 300], 1],
    ['constant cost', [2, 2, 2], 0],
    ['growth with the square root', [1, Math.sqrt(10), 10], 0.5],
  ])('is correct for %s', (_, costs, exponent) => {
    expect(fittedExponent(costs.map((cost, at) => ({ size: 10 ** (at + 2), cost })))).toBeCloseTo(
      exponent,
      10,
    );
  });
});

describe('the growth chart', () => {
  const points = [
    { name: 'save', size: 1000, cost: 1.25 },
    { name: 'save', size: 100_000, cost: 1.5 },
    { name: 'find & show', size: 1000, cost: 2 },
    { name: 'find & show', size: 100_000, cost: 200 },
  ];
  const svg = drawCurves(points, 'How do costs grow?');

  it('has a point for each cost, with its value', () => {
    for (const title of [
      'save among 1,000: 1.25 ms',
      'save among 100,000: 1.50 ms',
      'find &amp; show among 100,000: 200 ms',
    ])
      expect(svg).toContain(`<title>${title}</title>`);
    expect(svg.match(/<circle/g)).toHaveLength(points.length);
    expect(svg.match(/<polyline/g)).toHaveLength(2);
  });

  it('has a logarithmic axis, on which equal ratios are equal distances', () => {
    const heights = [...svg.matchAll(/cy="([\d.]+)"/g)].map(([, y]) => Number(y));
    const even = drawCurves(
      [
        { name: 'a', size: 10, cost: 1 },
        { name: 'a', size: 100, cost: 10 },
        { name: 'a', size: 1000, cost: 100 },
      ],
      'Even',
    );
    const [low = NaN, middle = NaN, high = NaN] = [...even.matchAll(/cy="([\d.]+)"/g)].map(
      ([, y]) => Number(y),
    );
    expect(heights[3]).toBeLessThan(heights[2] ?? NaN);
    expect(low - middle).toBeCloseTo(middle - high, 5);
  });

  it('supports light and dark pages, and loads nothing', () => {
    expect(svg).toContain('prefers-color-scheme:dark');
    expect(svg.replace('xmlns="http://www.w3.org/2000/svg"', '')).not.toMatch(
      /https?:|url\(|<script|href/,
    );
  });
});
