import { describe, expect, it } from 'vitest';
import {
  indexEvent,
  isFork,
  hasEvent,
  type WriterIndex,
} from '../../../src/storage/read/writer-index.js';
import { eventOf, linesOf, WRITER_B } from '../../fakes/events.js';

describe('WriterIndex', () => {
  it('recognizes an indexed event', () => {
    const writers: WriterIndex = new Map();
    const event = eventOf({ t: 'set', n: 3 });
    expect([indexEvent(writers, 'core', event), indexEvent(writers, 'core', { ...event })]).toEqual(
      ['new', 'known'],
    );
    expect(writers.get(event.w)).toMatchObject({ lane: 'core', lastNumber: 3 });
  });

  it('keeps two events with the same number, and marks the later as a fork', () => {
    const writers: WriterIndex = new Map();
    const [one, other] = [eventOf({ t: 'set', d: { a: 1 } }), eventOf({ t: 'set', d: { a: 2 } })];
    expect([one, other, one, other].map((event) => indexEvent(writers, 'core', event))).toEqual([
      'new',
      'fork',
      'known',
      'known',
    ]);
    expect([isFork(writers, one), isFork(writers, other)]).toEqual([false, true]);
  });

  it('tracks the highest number of each writer, in any order of events', () => {
    const writers: WriterIndex = new Map();
    for (const event of [
      eventOf({ t: 'set', n: 5 }),
      eventOf({ t: 'set', n: 2 }),
      eventOf({ t: 'set', n: 1, w: WRITER_B }),
    ])
      indexEvent(writers, 'core', event);
    expect(
      [...writers.values()].map(({ lastNumber, crcs, outOfOrder }) => [
        lastNumber,
        crcs.length + outOfOrder.size,
      ]),
    ).toEqual([
      [5, 2],
      [1, 1],
    ]);
  });

  it('closes a gap when the missing event arrives', () => {
    const writers: WriterIndex = new Map();
    const events = [1, 2, 3, 4, 6].map((n) => eventOf({ t: 'set', n }));
    const crcs = events.map(({ c }) => c);
    for (const at of [0, 2, 3, 4]) indexEvent(writers, 'core', events[at]!);
    const state = writers.get(events[0]!.w)!;
    expect([state.crcs, [...state.outOfOrder]]).toEqual([
      crcs.slice(0, 1),
      [
        [3, crcs[2]],
        [4, crcs[3]],
        [6, crcs[4]],
      ],
    ]);
    indexEvent(writers, 'core', events[1]!);
    expect([state.crcs, [...state.outOfOrder]]).toEqual([crcs.slice(0, 4), [[6, crcs[4]]]]);
    expect(state.lastNumber).toBe(6);
  });

  it('tracks the highest number of events other than `log.*`', () => {
    const writers: WriterIndex = new Map();
    const lastAfter = (t: string, n: number) => {
      const event = eventOf({ t, n });
      indexEvent(writers, 'core', event);
      return writers.get(event.w)?.lastDataNumber;
    };
    expect([
      lastAfter('log.seg', 1),
      lastAfter('set', 4),
      lastAfter('set', 2),
      lastAfter('log.mark', 5),
      lastAfter('catalog.', 6),
    ]).toEqual([0, 4, 4, 4, 6]);
  });

  it('assigns a writer to the lane of its events, whatever folder they are in', () => {
    const writers: WriterIndex = new Map();
    const event = eventOf({ t: 'log.seg' });
    indexEvent(writers, 'trace', event);
    expect(writers.get(event.w)?.lane).toBe('trace');
    indexEvent(writers, 'trace', eventOf({ t: 'ws.new', n: 2 }));
    expect(writers.get(event.w)?.lane).toBe('core');
  });

  it('takes the hash of an event from the `log.*` event after it', () => {
    const writers: WriterIndex = new Map();
    const [seg, set, seal, more] = linesOf(
      ['log.seg', 'set', 'log.seal', 'set'].map((t) => ({ t, e: '', d: {} })),
    );
    for (const { event } of [seg!, set!, seal!, more!]) indexEvent(writers, 'core', event);
    expect([...writers.get(set!.event.w)!.hashes]).toEqual([[2, set!.hash]]);
  });

  it('has an event and its fork, but no other event with that number', () => {
    const writers: WriterIndex = new Map();
    const [one, fork, other] = [1, 2, 3].map((a) => eventOf({ t: 'set', d: { a } }));
    expect(hasEvent(writers, one!)).toBe(false);
    indexEvent(writers, 'core', one!);
    indexEvent(writers, 'core', fork!);
    expect([one, fork, other].map((event) => hasEvent(writers, event!))).toEqual([
      true,
      true,
      false,
    ]);
    expect([
      hasEvent(writers, eventOf({ t: 'set', n: 2 })),
      hasEvent(writers, eventOf({ t: 'set', w: WRITER_B })),
    ]).toEqual([false, false]);
    expect([...writers.values()].map(({ crcs, forks }) => [crcs, [...forks]])).toEqual([
      [[one!.c], [`1 ${fork!.c}`]],
    ]);
  });
});
