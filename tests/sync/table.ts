import { afterAll } from 'vitest';
import { countMissing, type Findings } from './check.js';
import type { Ledger } from './ledger.js';

const HEAD = [
  'tool',
  'after',
  'states',
  'lost',
  'same digest',
  'verify says',
  'bad lines',
  'carried',
  'seconds',
];

const rows: string[][] = [];

afterAll(() => {
  if (rows.length === 0) return;
  const widths = HEAD.map((head, column) =>
    Math.max(head.length, ...rows.map((row) => row[column]!.length)),
  );
  const lines = [HEAD, ...rows].map((row) =>
    row.map((cell, column) => cell.padEnd(widths[column]!)).join('  '),
  );
  process.stdout.write(`\n${lines.join('\n')}\n\n`);
});

/** Adds a row to the table that is printed at the end, even if later expectations fail. */
export function addRow(
  tool: string,
  after: string,
  ledger: Ledger,
  { lost, hidden, isDigestEqual, reports, carried }: Findings,
  seconds: number,
): void {
  const [{ isWhole, writers, problems }] = reports;
  const kinds = [...new Set(problems.map(({ kind }) => kind))];
  const counted = kinds.map(
    (kind) => `${problems.filter((problem) => problem.kind === kind).length} ${kind}`,
  );
  const lostText = hidden.length > 0 ? `${lost.length} (${hidden.length} held)` : `${lost.length}`;
  rows.push([
    tool,
    after,
    `${ledger.states.size}`,
    lostText,
    isDigestEqual ? 'yes' : 'NO',
    isWhole ? 'whole' : `${countMissing(writers)} missing`,
    counted.join(', ') || 'none',
    `${carried}`,
    seconds.toFixed(1),
  ]);
}
