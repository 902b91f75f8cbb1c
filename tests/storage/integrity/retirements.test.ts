import { describe, expect, it } from 'vitest';
import type { JsonObject, LogEvent } from '../../../src/model/event.js';
import {
  Retirements,
  retiredRanges,
  retirementOf,
  retirementsIn,
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
      isForSize: false,
    });
    expect(retirementOf(retirement({ why: 'size' }))?.isForSize).toBe(true);
  });

  it('may cover a single event, even the first', () => {
    expect(retirementOf(retirement({ from: 1, to: 1 }))?.range).toEqual([1, 1]);
    expect(retirementOf(retirement({ to: 1002 }))?.range).toEqual([3, 1002]);
  });

  it.each<[string, JsonObject]>([
    ['a number as writer', { w: 12 }],
    ['a list as writer', { w: [WRITER_B] }],
    ['an invalid writer', { w: '../../etc' }],
    ['a first number of 0', { from: 0 }],
    ['a first number as text', { from: '3' }],
    ['a fractional last number', { to: 7.5 }],
    ['a last number before the first', { from: 8 }],
    ['more numbers than a segment has lines', { to: 1003 }],
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
  const DAY = 24 * 60;
  const line = (n: number, minute = 0, t = 'trace.new') =>
    eventOf({ t, w: WRITER_B, n, h: clockText(minute) });

  it('are those in the core lane', () => {
    const retired = retirementsIn([
      { event: retirement({}, DAY) },
      { event: eventOf({ t: 'set' }), lane: 'core' },
      { event: retirement({ from: 9, to: 9, file: 'y.jsonl' }, DAY), lane: 'core' },
      { event: retirement({ from: 11, to: 11, file: 'z.jsonl' }, DAY), lane: 'trace' },
    ]);
    expect([2, 3, 7, 8, 9, 11].map((n) => retired.retiredAt(line(n)) !== undefined)).toEqual([
      false,
      true,
      true,
      false,
      true,
      false,
    ]);
    expect(retired.retiredAt({ ...line(3), w: WRITER_A })).toBeUndefined();
    expect(
      ['2026-11/x.jsonl', 'y.jsonl', 'z.jsonl', ''].map(
        (file) => retired.fileRetiredAt(file) !== undefined,
      ),
    ).toEqual([true, true, false, false]);
  });

  it('tell when an event was first retired, in any order', () => {
    const retired = new Retirements();
    for (const minute of [4, 2, 6]) retired.add(retirement({}, DAY + minute));
    const first = START_TIME + (DAY + 2) * 60_000;
    expect(retired.retiredAt(line(5))).toBe(first);
    expect(retired.fileRetiredAt('2026-11/x.jsonl')).toBe(first);
  });

  it.each<[string, number | undefined, JsonObject, LogEvent]>([
    ['a day before', DAY, { why: 'age' }, line(5)],
    ['less than a day before', undefined, { why: 'age' }, line(5, 1)],
    ['as it was too much', DAY, { why: 'size' }, line(5, DAY)],
    ['after it', undefined, { why: 'size' }, line(5, DAY + 1)],
    ['after it, to seal the file', DAY, { why: 'age' }, line(5, DAY + 1, 'log.seal')],
  ])('count for an event that was written %s', (_, minute, d, event) => {
    const retired = retirementsIn([{ event: retirement(d, DAY) }]);
    const time = minute === undefined ? undefined : START_TIME + minute * 60_000;
    expect(retired.retiredAt(event)).toBe(time);
  });
});
