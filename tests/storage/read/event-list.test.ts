import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareStamps } from '../../../src/model/event.js';
import {
  createGrowingList,
  latestFirst,
  type PlacedEntry,
} from '../../../src/storage/read/event-list.js';
import { clockText } from '../../fakes/events.js';

const entryAt = (minute: number, w = 'a', path = 'file'): PlacedEntry => ({
  owner: 'one',
  path,
  from: minute * 10,
  to: minute * 10 + 9,
  h: clockText(minute),
  w,
  n: minute + 1,
  c: '00000000',
});
const stampsOf = (entries: readonly PlacedEntry[]) => entries.map(({ h, w }) => `${h} ${w}`);
const minutes = fc.array(fc.tuple(fc.nat(30), fc.constantFrom('a', 'b')), { maxLength: 5 });

describe('a list that grows', () => {
  it('holds what was added, in order and each once, and a list of before stays as it was', () => {
    fc.assert(
      fc.property(fc.array(minutes, { maxLength: 6 }), (all) => {
        const growing = createGrowingList([]);
        const told: { list: ReturnType<typeof growing.now>; stamps: string[] }[] = [];
        const added: PlacedEntry[] = [];
        for (const some of all) {
          const more = some.map(([minute, w]) => entryAt(minute, w));
          growing.add(more);
          added.push(...more);
          const list = growing.now();
          const stamps = stampsOf(list.entries.slice(0, list.count));
          expect(stamps).toEqual([...new Set(stampsOf(added.toSorted(compareStamps)))]);
          expect(growing.now()).toBe(list);
          told.push({ list, stamps });
        }
        for (const { list, stamps } of told)
          expect(stampsOf(list.entries.slice(0, list.count))).toEqual(stamps);
      }),
    );
  });

  it('shares its entries with the list of before where what comes is later, and stays the same where nothing is new', () => {
    const growing = createGrowingList([entryAt(1)]);
    const first = growing.now();
    growing.add([entryAt(3), entryAt(2)]);
    const second = growing.now();
    expect([second.entries === first.entries, first.count, second.count]).toEqual([true, 1, 3]);
    growing.add([entryAt(2, 'a', 'a copy')]);
    expect(growing.now()).toBe(second);
    growing.add([entryAt(2, 'b')]);
    expect([growing.now().entries === second.entries, growing.now().count]).toEqual([false, 4]);
    expect(second.entries).toHaveLength(3);
  });

  it('is told latest first, from what was told before and without it', () => {
    const growing = createGrowingList([entryAt(1), entryAt(2)]);
    const list = growing.now();
    const before = { list, entries: latestFirst(list) };
    growing.add([entryAt(3)]);
    for (const more of [latestFirst(growing.now(), before), latestFirst(growing.now())]) {
      expect(more.map(({ n }) => n)).toEqual([4, 3, 2]);
    }
    growing.add([entryAt(0)]);
    expect(latestFirst(growing.now(), before).map(({ n }) => n)).toEqual([4, 3, 2, 1]);
    expect(before.entries.map(({ n }) => n)).toEqual([3, 2]);
  });
});
