import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  timelineSteps,
  type Dated,
  type TimelineContent,
  type TimelineEntry,
} from '../../../src/obsidian/memory/timeline.js';
import { runToEnd } from '../../../src/platform/run-sliced.js';
import { clockText } from '../../fakes/events.js';
import { entriesAt, recordAt, statesAt } from './memories.js';

const DAY = 24 * 60;

function timeline(content: Partial<TimelineContent<Dated>>): TimelineEntry<Dated>[] {
  return runToEnd(timelineSteps({ states: [], records: [], entries: [], ...content }));
}

/** Returns the names of states and records, and the numbers of calls in the groups of a day. */
function told(moments: readonly TimelineEntry<Dated>[]): (string | number[])[] {
  return moments.map((moment) => {
    if (moment.kind === 'state') return moment.state.displayName;
    if (moment.kind === 'record') return moment.record.title;
    if (moment.kind === 'closed') return moment.records.map(({ id }) => Number(id.slice(1)));
    return moment.calls.groups.map(({ entries }) => entries.length);
  });
}

describe('a timeline', () => {
  it('lists what was saved on each day, newest first, then its calls', async () => {
    const moments = timeline({
      states: await statesAt(10, 20, DAY + 10),
      records: [recordAt(DAY + 20), recordAt(15)],
      entries: entriesAt(1, 2, 11, 12, DAY + 1),
    });
    expect(told(moments)).toEqual([
      `Record ${DAY + 20}`,
      `at ${DAY + 10}`,
      [1],
      'at 20',
      'Record 15',
      'at 10',
      [4],
    ]);
  });

  it('has one entry for the closed records of a day, if there are several', async () => {
    const done = (minute: number) => ({ ...recordAt(minute), status: 'done' as const });
    const records = [done(DAY + 20), done(25), recordAt(15), done(5)];
    const moments = timeline({ states: await statesAt(10), records, entries: entriesAt(1) });
    expect(told(moments)).toEqual([`Record ${DAY + 20}`, 'Record 15', 'at 10', [25, 5], [1]]);
  });

  it('has one entry for the calls of a day, however long the pauses', () => {
    const [today, ...others] = timeline({ entries: entriesAt(0, 100, 281, 600, DAY + 3) });
    expect(told(others)).toEqual([[4]]);
    expect(today?.kind === 'calls' && today.calls.day).toBe(
      new Date(new Date(clockText(DAY).slice(0, 24)).setHours(0, 0, 0, 0)).toISOString(),
    );
  });

  it('divides many calls, and keeps older groups when a call is added', () => {
    const minutes = Array.from({ length: 120 }, (_, minute) => minute);
    const before = timeline({ entries: entriesAt(...minutes) });
    const after = timeline({ entries: entriesAt(...minutes, 120) });
    expect(told(before)).toEqual([[20, 50, 50]]);
    expect(told(after)).toEqual([[21, 50, 50]]);
    const keysOf = ([day]: readonly TimelineEntry<Dated>[]) =>
      day?.kind === 'calls' && day.calls.groups.map(({ key }) => key);
    expect(keysOf(after)).toEqual(keysOf(before));
  });

  it('contains every state, record and call exactly once, and each day once', async () => {
    const minutes = fc.uniqueArray(fc.nat({ max: 5 * DAY }), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(minutes, minutes, minutes, async (saved, recorded, called) => {
        const moments = timeline({
          states: await statesAt(...saved),
          records: recorded.toSorted((a, b) => b - a).map(recordAt),
          entries: entriesAt(...called),
        });
        const days = moments.flatMap((moment) => (moment.kind === 'calls' ? [moment.calls] : []));
        const found = days.flatMap(({ groups }) => groups.flatMap(({ entries }) => entries));
        expect(found).toEqual(entriesAt(...called));
        expect(days.map(({ count }) => count).reduce((sum, count) => sum + count, 0)).toBe(
          called.length,
        );
        expect(new Set(days.map(({ day }) => day)).size).toBe(days.length);
        const titles = told(moments).filter((title): title is string => typeof title === 'string');
        expect(titles.sort()).toEqual(
          [
            ...saved.map((minute) => `at ${minute}`),
            ...recorded.map((minute) => `Record ${minute}`),
          ].sort(),
        );
      }),
      { numRuns: 50 },
    );
  });
});
