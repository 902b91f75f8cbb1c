import { expect, it } from 'vitest';
import { badLineRows } from '../../src/storage/bad-lines.js';

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
  const rows = badLineRows((['foreign', 'marker', 'pending'] as const).map((kind) => ({ file: 'a.jsonl', line: 1, kind })));
  expect(rows).toEqual([
    'a.jsonl, line 1: no event of this log',
    "a.jsonl, line 1: one of git's conflict markers",
    'a.jsonl, line 1: cut off in its middle',
  ]);
});
