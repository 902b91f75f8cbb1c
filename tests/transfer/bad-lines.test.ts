import { expect, it } from 'vitest';
import { badLineRows, lineRuns } from '../../src/transfer/bad-lines.js';

it('badLineRows formats consecutive lines with the same problem as a row', () => {
  expect(
    badLineRows([
      { file: 'a.jsonl', line: 2, kind: 'damaged' },
      { file: 'a.jsonl', line: 3, kind: 'damaged' },
      { file: 'a.jsonl', line: 4, kind: 'edited' },
      { file: 'a.jsonl', line: 6, kind: 'edited' },
      { file: 'b.jsonl', line: 7, kind: 'edited' },
    ]),
  ).toEqual([
    'a.jsonl, lines 2-3: damaged',
    'a.jsonl, line 4: changed after it was written: its checksum does not match',
    'a.jsonl, line 6: changed after it was written: its checksum does not match',
    'b.jsonl, line 7: changed after it was written: its checksum does not match',
  ]);
});

it('badLineRows describes each problem', () => {
  const rows = badLineRows(
    (['foreign', 'marker', 'pending', 'tooLong'] as const).map((kind) => ({
      file: 'a.jsonl',
      line: 1,
      kind,
    })),
  );
  expect(rows).toEqual([
    'a.jsonl, line 1: not an event of this log',
    'a.jsonl, line 1: a git conflict marker',
    'a.jsonl, line 1: incomplete',
    'a.jsonl, line 1: longer than any line of the log',
  ]);
});

it('lineRuns groups consecutive lines by any kind of problem', () => {
  const rows = [3, 4, 7].map((line) => ({ file: 'a', line, kind: 'mine' as const }));
  expect(lineRuns(rows)).toEqual([
    { file: 'a', kind: 'mine', lines: 'lines 3-4' },
    { file: 'a', kind: 'mine', lines: 'line 7' },
  ]);
});
