import { describe, expect, it } from 'vitest';
import { findingsOf, rangesText } from '../../../src/storage/integrity/findings.js';
import type { VerifyProblem, WriterReport } from '../../../src/storage/integrity/verify.js';

const writer = (more: Partial<WriterReport>): WriterReport => ({
  writer: 'aaaaaaaaaaaa',
  lane: 'core',
  device: 'mac-1a2b',
  held: 5,
  claimed: 5,
  missing: [],
  retired: 0,
  forks: 0,
  ...more,
});

const problem = (
  kind: VerifyProblem['kind'],
  path = 'Savepoint/core/a.jsonl',
  from = 0,
): VerifyProblem => ({ kind, path, from });

describe('findings', () => {
  it('are empty for a report without problems', () => {
    expect(findingsOf({ writers: [writer({})], problems: [] })).toEqual([]);
  });

  it('have one row per file, with the location of its first problem', () => {
    const problems = [
      ...Array.from({ length: 300 }, (_, index) => problem('damaged', 'b.jsonl', 7 + index * 10)),
      problem('damaged', 'a.jsonl', 3),
      problem('edited', 'a.jsonl', 9),
    ];
    const findings = findingsOf({ writers: [], problems });
    expect(findings.map(({ kind, count, places }) => ({ kind, count, places }))).toEqual([
      { kind: 'edited', count: 1, places: [{ name: 'a.jsonl', count: 1, detail: 'at byte 9' }] },
      {
        kind: 'damaged',
        count: 301,
        places: [
          { name: 'a.jsonl', count: 1, detail: 'at byte 3' },
          { name: 'b.jsonl', count: 300, detail: 'at byte 7' },
        ],
      },
    ]);
  });

  it("list each writer's missing, forked and retired events", () => {
    const writers = [
      writer({ missing: [[2, 2], [4, 9]], forks: 2, retired: 3 }), // prettier-ignore
      writer({ writer: 'bbbbbbbbbbbb', device: '', missing: [[1, 1]] }),
    ];
    const findings = findingsOf({ writers, problems: [] });
    expect(
      findings.map(({ kind, count, places }) => [
        kind,
        count,
        ...places.map(({ name, detail }) => `${name}: ${detail}`),
      ]),
    ).toEqual([
      ['missing', 8, 'aaaaaaaaaaaa (mac-1a2b): 2, 4-9', 'bbbbbbbbbbbb: 1'],
      ['fork', 2, 'aaaaaaaaaaaa (mac-1a2b): '],
      ['retired', 3, 'aaaaaaaaaaaa (mac-1a2b): '],
    ]);
  });

  it('have no offset for a file that cannot be read', () => {
    const [waiting] = findingsOf({ writers: [], problems: [problem('waiting')] });
    expect(waiting?.places).toEqual([{ name: 'Savepoint/core/a.jsonl', count: 1, detail: '' }]);
  });

  it('give one sentence of advice per kind, worst first', () => {
    const kinds = [
      'damaged',
      'edited',
      'foreign',
      'marker',
      'pending',
      'seal',
      'content',
      'waiting',
      'newer',
      'stray',
    ] as const;
    const findings = findingsOf({
      writers: [writer({ missing: [[1, 1]], forks: 1, retired: 1 })],
      problems: kinds.map((kind) => problem(kind)),
    });
    expect(findings.map(({ kind }) => kind)).toEqual([
      'missing',
      'content',
      'seal',
      'stray',
      'edited',
      'damaged',
      'waiting',
      'newer',
      'fork',
      'marker',
      'foreign',
      'pending',
      'retired',
    ]);
    for (const { advice, means } of findings) {
      expect(advice).toMatch(/^[A-Z][^.]*\.$/);
      expect(means).toMatch(/^[a-z].*[^.]$/);
    }
  });
});

describe('rangesText', () => {
  it('lists at most 20 ranges', () => {
    expect(rangesText([[1, 1], [3, 9]])).toBe('1, 3-9'); // prettier-ignore
    expect(
      rangesText(Array.from({ length: 25 }, (_, index) => [index * 2, index * 2] as const)),
    ).toMatch(/, 38, and 5 more$/);
    expect(
      rangesText(Array.from({ length: 20 }, (_, index) => [index * 2, index * 2] as const)),
    ).toMatch(/, 36, 38$/);
  });
});
