import 'fake-indexeddb/auto';
import { deleteDB, openDB } from 'idb';
import { describe, expect, it, vi } from 'vitest';
import { Refusal } from '../../../src/model/refusal.js';
import { createDatabase, type DeviceDatabase } from '../../../src/obsidian/host/idb.js';
import { createIdbCache } from '../../../src/obsidian/host/idb-cache.js';
import { createIdbCopies, createIdbDeviceStore } from '../../../src/obsidian/host/idb-copies.js';
import { cacheContract } from '../../contracts/cache.js';
import { copiesContract } from '../../contracts/copies.js';
import { deviceStoreContract } from '../../contracts/device-store.js';
import { createTestClock } from '../../fakes/deterministic.js';

let names = 0;

function newDatabase(): {
  name: string;
  open: () => DeviceDatabase;
  clock: ReturnType<typeof createTestClock>;
} {
  const id = `device-${++names}`;
  const clock = createTestClock();
  return { name: `savepoint-${id}`, clock, open: () => createDatabase(id, clock) };
}

const RECORD = { path: 'a', bytes: Uint8Array.of(1) };

describe('the cache in IndexedDB', () => {
  cacheContract(() => {
    const { open } = newDatabase();
    return Promise.resolve({ cache: createIdbCache(open()), again: () => createIdbCache(open()) });
  });

  it('keeps the copies when it is cleared', async () => {
    const database = newDatabase().open();
    await createIdbCopies(database).add('vault', Uint8Array.of(7), 'own');
    await createIdbCache(database).clear();
    expect(await createIdbCopies(database).read('vault')).toEqual(Uint8Array.of(7));
  });
});

describe('known writers in IndexedDB', () => {
  deviceStoreContract(() => {
    const { open } = newDatabase();
    const again = () => createIdbDeviceStore(open());
    return { store: again(), again };
  });
});

describe('copies in IndexedDB', () => {
  copiesContract(() => {
    const { open } = newDatabase();
    return Promise.resolve({
      copies: createIdbCopies(open()),
      again: () => createIdbCopies(open()),
    });
  });

  it("keeps the latest 16 MB of other devices' lines, and all of its own", async () => {
    const copies = createIdbCopies(newDatabase().open());
    const line = (at: number) => new TextEncoder().encode(`${at} ${'x'.repeat(64 * 1024)}\n`);
    for (let at = 0; at < 300; at++) await copies.add('one', line(at), 'other');
    for (let at = 0; at < 300; at++) await copies.add('one', line(at), 'own');
    const lines = new TextDecoder()
      .decode(await copies.read('one'))
      .trimEnd()
      .split('\n');
    const numbers = lines.map((text) => parseInt(text));
    expect(numbers.slice(0, 300)).toEqual(Array.from({ length: 300 }, (_, at) => at));
    expect(numbers.slice(300)).toEqual(Array.from({ length: 257 }, (_, at) => 43 + at));
  });
});

describe('DeviceDatabase', () => {
  it('is separate for each device and vault', async () => {
    const [one, other] = [newDatabase().open(), newDatabase().open()];
    await createIdbCache(one).save('core', [RECORD]);
    expect(await createIdbCache(other).load('core')).toEqual([]);
  });

  it('closes for a window with a newer version, and then reports it', async () => {
    const { name, open } = newDatabase();
    const cache = createIdbCache(open());
    await cache.save('core', [RECORD]);
    const newer = await openDB(name, 3);
    await expect(cache.load('core')).rejects.toThrow(
      /^The data on this device is from a newer version of Savepoint\./,
    );
    await expect(createIdbCache(open()).load('core')).rejects.toThrow(Refusal);
    newer.close();
  });

  it('is created again if it was deleted while open', async () => {
    const { name, open } = newDatabase();
    const cache = createIdbCache(open());
    await cache.save('core', [RECORD]);
    await deleteDB(name);
    expect(await cache.load('core')).toEqual([]);
    await cache.save('core', [RECORD]);
    expect(await cache.load('core')).toEqual([RECORD]);
  });

  it('reopens if its connection was closed', async () => {
    const { open } = newDatabase();
    const database = open();
    const cache = createIdbCache(database);
    await cache.save('core', [RECORD]);
    await database.use((db) => Promise.resolve(db.close()));
    expect(await cache.load('core')).toEqual([RECORD]);
  });

  it('does not wait for a window that keeps an older version open', async () => {
    const { name, open } = newDatabase();
    const older = await openDB(name, 1, { upgrade: (db) => void db.createObjectStore('segments') });
    const openNext = indexedDB.open.bind(indexedDB);
    // As a newer version of the plugin does.
    const opening = vi.spyOn(indexedDB, 'open').mockImplementation((asked) => openNext(asked, 2));
    const cache = createIdbCache(open());
    await expect(cache.load('core')).rejects.toThrow(/^Another window still uses an older version/);
    older.close();
    opening.mockRestore();
  });

  it('times out if the engine does not answer, and uses a late answer', async () => {
    const { open, clock } = newDatabase();
    const cache = createIdbCache(open());
    const loading = cache.load('core');
    clock.advance(5000);
    await expect(loading).rejects.toThrow(/^The storage of this device does not respond\./);
    expect(await cache.load('core')).toEqual([]);
  });

  it('reports a full or unusable database', async () => {
    const database = newDatabase().open();
    const full = () => Promise.reject(new DOMException('No space', 'QuotaExceededError'));
    await expect(database.use(full)).rejects.toThrow(/^The storage of this device is full/);
    const opening = vi.spyOn(indexedDB, 'open').mockImplementation(() => {
      throw new DOMException('No', 'SecurityError');
    });
    await expect(createIdbCache(newDatabase().open()).load('core')).rejects.toThrow(
      /cannot be used \(SecurityError\)/,
    );
    opening.mockRestore();
  });

  it('refuses use after it is closed', async () => {
    const database = newDatabase().open();
    await createIdbCache(database).load('core');
    database.close();
    await expect(createIdbCache(database).load('core')).rejects.toThrow(Refusal);
  });
});
