import { describe, expect, it } from 'vitest';
import type { JsonObject, LogEvent } from '../../../src/model/event.js';
import {
  Retirements,
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
  it('has a writer, a range, a file and a time', () => {
    expect(retirementOf(retirement({}, 5))).toEqual({
      writer: WRITER_B,
      range: [3, 7],
      file: '2026-11/x.jsonl',
      time: START_TIME + 5 * 60_000,
    });
  });

  it('may cover a single event, even the first', () => {
    expect(retirementOf(retirement({ from: 1, to: 1 }))?.range).toEqual([1, 1]);
  });

  it.each<[string, JsonObject]>([
    ['a number as writer', { w: 12 }],
    ['a list as writer', { w: [WRITER_B] }],
    ['an invalid writer', { w: '../../etc' }],
    ['a first number of 0', { from: 0 }],
    ['a first number as text', { from: '3' }],
    ['a fractional last number', { to: 7.5 }],
    ['a last number before the first', { from: 8 }],
    ['the core lane', { lane: 'core' }],
    ['the chat lane', { lane: 'chat' }],
    ['an unknown lane', { lane: 'else' }],
    ['a number as lane', { lane: 5 }],
  ])('with %s retires nothing', (_, d) => {
    expect(retirementOf(retirement(d))).toBeUndefined();
  });

  it('is not read from another type or a later version', () => {
    expect(retirementOf({ ...retirement(), t: 'log.mark' })).toBeUndefined();
    expect(retirementOf({ ...retirement(), v: 2 })).toBeUndefined();
  });

  it('may name no file, but must name a lane', () => {
    const { lane, ...d } = DATA;
    expect(retirementOf(eventOf({ t: 'log.retire', d }))).toBeUndefined();
    expect(lane).toBe('trace');
    expect(retirementOf(retirement({ file: 5 }))?.file).toBe('');
  });
});

describe('retired ranges', () => {
  it('are grouped by writer', () => {
    const [one, two, other] = [
      retirement(),
      retirement({ from: 9, to: 9 }),
      retirement({ w: WRITER_A }),
    ];
    expect(retiredRanges([{ event: one, lane: 'core' }, { event: two }, { event: other }])).toEqual(
      new Map([
        [
          WRITER_B,
          [
            [3, 7],
            [9, 9],
          ],
        ],
        [WRITER_A, [[3, 7]]],
      ]),
    );
  });

  it('come only from valid retirements in the core lane', () => {
    const lines = [
      { event: retirement(), lane: 'trace' as const },
      { event: eventOf({ t: 'set', d: DATA }) },
    ];
    expect(retiredRanges(lines)).toEqual(new Map());
  });
});

describe('Retirements', () => {
  it('adds each event that retires something', () => {
    const retired = new Retirements();
    expect(
      [retirement(), eventOf({ t: 'set' }), retirement({ from: 9, to: 9, file: 'y.jsonl' })].map(
        (event) => retired.add(event),
      ),
    ).toEqual([true, false, true]);
    expect([2, 3, 7, 8, 9].map((n) => retired.retiredAt(WRITER_B, n) !== undefined)).toEqual([
      false,
      true,
      true,
      false,
      true,
    ]);
    expect(retired.retiredAt(WRITER_A, 3)).toBeUndefined();
    expect(
      ['2026-11/x.jsonl', 'y.jsonl', 'z.jsonl', ''].map(
        (file) => retired.fileRetiredAt(file) !== undefined,
      ),
    ).toEqual([true, true, false, false]);
  });

  it('returns when an event was first retired, in any order', () => {
    const retired = new Retirements();
    for (const minute of [4, 2, 6]) retired.add(retirement({}, minute));
    const first = START_TIME + 2 * 60_000;
    expect(retired.retiredAt(WRITER_B, 5)).toBe(first);
    expect(retired.fileRetiredAt('2026-11/x.jsonl')).toBe(first);
  });
});
