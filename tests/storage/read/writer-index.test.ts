import { describe, expect, it } from 'vitest';
import { hold, isFork, isHeld, type Holdings } from '../../../src/storage/read/writer-index.js';
import { eventOf, WRITER_B } from '../../fakes/events.js';

describe('holdings', () => {
  it('knows an event that it has taken in', () => {
    const holdings: Holdings = new Map();
    const event = eventOf({ t: 'set', n: 3 });
    expect([hold(holdings, 'core', event), hold(holdings, 'core', { ...event })]).toEqual([
      'new',
      'known',
    ]);
    expect(holdings.get(event.w)).toMatchObject({ lane: 'core', last: 3 });
  });

  it('keeps both of two events of one number, and tells which came second', () => {
    const holdings: Holdings = new Map();
    const [one, other] = [eventOf({ t: 'set', d: { a: 1 } }), eventOf({ t: 'set', d: { a: 2 } })];
    expect([one, other, one, other].map((event) => hold(holdings, 'core', event))).toEqual([
      'new',
      'fork',
      'known',
      'known',
    ]);
    expect([isFork(holdings, one), isFork(holdings, other)]).toEqual([false, true]);
  });

  it('keeps writers apart, and the last number whatever the order', () => {
    const holdings: Holdings = new Map();
    for (const event of [
      eventOf({ t: 'set', n: 5 }),
      eventOf({ t: 'set', n: 2 }),
      eventOf({ t: 'set', n: 1, w: WRITER_B }),
    ])
      hold(holdings, 'core', event);
    expect(
      [...holdings.values()].map(({ last, crcs, beyond }) => [last, crcs.length + beyond.size]),
    ).toEqual([
      [5, 2],
      [1, 1],
    ]);
  });

  it('closes a hole when what was missing comes, however many numbers come after it', () => {
    const holdings: Holdings = new Map();
    const events = [1, 2, 3, 4, 6].map((n) => eventOf({ t: 'set', n }));
    const crcs = events.map(({ c }) => c);
    for (const at of [0, 2, 3, 4]) hold(holdings, 'core', events[at]!);
    const holding = holdings.get(events[0]!.w)!;
    expect([holding.crcs, [...holding.beyond]]).toEqual([crcs.slice(0, 1), [[3, crcs[2]], [4, crcs[3]], [6, crcs[4]]]]); // prettier-ignore
    hold(holdings, 'core', events[1]!);
    expect([holding.crcs, [...holding.beyond]]).toEqual([crcs.slice(0, 4), [[6, crcs[4]]]]);
    expect(holding.last).toBe(6);
  });

  it('tell the last event that the log has not written for itself, whatever the order', () => {
    const holdings: Holdings = new Map();
    const lastAfter = (t: string, n: number) => {
      const event = eventOf({ t, n });
      hold(holdings, 'core', event);
      return holdings.get(event.w)?.lastOfSubstance;
    };
    expect([
      lastAfter('log.seg', 1),
      lastAfter('set', 4),
      lastAfter('set', 2),
      lastAfter('log.mark', 5),
      lastAfter('catalog.', 6),
    ]).toEqual([0, 4, 4, 4, 6]);
  });

  it('hold an event and its fork, and no other under their number', () => {
    const holdings: Holdings = new Map();
    const [one, fork, other] = [1, 2, 3].map((a) => eventOf({ t: 'set', d: { a } }));
    expect(isHeld(holdings, one!)).toBe(false);
    hold(holdings, 'core', one!);
    hold(holdings, 'core', fork!);
    expect([one, fork, other].map((event) => isHeld(holdings, event!))).toEqual([
      true,
      true,
      false,
    ]);
    expect([
      isHeld(holdings, eventOf({ t: 'set', n: 2 })),
      isHeld(holdings, eventOf({ t: 'set', w: WRITER_B })),
    ]).toEqual([false, false]);
    expect([...holdings.values()].map(({ crcs, forks }) => [crcs, [...forks]])).toEqual([
      [[one!.c], [`1 ${fork!.c}`]],
    ]);
  });
});
