import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  HybridClock,
  isInFuture,
  isTimestamp,
  nextTimestamp,
} from '../../../src/storage/format/hybrid-clock.js';
import { createTestClock } from '../../fakes/deterministic.js';

const NOON = Date.UTC(2026, 10, 20, 12);

describe('nextTimestamp', () => {
  it('returns the wall-clock time', () => {
    expect(nextTimestamp('', NOON)).toBe('2026-11-20T12:00:00.000Z.0000');
    expect(nextTimestamp('2026-11-20T11:59:59.999Z.ffff', NOON)).toBe(
      '2026-11-20T12:00:00.000Z.0000',
    );
  });

  it('increments the counter while time stands still or goes back', () => {
    expect(nextTimestamp('2026-11-20T12:00:00.000Z.0000', NOON)).toBe(
      '2026-11-20T12:00:00.000Z.0001',
    );
    expect(nextTimestamp('2026-11-20T12:00:00.000Z.00ff', NOON - 86_400_000)).toBe(
      '2026-11-20T12:00:00.000Z.0100',
    );
  });

  it('follows the timestamps of a device with a fast clock', () => {
    expect(nextTimestamp('2026-11-25T08:00:00.000Z.0003', NOON)).toBe(
      '2026-11-25T08:00:00.000Z.0004',
    );
  });

  it('uses the next millisecond when the counter is full', () => {
    expect(nextTimestamp('2026-11-20T12:00:00.000Z.ffff', NOON)).toBe(
      '2026-11-20T12:00:00.001Z.0000',
    );
    expect(nextTimestamp('2026-12-31T23:59:59.999Z.ffff', NOON)).toBe(
      '2027-01-01T00:00:00.000Z.0000',
    );
  });

  it('stays within its bounds if the wall clock does not', () => {
    expect(nextTimestamp('', 0)).toBe('2020-01-01T00:00:00.000Z.0000');
    expect(nextTimestamp('', Date.UTC(2500, 0, 1))).toBe('2199-12-31T23:59:59.999Z.0000');
    expect(nextTimestamp('', -1)).toBe('2020-01-01T00:00:00.000Z.0000');
  });

  it('never returns a timestamp that readers reject', () => {
    expect(nextTimestamp('2199-12-31T23:59:59.999Z.ffff', NOON)).toBe(
      '2199-12-31T23:59:59.999Z.ffff',
    );
    expect(nextTimestamp('2199-12-31T23:59:59.998Z.ffff', NOON)).toBe(
      '2199-12-31T23:59:59.999Z.0000',
    );
    expect(nextTimestamp('2199-12-31T23:59:59.999Z.fffe', NOON)).toBe(
      '2199-12-31T23:59:59.999Z.ffff',
    );
  });

  it('always returns a later, valid timestamp', () => {
    const time = fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2199, 11, 31) });
    fc.assert(
      fc.property(
        time,
        fc.nat(0xffff),
        fc.integer({ min: -1e14, max: 1e14 }),
        (seen, count, now) => {
          const last = `${new Date(seen).toISOString()}.${count.toString(16).padStart(4, '0')}`;
          const next = nextTimestamp(last, now);
          expect(next > last && isTimestamp(next)).toBe(true);
        },
      ),
    );
  });

  it.each([
    '2020-01-01T00:00:00.000Z.0000',
    '2026-11-20T04:52:58.271Z.0001',
    '2199-12-31T23:59:59.999Z.ffff',
  ])('accepts %j', (h) => {
    expect(isTimestamp(h)).toBe(true);
  });

  it.each([
    '',
    '2019-12-31T23:59:59.999Z.ffff',
    '2200-01-01T00:00:00.000Z.0000',
    '2026-13-01T00:00:00.000Z.0000',
    '2026-02-30T00:00:00.000Z.0000',
    '2026-11-20T24:00:00.000Z.0000',
    '2026-11-20T04:52:58.271Z.000A',
    '2026-11-20T04:52:58.271Z',
    '2026-11-20T04:52:58.271Z.0001\n',
    'x2026-11-20T04:52:58.271Z.0001',
    '21002026-11-20T04:52:58.271Z.0001',
    '2026-11-20T04x:52:58.271Z.0001',
    '2026-00-20T04:52:58.271Z.0001',
    '2026-11-00T04:52:58.271Z.0001',
    '2026-11-31T04:52:58.271Z.0001',
    '2027-02-29T04:52:58.271Z.0001',
    '2026-11-32T04:52:58.271Z.0001',
    '2026-11-20T04:60:58.271Z.0001',
    '2026-11-20T04:52:60.271Z.0001',
    '2026-11-20T04:52:58.27Z.0001',
    '2026-11-20T04:52:58.271Z.001',
    '2026-11-20T04:52:58.271Z.00011',
    '2026-11-20 04:52:58.271Z.0001',
    '?:52:58.271Z.0001',
    '2031-05-06T07:52:58.271Z.000A',
    '2031-05-06T08:52:58.271Z.00011',
    '2031-05-06T09:52:58.271Z',
    '٢٠٢٦-11-20T04:52:58.271Z.0001',
  ])('rejects %j', (h) => {
    expect(isTimestamp(h)).toBe(false);
    // Caches the hour that most of these start with.
    expect(isTimestamp('2026-11-20T04:00:00.000Z.0000')).toBe(true);
    expect(isTimestamp(h)).toBe(false);
  });

  it('accepts the last day of months of each length', () => {
    const days = [
      '2028-02-29',
      '2026-01-31',
      '2026-11-30',
      '2026-12-10',
      '2026-10-09',
      '2026-09-28',
    ];
    expect(days.filter((day) => !isTimestamp(`${day}T23:59:59.999Z.ffff`))).toEqual([]);
    expect(isTimestamp('2026-09-28T19:00:00.000Z.0a9f')).toBe(true);
    expect(isTimestamp('2026-09-28T00:00:00.000Z.0a9f')).toBe(true);
  });
});

