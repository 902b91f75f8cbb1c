import { describe, expect, it } from 'vitest';
import { Scheduler } from '../../../src/platform/scheduler.js';
import { CoreLines, readCopies, type CoreLine } from '../../../src/storage/copies/core-copies.js';
import { createTestClock } from '../../fakes/deterministic.js';
import { joinLines, linesOf, WRITER_B, workspaceDraft } from '../../fakes/events.js';
import { twinOf } from '../../simulation/forge.js';
import { createMemoryCopies } from '../helpers.js';

describe('a set of lines', () => {
  it('has each line once, even if another one has its writer, number and CRC', () => {
    const [line] = linesOf([workspaceDraft('A')]);
    const twin = { event: line!.event, bytes: new Uint8Array(twinOf(line!.event)) };
    const copyOf = ({ event, bytes }: CoreLine) => ({ event, bytes: bytes.slice() });
    const lines = new CoreLines();
    expect(lines.isEmpty).toBe(true);
    lines.add(line!);
    expect([lines.has(copyOf(line!)), lines.has(twin)]).toEqual([true, false]);
    for (const again of [line!, twin, line!, twin]) lines.add(copyOf(again));
    expect([...lines].map(({ bytes }) => bytes)).toEqual([line!.bytes, twin.bytes]);
    expect(lines.isEmpty).toBe(false);
  });

  it('ends with 100,000 forged lines of one writer, number and CRC', () => {
    const [line] = linesOf([workspaceDraft('A')]);
    const forged = (at: number) => ({
      event: line!.event,
      bytes: new TextEncoder().encode(`forged ${at}`),
    });
    const lines = new CoreLines();
    for (let at = 0; at < 100_000; at++) lines.add(forged(at));
    expect([...lines]).toHaveLength(100_000);
    expect(lines.has(forged(99_999))).toBe(true);
  });
});

describe('reading copies', () => {
  it('gives the host its turn before each piece of a quarter of a megabyte, and splits no line', async () => {
    const copies = createMemoryCopies();
    const drafts = Array.from({ length: 60 }, (_, at) =>
      workspaceDraft(`Plan ${at}`, `ws-${at}`, { purpose: 'x'.repeat(10_000) }),
    );
    const lines = linesOf(drafts); // about 600 KB
    await copies.add('one', joinLines(lines), 'own');
    const [other] = linesOf([workspaceDraft('Other')], WRITER_B);
    await copies.add('other', other!.bytes, 'other');
    let turns = 0;
    const scheduler = new Scheduler(createTestClock(), undefined);
    scheduler.yieldIfDue = () => Promise.resolve(void turns++);
    const found = await readCopies(copies, ['one', 'other', 'unknown'], scheduler);
    expect(turns).toBe(3 + 1);
    expect([...found].map(({ event }) => event)).toEqual(
      [...lines, other!].map(({ event }) => event),
    );
    expect([...found].map(({ bytes }) => bytes.length + 1)).toEqual(
      [...lines, other!].map(({ bytes }) => bytes.length),
    );
  });
});
