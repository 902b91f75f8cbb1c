import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareStamps } from '../../../src/model/event.js';
import {
  GrowingEventList,
  entriesNewestFirst,
  type EventLocation,
} from '../../../src/storage/read/event-list.js';
import { clockText } from '../../fakes/events.js';

const entryAt = (minute: number, w = 'a', path = 'file'): EventLocation => ({
  owner: 'one',
  path,
  from: minute * 10,
  to: minute * 10 + 9,
  h: clockText(minute),
  w,
  n: minute + 1,
  c: '00000000',
});
const stampsOf = (entries: readonly EventLocation[]) => entries.map(({ h, w }) => `${h} ${w}`);
const minutes = fc.array(fc.tuple(fc.nat(30), fc.constantFrom('a', 'b')), { maxLength: 5 });

describe('GrowingEventList', () => {
  it('sorts and deduplicates entries, and never changes earlier lists', () => {
    fc.assert(
      fc.property(fc.array(minutes, { maxLength: 6 }), (all) => {
        const growing = new GrowingEventList([]);
        const snapshots: { list: ReturnType<typeof growing.snapshot>; stamps: string[] }[] = [];
        const added: EventLocation[] = [];
        for (const some of all) {
          const more = some.map(([minute, w]) => entryAt(minute, w));
          growing.add(more);
          added.push(...more);
          const list = growing.snapshot();
          const stamps = stampsOf(list.entries.slice(0, list.count));
          expect(stamps).toEqual([...new Set(stampsOf(added.toSorted(compareStamps)))]);
          expect(growing.snapshot()).toBe(list);
          snapshots.push({ list, stamps });
        }
        for (const { list, stamps } of snapshots)
          expect(stampsOf(list.entries.slice(0, list.count))).toEqual(stamps);
      }),
    );
  });

  it('shares entries with the previous list if the added ones are later', () => {
    const growing = new GrowingEventList([entryAt(1)]);
    const first = growing.snapshot();
    growing.add([entryAt(3), entryAt(2)]);
    const second = growing.snapshot();
    expect([second.entries === first.entries, first.count, second.count]).toEqual([true, 1, 3]);
    growing.add([entryAt(2, 'a', 'a copy')]);
    expect(growing.snapshot()).toBe(second);
    growing.add([entryAt(2, 'b')]);
    expect([growing.snapshot().entries === second.entries, growing.snapshot().count]).toEqual([
      false,
      4,
    ]);
    expect(second.entries).toHaveLength(3);
  });

  it('can be read newest first, with or without an earlier result', () => {
    const growing = new GrowingEventList([entryAt(1), entryAt(2)]);
    const list = growing.snapshot();
    const before = { list, entries: entriesNewestFirst(list) };
    growing.add([entryAt(3)]);
    for (const more of [
      entriesNewestFirst(growing.snapshot(), before),
      entriesNewestFirst(growing.snapshot()),
    ]) {
      expect(more.map(({ n }) => n)).toEqual([4, 3, 2]);
    }
    growing.add([entryAt(0)]);
    expect(entriesNewestFirst(growing.snapshot(), before).map(({ n }) => n)).toEqual([4, 3, 2, 1]);
    expect(before.entries.map(({ n }) => n)).toEqual([3, 2]);
  });

  it('can be read newest first after a list that has more entries', () => {
    const growing = new GrowingEventList([entryAt(1)]);
    const list = growing.snapshot();
    growing.add([entryAt(2)]);
    const later = growing.snapshot();
    const before = { list: later, entries: entriesNewestFirst(later) };
    expect(entriesNewestFirst(list, before).map(({ n }) => n)).toEqual([2]);
  });
});