describe('HybridClock', () => {
  it('returns timestamps later than its own and observed ones', () => {
    const clock = createTestClock();
    const hybridClock = new HybridClock(clock);
    const first = hybridClock.next();
    expect(hybridClock.next() > first).toBe(true);
    const later = nextTimestamp('', clock.now() + 5000);
    hybridClock.observe(later);
    hybridClock.observe(first);
    expect(hybridClock.next()).toBe(nextTimestamp(later, clock.now()));
  });

  it('follows others at most 24 hours ahead of the wall clock', () => {
    const clock = createTestClock(NOON);
    const hybridClock = new HybridClock(clock);
    hybridClock.observe('2026-11-21T12:00:00.000Z.0000');
    expect(hybridClock.next()).toBe('2026-11-21T12:00:00.000Z.0001');
    hybridClock.observe('2026-11-21T12:00:00.001Z.0000');
    expect(hybridClock.next()).toBe('2026-11-20T12:00:00.000Z.0000');
  });

  it('follows others by the wall clock as it is now, also after it has gone back', () => {
    const clock = createTestClock(NOON);
    const hybridClock = new HybridClock(clock);
    hybridClock.observe('2026-11-21T11:00:00.000Z.0000');
    clock.set(NOON - 86_400_000);
    hybridClock.observe('2026-11-21T11:30:00.000Z.0000');
    clock.set(NOON);
    expect(hybridClock.next()).toBe('2026-11-21T11:00:00.000Z.0001');
  });

  it('continues after the last valid timestamp, later than all it has returned', () => {
    const hybridClock = new HybridClock(createTestClock(NOON));
    hybridClock.observe('2199-12-31T23:59:59.999Z.ffff');
    expect([hybridClock.next(), hybridClock.next()]).toEqual([
      '2026-11-20T12:00:00.000Z.0000',
      '2026-11-20T12:00:00.000Z.0001',
    ]);
  });

  it('treats a timestamp more than 24 hours ahead as in the future', () => {
    expect([
      isInFuture('2026-11-21T12:00:00.000Z.0000', NOON),
      isInFuture('2026-11-21T12:00:00.000Z.0001', NOON),
      isInFuture('2026-11-19T12:00:00.000Z.0000', NOON),
    ]).toEqual([false, true, false]);
  });
});
