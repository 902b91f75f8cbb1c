import { expect, it } from 'vitest';
import type { DeviceStore } from '../../src/storage/index.js';
import { WRITER_A, WRITER_B } from '../fakes/events.js';

const LAPTOP = { device: 'laptop', at: '2026-11-29T08:00:00.000Z' };

/** What each store of devices does. `again` opens it as another program of the device does. */
export function deviceStoreContract(
  create: () => { store: DeviceStore; again: () => DeviceStore },
) {
  it('knows nobody at first', async () => {
    expect(await create().store.load()).toMatchObject({ confirmed: new Map() });
    expect((await create().store.load()).own.has(WRITER_A)).toBe(false);
  });

  it('keeps what this device writes as and what was confirmed, for other programs', async () => {
    const { store, again } = create();
    await Promise.all([store.addOwn(WRITER_A), store.update(() => new Map([[WRITER_B, LAPTOP]]))]);
    await again().addOwn('cccccccccccc');
    await again().addOwn(WRITER_A);
    const { own, confirmed } = await again().load();
    expect([...own].filter((writer) => writer !== '').sort()).toEqual([WRITER_A, 'cccccccccccc']);
    expect(confirmed).toEqual(new Map([[WRITER_B, LAPTOP]]));
    await again().update((before) => new Map([...before].slice(1)));
    expect((await store.load()).confirmed).toEqual(new Map());
  });

  it('loses nothing of two programs at once', async () => {
    const { store, again } = create();
    const writers = Array.from({ length: 20 }, (_, at) => `${WRITER_A.slice(2)}${at + 10}`);
    await Promise.all(
      writers.map(async (writer, at) => {
        const used = at % 2 === 0 ? store : again();
        await used.addOwn(writer);
        await used.update((before) => new Map([...before, [writer, LAPTOP]]));
      }),
    );
    const { own, confirmed } = await again().load();
    expect(writers.filter((writer) => !own.has(writer) || !confirmed.has(writer))).toEqual([]);
  });
}
