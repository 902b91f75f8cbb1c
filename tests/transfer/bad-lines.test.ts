import { expect, it } from 'vitest';
import { badLineRows, lineRuns } from '../../src/transfer/bad-lines.js';

it('tells bad lines in runs: those that follow each other with one trouble are a row', () => {
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
    'a.jsonl, line 4: changed since it was written: its checksum does not fit',
    'a.jsonl, line 6: changed since it was written: its checksum does not fit',
    'b.jsonl, line 7: changed since it was written: its checksum does not fit',
  ]);
});

it('tells each trouble in words', () => {
  const rows = badLineRows(
    (['foreign', 'marker', 'pending'] as const).map((kind) => ({ file: 'a.jsonl', line: 1, kind })),
  );
  expect(rows).toEqual([
    'a.jsonl, line 1: no event of this log',
    "a.jsonl, line 1: one of git's conflict markers",
    'a.jsonl, line 1: cut off in its middle',
  ]);
});

it('tells runs of any kind of trouble by their lines', () => {
  const rows = [3, 4, 7].map((line) => ({ file: 'a', line, kind: 'mine' as const }));
  expect(lineRuns(rows)).toEqual([
    { file: 'a', kind: 'mine', lines: 'lines 3-4' },
    { file: 'a', kind: 'mine', lines: 'line 7' },
  ]);
});
