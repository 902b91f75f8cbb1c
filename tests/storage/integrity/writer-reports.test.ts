// Tier full: logs with more lines than a call can have arguments
import { describe, expect, it } from 'vitest';
import { CHAIN_START } from '../../../src/storage/format/line-hash.js';
import type { NumberRange } from '../../../src/storage/format/number-ranges.js';
import type { LogLine } from '../../../src/storage/log-lines.js';
import { reportWriters, type WriterReport } from '../../../src/storage/integrity/writer-reports.js';
import { lineOf, WRITER_A, WRITER_B } from '../../fakes/events.js';

/** More lines than a call can have arguments; what looks at each pair of them does not end. */
const MANY = 600_000;

const SET = lineOf({ t: 'set' });

/** A line of `WRITER_A`, which is not encoded, since that takes a minute for all of them. */
function lineFor(n: number, hash: string, p: string = CHAIN_START): LogLine {
  const event = { ...SET.event, n, p };
  return { event, bytes: SET.bytes, hash, lane: 'core', path: 'a.jsonl', from: 0 };
}

function lineSeen(n: number, seen: readonly [number, string]): LogLine {
  const d = { seen: { core: { [WRITER_A]: [...seen] } } };
  const { event, bytes, hash } = lineOf({ t: 'log.mark', w: WRITER_B, n, d });
  return { event, bytes, hash, lane: 'core', path: 'b.jsonl', from: 0 };
}

function many<T>(make: (n: number) => T): T[] {
  return Array.from({ length: MANY }, (_, at) => make(at + 1));
}

function reportOn(
  lines: readonly LogLine[],
  retired: ReadonlyMap<string, readonly NumberRange[]> = new Map(),
): WriterReport | undefined {
  const none = new Map<string, never>();
  const context = { devices: none, retired, dismissed: none, lacking: none };
  return reportWriters(lines, context).writers.find(({ writer }) => writer === WRITER_A);
}

function hex(n: number): string {
  return n.toString(16).padStart(32, '0');
}

describe('a report on a writer', { timeout: 60_000 }, () => {
  it('covers any number of forged lines of which none follows another', () => {
    const lines = many((n) => lineFor(n, hex(n)));
    const report = reportOn([...lines, lineSeen(1, [MANY, hex(0)])]);
    expect(report).toMatchObject({ held: MANY, missing: [], replaced: [[1, MANY]] });
  });

  it('covers any number of forged lines that share two numbers', () => {
    const lines = many((n) => lineFor(1 + (n % 2), hex(n), hex(n - 1)));
    const report = reportOn([...lines, lineSeen(1, [2, hex(0)])]);
    expect(report).toMatchObject({ held: MANY, forks: MANY - 2, replaced: [[1, 2]] });
  });

  it('covers any number of forged watermarks that name other lines', () => {
    const { event, ...line } = lineSeen(1, [1, hex(0)]);
    const marks = many((n) => {
      const seen = { core: { [WRITER_A]: [1 + (n % 9), hex(n)] } };
      return { ...line, event: { ...event, n, d: { seen } } };
    }).slice(0, MANY / 4);
    const lines = Array.from({ length: 9 }, (_, at) => lineFor(at + 1, hex(0), hex(0)));
    expect(reportOn([...lines, ...marks])).toMatchObject({ held: 9, replaced: [[1, 9]] });
  });

  it('covers any number of retired ranges', () => {
    const retired = new Map([[WRITER_A, many((n): NumberRange => [2 * n, 2 * n])]]);
    const report = reportOn([], retired);
    expect(report).toMatchObject({ held: 0, claimed: 2 * MANY, retired: MANY });
  });
});
