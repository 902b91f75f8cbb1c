import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  timelineOf,
  type Dated,
  type TimelineEntry,
} from '../../../src/obsidian/memory/timeline.js';
import { clockText } from '../../fakes/events.js';
import { entriesAt, statesAt } from './memories.js';

/** Returns the name of each state and the number of calls in each stretch. */
function told(moments: readonly TimelineEntry<Dated>[]): (string | number)[] {
  return moments.map((moment) =>
    moment.kind === 'state' ? moment.state.displayName : moment.calls.entries.length,
  );
}

describe('a timeline', () => {
  it('places calls between states, newest first', async () => {
    const moments = timelineOf(await statesAt(10, 20), entriesAt(1, 2, 11, 12, 13, 21));
    expect(told(moments)).toEqual([1, 'at 20', 3, 'at 10', 2]);
    const stretch = moments[2];
    expect(stretch?.kind === 'calls' && stretch.calls.entries).toEqual(entriesAt(11, 12, 13));
  });

  it('splits calls at a long pause', () => {
    expect(told(timelineOf([], entriesAt(0, 100, 281, 300)))).toEqual([2, 2]);
  });

  it('groups the call that saved a state with the calls before it', async () => {
    const saving = { h: clockText(10 + 1 / 60) };
    expect(
      told(timelineOf(await statesAt(10), [...entriesAt(11), saving, ...entriesAt(9)])),
    ).toEqual([1, 'at 10', 2]);
    expect(told(timelineOf(await statesAt(10, 10 + 1 / 120), [saving]))).toEqual([
      `at ${10 + 1 / 120}`,
      1,
      'at 10',
    ]);
  });

  it('splits a long stretch, and keeps older parts when a call is added', () => {
    const minutes = Array.from({ length: 120 }, (_, minute) => minute);
    const before = timelineOf([], entriesAt(...minutes));
    const after = timelineOf([], entriesAt(...minutes, 120));
    expect(told(before)).toEqual([20, 50, 50]);
    expect(told(after)).toEqual([21, 50, 50]);
    expect(after.slice(1)).toEqual(before.slice(1));
    expect(keysOf(after)).toEqual(keysOf(before));
  });

  it('contains every state and call exactly once, in order', async () => {
    const minutes = fc.uniqueArray(fc.nat({ max: 300 }), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(minutes, minutes, async (saved, called) => {
        const moments = timelineOf(await statesAt(...saved), entriesAt(...called));
        const times = moments.flatMap((moment) =>
          moment.kind === 'state'
            ? [moment.state.item.createdAt]
            : moment.calls.entries.map(({ h }) => h.slice(0, 24)),
        );
        expect(times).toHaveLength(saved.length + called.length);
        expect(times).toEqual([...times].sort().reverse());
        expect(new Set(keysOf(moments)).size).toBe(keysOf(moments).length);
      }),
      { numRuns: 50 },
    );
  });
});

function keysOf(moments: readonly TimelineEntry<Dated>[]): string[] {
  return moments.flatMap((moment) => (moment.kind === 'calls' ? [moment.calls.key] : []));
}
