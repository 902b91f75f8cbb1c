import { describe, expect, it } from 'vitest';
import {
  findingsOf as allFindingsOf,
  hasRanges,
  isHarmless,
  rangesText,
} from '../../../src/storage/integrity/findings.js';
import type { VerifyProblem } from '../../../src/storage/integrity/verify-report.js';
import type { WriterReport } from '../../../src/storage/integrity/writer-reports.js';

const writer = (more: Partial<WriterReport>): WriterReport => ({
  writer: 'aaaaaaaaaaaa',
  lane: 'core',
  device: 'mac-1a2b',
  held: 5,
  claimed: 5,
  missing: [],
  dismissed: [],
  replaced: [],
  retired: 0,
  forks: 0,
  ...more,
});

const problem = (
  kind: VerifyProblem['kind'],
  path = 'Savepoint/core/a.jsonl',
  from = 0,
): VerifyProblem => ({ kind, path, from });

const findingsOf = (report: Partial<Parameters<typeof allFindingsOf>[0]>) =>
  allFindingsOf({
    writers: [],
    problems: [],
    restorable: undefined,
    former: [],
    uncopied: [],
    ...report,
  });

describe('findings', () => {
  it('are empty for a report without problems', () => {
    expect(findingsOf({ writers: [writer({})] })).toEqual([]);
  });

  it('have one row per file, with the location of its first problem', () => {
    const problems = [
      ...Array.from({ length: 300 }, (_, index) => problem('damaged', 'b.jsonl', 7 + index * 10)),
      problem('damaged', 'a.jsonl', 3),
      problem('edited', 'a.jsonl', 9),
    ];
    const findings = findingsOf({ problems });
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

  it("list each writer's missing, replaced, unlinked, forked and retired events", () => {
    const writers = [
      writer({
        missing: [
          [2, 2],
          [4, 9],
        ],
        replaced: [[3, 3]],
        forks: 2,
        retired: 3,
      }),
      writer({ writer: 'bbbbbbbbbbbb', device: '', missing: [[1, 1]] }),
    ];
    const findings = findingsOf({ writers });
    expect(
      findings.map(({ kind, count, places }) => [
        kind,
        count,
        ...places.map(({ name, detail }) => `${name}: ${detail}`),
      ]),
    ).toEqual([
      ['missing', 8, 'aaaaaaaaaaaa (mac-1a2b): 2, 4-9', 'bbbbbbbbbbbb: 1'],
      ['replaced', 1, 'aaaaaaaaaaaa (mac-1a2b): 3'],
      ['fork', 2, 'aaaaaaaaaaaa (mac-1a2b): '],
      ['retired', 3, 'aaaaaaaaaaaa (mac-1a2b): '],
    ]);
  });

  it('list the events that can be restored, by writer', () => {
    const findings = findingsOf({
      writers: [writer({})],
      restorable: [
        { writer: 'bbbbbbbbbbbb', numbers: [[7, 7]] },
        {
          writer: 'aaaaaaaaaaaa',
          numbers: [
            [1, 2],
            [4, 4],
          ],
        },
      ],
    });
    expect(findings).toMatchObject([
      {
        kind: 'restorable',
        count: 4,
        places: [
          { name: 'aaaaaaaaaaaa (mac-1a2b)', count: 3, detail: '1-2, 4' },
          { name: 'bbbbbbbbbbbb', count: 1, detail: '7' },
        ],
      },
    ]);
  });

  it('have one row per removed memory, with the number of its events', () => {
    const events = [
      {
        writer: 'aaaaaaaaaaaa',
        numbers: [
          [1, 2],
          [4, 4],
        ] as const,
      },
      { writer: 'bbbbbbbbbbbb', numbers: [[7, 7]] as const },
    ];
    expect(findingsOf({ former: [{ id: 'one', events }] })).toMatchObject([
      { kind: 'removed', count: 4, places: [{ name: 'one', count: 4, detail: '' }] },
    ]);
  });

  it('have no offset for a file that cannot be read', () => {
    const [waiting] = findingsOf({ problems: [problem('waiting')] });
    expect(waiting?.places).toEqual([{ name: 'Savepoint/core/a.jsonl', count: 1, detail: '' }]);
  });

  it('give one sentence of advice per kind, worst first', () => {
    const kinds = [
      'damaged',
      'edited',
      'foreign',
      'marker',
      'pending',
      'content',
      'waiting',
      'newer',
      'stray',
      'future',
      'duplicate',
      'impossible',
      'misplaced',
      'healed',
    ] as const;
    const findings = findingsOf({
      writers: [
        writer({
          missing: [[1, 1]],
          dismissed: [[3, 4]],
          replaced: [[2, 2]],
          forks: 1,
          retired: 1,
        }),
      ],
      restorable: [{ writer: 'aaaaaaaaaaaa', numbers: [[1, 1]] }],
      former: [{ id: 'one', events: [{ writer: 'aaaaaaaaaaaa', numbers: [[1, 1]] }] }],
      problems: kinds.map((kind) => problem(kind)),
    });
    expect(findings.map(({ kind }) => kind)).toEqual([
      'restorable',
      'removed',
      'missing',
      'replaced',
      'content',
      'duplicate',
      'impossible',
      'future',
      'stray',
      'edited',
      'damaged',
      'waiting',
      'newer',
      'fork',
      'misplaced',
      'healed',
      'marker',
      'foreign',
      'pending',
      'dismissed',
      'retired',
    ]);
    expect(findings.map(({ kind }) => kind).filter(hasRanges)).toEqual([
      'restorable',
      'missing',
      'replaced',
      'dismissed',
    ]);
    for (const { advice, means } of findings) {
      expect(advice).toMatch(/^[A-Z][^.]*\.$/);
      expect(means).toMatch(/^[a-z].*[^.]$/);
    }
    expect(findings.map(({ kind }) => kind).filter(isHarmless)).toEqual([
      'newer',
      'misplaced',
      'healed',
      'marker',
      'pending',
      'dismissed',
      'retired',
    ]);
  });
});

describe('rangesText', () => {
  it('lists at most 20 ranges', () => {
    expect(
      rangesText([
        [1, 1],
        [3, 9],
      ]),
    ).toBe('1, 3-9');
    expect(
      rangesText(Array.from({ length: 25 }, (_, index) => [index * 2, index * 2] as const)),
    ).toMatch(/, 38, and 5 more$/);
    expect(
      rangesText(Array.from({ length: 20 }, (_, index) => [index * 2, index * 2] as const)),
    ).toMatch(/, 36, 38$/);
  });
});
