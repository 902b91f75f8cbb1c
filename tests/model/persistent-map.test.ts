import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  changedKeys,
  emptyMap,
  mapEntries,
  mapGet,
  mapSet,
  mapUpdate,
  type Owner,
  type PersistentMap,
} from '../../src/model/persistent-map.js';

function contentOf<V>(map: PersistentMap<V>): [string, V][] {
  return [...mapEntries(map)].sort(([a], [b]) => (a < b ? -1 : 1));
}

function sorted<V>(map: Map<string, V>): [string, V][] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1));
}

function filled(count: number, owner?: Owner): PersistentMap<number> {
  let map = emptyMap<number>();
  for (let i = 0; i < count; i++) map = mapSet(map, `key ${i}`, i, owner);
  return map;
}

const someKey = fc.oneof(
  fc.string({ maxLength: 3 }),
  fc.integer({ min: 0, max: 60 }).map(String),
  fc.constantFrom('__proto__', 'constructor', ''),
);

describe('a persistent map', () => {
  it('behaves like a Map, with and without an owner', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(someKey, fc.integer(), fc.boolean()), { maxLength: 120 }),
        (steps) => {
          const model = new Map<string, number>();
          const owner: Owner = {};
          let map = emptyMap<number>();
          for (const [key, value, isOwned] of steps) {
            map = mapSet(map, key, value, isOwned ? owner : undefined);
            model.set(key, value);
          }
          expect(contentOf(map)).toEqual(sorted(model));
          for (const key of model.keys()) expect(mapGet(map, key)).toBe(model.get(key));
        },
      ),
      { numRuns: 150 },
    );
  });

  it('calls `change` once with the current value', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(someKey, fc.boolean()), { maxLength: 120 }), (steps) => {
        const model = new Map<string, number>();
        const owner: Owner = {};
        let map = emptyMap<number>();
        for (const [key, isOwned] of steps) {
          const handed: (number | undefined)[] = [];
          const raise = (held: number | undefined) => {
            handed.push(held);
            return (held ?? 0) + 1;
          };
          const before = contentOf(map);
          const next = mapUpdate(map, key, raise, isOwned ? owner : undefined);
          expect(handed).toEqual([model.get(key)]);
          if (!isOwned) expect(contentOf(map)).toEqual(before);
          model.set(key, (model.get(key) ?? 0) + 1);
          map = next;
        }
        expect(contentOf(map)).toEqual(sorted(model));
      }),
      { numRuns: 60 },
    );
  });

  it('leaves older versions unchanged without an owner', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(someKey, fc.integer()), { maxLength: 80 }), (steps) => {
        const model = new Map<string, number>();
        const versions: [PersistentMap<number>, [string, number][]][] = [];
        let map = emptyMap<number>();
        for (const [key, value] of steps) {
          versions.push([map, sorted(model)]);
          map = mapSet(map, key, value);
          model.set(key, value);
        }
        for (const [version, content] of versions) expect(contentOf(version)).toEqual(content);
      }),
      { numRuns: 60 },
    );
  });

  it('leaves a published map unchanged in a later bulk change', () => {
    const published = filled(2000);
    const owner: Owner = {};
    let next = published;
    for (let i = 0; i < 2000; i++) next = mapSet(next, `key ${i}`, -1, owner);
    for (let i = 0; i < 500; i++) next = mapSet(next, `more ${i}`, -1, owner);
    expect(contentOf(published)).toEqual(contentOf(filled(2000)));
    expect(contentOf(next)).toHaveLength(2500);
    expect(contentOf(next).every(([, value]) => value === -1)).toBe(true);
  });

  it('keeps the maps of different bulk changes separate', () => {
    const first = filled(1000, {});
    const second = mapSet(first, 'key 1', -1, {});
    const third = mapSet(first, 'key 2', -1);
    expect([mapGet(first, 'key 1'), mapGet(first, 'key 2')]).toEqual([1, 2]);
    expect([mapGet(second, 'key 1'), mapGet(third, 'key 2')]).toEqual([-1, -1]);
  });

  it('never changes the empty map', () => {
    const empty = emptyMap<number>();
    mapSet(empty, 'a', 1, {});
    expect([contentOf(empty), mapGet(empty, 'a')]).toEqual([[], undefined]);
  });

  it('yields each key that differs between two maps once', () => {
    const steps = fc.array(fc.tuple(someKey, fc.integer({ max: 3 })), { maxLength: 120 });
    fc.assert(
      fc.property(steps, steps, steps, fc.boolean(), (shared, left, right, isLarge) => {
        const set = (map: PersistentMap<number>, [key, value]: readonly [string, number]) =>
          mapSet(map, key, value);
        const common = shared.reduce(set, isLarge ? filled(300) : emptyMap<number>());
        const [a, b] = [left.reduce(set, common), right.reduce(set, common)];
        const keys = new Set([...contentOf(a), ...contentOf(b)].map(([key]) => key));
        const differing = [...keys].filter((key) => mapGet(a, key) !== mapGet(b, key));
        expect([...changedKeys(a, b)].sort()).toEqual(differing.sort());
      }),
      { numRuns: 150 },
    );
  });

  it('distinguishes 32 keys with the same hash', () => {
    const keys = COLLIDING.reduce<string[]>(
      (texts, ends) => texts.flatMap((text) => ends.map((end) => text + end)),
      [''],
    );
    let map = emptyMap<number>();
    keys.forEach((key, index) => (map = mapSet(map, key, index)));
    keys.forEach((key, index) => (map = mapSet(map, key, index + 1)));
    expect(keys.map((key) => mapGet(map, key))).toEqual(keys.map((_, index) => index + 1));
    expect(contentOf(map)).toHaveLength(32);
  });
});

/**
 * Pairs of strings with equal FNV-1a hashes at their position, so that all concatenations have the
 * same hash.
 */
const COLLIDING = [
  ['7yzx', 'e6ad'],
  ['33zx', 'epad'],
  ['33zx', 'epad'],
  ['33zx', 'epad'],
  ['33zx', 'epad'],
];
