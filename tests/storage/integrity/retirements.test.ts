import { describe, expect, it } from 'vitest';
import type { JsonObject, LogEvent } from '../../../src/model/event.js';
import {
  createRetired,
  isIn,
  retiredRanges,
  retirementOf,
} from '../../../src/storage/integrity/retirements.js';
import { START_TIME } from '../../fakes/deterministic.js';
import { clockText, eventOf, WRITER_A, WRITER_B } from '../../fakes/events.js';

const DATA = { lane: 'trace', file: '2026-11/x.jsonl', w: WRITER_B, from: 3, to: 7 };

function retirement(d: JsonObject = {}, minute = 0): LogEvent {
  return eventOf({ t: 'log.retire', h: clockText(minute), d: { ...DATA, ...d } });
}

describe('a retirement', () => {
  it('tells what it takes out, and when', () => {
    expect(retirementOf(retirement({}, 5))).toEqual({
      writer: WRITER_B,
      range: [3, 7],
      lane: 'trace',
      file: '2026-11/x.jsonl',
      time: START_TIME + 5 * 60_000,
    });
  });

  it('may take out a single event, the first too', () => {
    expect(retirementOf(retirement({ from: 1, to: 1 }))?.range).toEqual([1, 1]);
  });

  it.each<[string, JsonObject]>([
    ['a writer that is no text', { w: 12 }],
    ['a list for a writer', { w: [WRITER_B] }],
    ['a writer of other letters', { w: '../../etc' }],
    ['a first number of 0', { from: 0 }],
    ['a first number that is none', { from: '3' }],
    ['a last number that is broken', { to: 7.5 }],
    ['a last number before the first', { from: 8 }],
  ])('with %s takes out nothing', (_, d) => {
    expect(retirementOf(retirement(d))).toBeUndefined();
  });

  it('is no event of another type, and none of a later version', () => {
    expect(retirementOf({ ...retirement(), t: 'log.mark' })).toBeUndefined();
    expect(retirementOf({ ...retirement(), v: 2 })).toBeUndefined();
  });

  it('names a lane, core where it names none of the others; and a file, or none', () => {
    expect(
      ['trace', 'chat', 'core', 'else', 5].map((lane) => retirementOf(retirement({ lane }))?.lane),
    ).toEqual(['trace', 'chat', 'core', 'core', 'core']);
    expect(retirementOf(retirement({ file: 5 }))?.file).toBe('');
  });
});

describe('the ranges that are retired', () => {
  it('are told by writer, all of them', () => {
    const [one, two, other] = [
      retirement(),
      retirement({ from: 9, to: 9 }),
      retirement({ w: WRITER_A }),
    ];
    expect(retiredRanges([{ event: one, lane: 'core' }, { event: two }, { event: other }])).toEqual(
      new Map([
        [WRITER_B, [[3, 7], [9, 9]]],
        [WRITER_A, [[3, 7]]],
      ]), // prettier-ignore
    );
  });

  it('are not told by events that retire nothing, nor by those of another lane than core', () => {
    const lines = [
      { event: retirement(), lane: 'trace' as const },
      { event: eventOf({ t: 'set', d: DATA }) },
    ];
    expect(retiredRanges(lines)).toEqual(new Map());
  });

  it('hold their first and last numbers, and no others', () => {
    const ranges = [[3, 5], [8, 8]] as const; // prettier-ignore
    expect([1, 2, 3, 4, 5, 6, 7, 8, 9].filter((n) => isIn(ranges, n))).toEqual([3, 4, 5, 8]);
    expect(isIn([], 1)).toBe(false);
  });
});

describe('all that is known to be retired', () => {
  it('grows with each event that retires something', () => {
    const retired = createRetired();
    expect(
      [retirement(), eventOf({ t: 'set' }), retirement({ from: 9, to: 9, file: 'y.jsonl' })].map(
        (event) => retired.note(event),
      ),
    ).toEqual([true, false, true]);
    expect([2, 3, 7, 8, 9].map((n) => retired.timeOf(WRITER_B, n) !== undefined)).toEqual([
      false,
      true,
      true,
      false,
      true,
    ]);
    expect(retired.timeOf(WRITER_A, 3)).toBeUndefined();
    expect(
      ['2026-11/x.jsonl', 'y.jsonl', 'z.jsonl', ''].map((file) => retired.hasFile(file)),
    ).toEqual([true, true, false, false]);
  });

  it('tells when an event was first said to be retired, whatever the order', () => {
    const retired = createRetired();
    for (const minute of [4, 2, 6]) retired.note(retirement({}, minute));
    expect(retired.timeOf(WRITER_B, 5)).toBe(START_TIME + 2 * 60_000);
  });
});
