import { expect, it } from 'vitest';
import type { Blobs } from '../../src/platform/blobs.js';

const blob = (name: string, ...bytes: number[]) => ({ name, bytes: Uint8Array.from(bytes) });

async function all(blobs: Blobs): Promise<Record<string, readonly number[]>> {
  const names = (await blobs.names()).sort();
  return Object.fromEntries(
    await Promise.all(
      names.map(async (name) => [name, [...((await blobs.load(name)) ?? [])]] as const),
    ),
  );
}

/**
 * Defines the tests that every implementation of `Blobs` must pass. `open` returns an empty one.
 */
export function blobsContract(open: () => Promise<Blobs> | Blobs): void {
  it('is empty at first', async () => {
    const blobs = await open();
    expect([await blobs.names(), await blobs.load('a')]).toEqual([[], undefined]);
    await blobs.save([], ['a']);
    expect(await blobs.names()).toEqual([]);
  });

  it('stores, replaces and removes records', async () => {
    const blobs = await open();
    await blobs.save([blob('a-1', 1, 2, 3), blob('b.2')]);
    expect(await all(blobs)).toEqual({ 'a-1': [1, 2, 3], 'b.2': [] });
    await blobs.save([blob('a-1', 9), blob('c', 255)], ['b.2', 'never-there']);
    expect(await all(blobs)).toEqual({ 'a-1': [9], c: [255] });
  });

  it('stores a copy of the bytes, so that later changes have no effect', async () => {
    const blobs = await open();
    const bytes = Uint8Array.from({ length: 100_003 }, (_, at) => (at * 7) & 255);
    await blobs.save([{ name: 'part', bytes: bytes.subarray(5, 90_000) }]);
    const expected = bytes.slice(5, 90_000);
    bytes.fill(0);
    const loaded = await blobs.load('part');
    expect(Buffer.compare(loaded!, expected)).toBe(0);
    loaded!.fill(1);
    expect(Buffer.compare((await blobs.load('part'))!, expected)).toBe(0);
  });

  it.each([0, 1, 7, 4096, 70_001])(
    'returns %i bytes aligned to eight, as typed arrays require',
    async (length) => {
      const blobs = await open();
      await blobs.save([{ name: 'x', bytes: new Uint8Array(length) }]);
      const loaded = await blobs.load('x');
      expect([loaded?.length, (loaded?.byteOffset ?? 1) % 8]).toEqual([length, 0]);
    },
  );

  it('supports concurrent saves', async () => {
    const blobs = await open();
    await Promise.all(
      Array.from({ length: 20 }, (_, at) => blobs.save([blob(`n-${at}`, at), blob('last', 1)])),
    );
    expect(Object.keys(await all(blobs))).toHaveLength(21);
  });
}
