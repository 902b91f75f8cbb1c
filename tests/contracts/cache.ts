import { expect, it } from 'vitest';
import type { Cache } from '../../src/storage/read/cache.js';
import { LANES, type LaneName } from '../../src/storage/format/lanes.js';

const record = (path: string, ...bytes: number[]) => ({ path, bytes: Uint8Array.from(bytes) });

async function all(cache: Cache, lane: LaneName): Promise<Record<string, number[]>> {
  return Object.fromEntries((await cache.load(lane)).map(({ path, bytes }) => [path, [...bytes]]));
}

/**
 * Defines the tests that every implementation of `Cache` must pass. `open` returns an empty one,
 * and `again` opens it like another process.
 */
export function cacheContract(open: () => Promise<{ cache: Cache; again: () => Cache }>): void {
  it('is empty at first', async () => {
    const { cache } = await open();
    expect(await all(cache, 'core')).toEqual({});
    await cache.save('core', [], ['S/core/never-there.jsonl']);
    expect(await all(cache, 'core')).toEqual({});
  });

  it('stores the last saved record per lane and path', async () => {
    const { cache } = await open();
    await cache.save('core', [record('S/core/a.jsonl', 1, 2), record('S/core/ü "b" \u2028.jsonl')]);
    await cache.save('trace', [record('S/core/a.jsonl', 7)]);
    await cache.save('core', [record('S/core/a.jsonl', 3)]);
    expect(await all(cache, 'core')).toEqual({
      'S/core/a.jsonl': [3],
      'S/core/ü "b" \u2028.jsonl': [],
    });
    expect(await all(cache, 'trace')).toEqual({ 'S/core/a.jsonl': [7] });
    expect(await all(cache, 'chat')).toEqual({});
  });

  it.each(LANES)('stores and clears records of the lane %s', async (lane) => {
    const { cache, again } = await open();
    await cache.save(lane, [record('a', 1)]);
    expect(await all(again(), lane)).toEqual({ a: [1] });
    await cache.clear();
    expect(await all(again(), lane)).toEqual({});
  });

  it('removes records while it saves others', async () => {
    const { cache } = await open();
    await cache.save('trace', [record('a', 1), record('b', 2), record('c', 3)]);
    await cache.save('trace', [record('d', 4), record('a', 5)], ['b', 'c', 'x']);
    expect(await all(cache, 'trace')).toEqual({ a: [5], d: [4] });
    await cache.save('trace', [record('b', 6)], ['b']);
    expect(await all(cache, 'trace')).toEqual({ a: [5], b: [6], d: [4] });
  });

  it('stores a copy of the bytes, so that later changes have no effect', async () => {
    const { cache } = await open();
    const bytes = Uint8Array.from({ length: 100_003 }, (_, at) => (at * 7) & 255);
    const expected = bytes.slice(5, 90_000);
    const saving = cache.save('chat', [{ path: 'a', bytes: bytes.subarray(5, 90_000) }]);
    bytes.fill(0);
    await saving;
    const [loaded] = await cache.load('chat');
    expect(Buffer.compare(loaded!.bytes, expected)).toBe(0);
  });

  it('has the same records for two processes', async () => {
    const { cache, again } = await open();
    const other = again();
    await cache.save('core', [record('a', 1)]);
    expect(await all(other, 'core')).toEqual({ a: [1] });
    await other.save('core', [record('a', 2), record('b', 3)]);
    expect(await all(cache, 'core')).toEqual({ a: [2], b: [3] });
    expect(await all(again(), 'core')).toEqual({ a: [2], b: [3] });
  });

  it('has the latest records after many sequential and concurrent saves', async () => {
    const { cache, again } = await open();
    const other = again();
    for (let round = 0; round < 40; round++)
      await cache.save('trace', [record(`p${round % 7}`, round)], [`p${(round + 3) % 7}`]);
    expect(await all(cache, 'trace')).toEqual({ p1: [36], p2: [37], p3: [38], p4: [39] });
    await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        (at % 2 ? cache : other).save('trace', [record(`q${at}`, at)]),
      ),
    );
    const held = await all(again(), 'trace');
    expect(Object.keys(held).filter((path) => path.startsWith('q'))).toHaveLength(20);
    expect(held).toMatchObject({ p1: [36], p4: [39], q19: [19] });
  });

  it('is empty after clear(), and still works', async () => {
    const { cache, again } = await open();
    await cache.save('core', [record('a', 1)]);
    await cache.save('trace', [record('b', 2)]);
    await cache.clear();
    expect([await all(cache, 'core'), await all(again(), 'trace')]).toEqual([{}, {}]);
    await cache.save('trace', [record('c', 3)]);
    expect(await all(cache, 'trace')).toEqual({ c: [3] });
  });
}
