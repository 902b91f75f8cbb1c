import { describe, expect, it } from 'vitest';
import { hold, isFork, type Holdings } from '../../src/storage/holdings.js';
import { eventOf, WRITER_B } from '../fakes/events.js';

describe('holdings', () => {
  it('knows an event that it has taken in', () => {
    const holdings: Holdings = new Map();
    const event = eventOf({ t: 'set', n: 3 });
    expect([hold(holdings, 'core', event), hold(holdings, 'core', { ...event })]).toEqual(['new', 'known']);
    expect(holdings.get(event.w)).toMatchObject({ lane: 'core', last: 3 });
  });

  it('keeps both of two events of one number, and tells which came second', () => {
    const holdings: Holdings = new Map();
    const [one, other] = [eventOf({ t: 'set', d: { a: 1 } }), eventOf({ t: 'set', d: { a: 2 } })];
    expect([one, other, one, other].map((event) => hold(holdings, 'core', event))).toEqual(['new', 'fork', 'known', 'known']);
    expect([isFork(holdings, one), isFork(holdings, other)]).toEqual([false, true]);
  });

  it('keeps writers apart, and the last number whatever the order', () => {
    const holdings: Holdings = new Map();
    for (const event of [eventOf({ t: 'set', n: 5 }), eventOf({ t: 'set', n: 2 }), eventOf({ t: 'set', n: 1, w: WRITER_B })])
      hold(holdings, 'core', event);
    expect([...holdings.values()].map(({ last, crcs, beyond }) => [last, crcs.length + beyond.size])).toEqual([
      [5, 2],
      [1, 1],
    ]);
  });
});
