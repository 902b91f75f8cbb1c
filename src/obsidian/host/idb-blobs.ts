import type { Blobs } from '../../platform/blobs.js';
import type { DeviceDatabase } from './idb.js';

/** Returns a `Blobs` port backed by the device's database. A save is atomic. */
export function createIdbBlobs({ use }: DeviceDatabase): Blobs {
  return {
    names: () => use((db) => db.getAllKeys('blobs')),
    load: (name) =>
      use(async (db) => (await db.get('blobs', name)) as Uint8Array<ArrayBuffer> | undefined),
    save(blobs, obsolete = []) {
      // without the rest of a shared buffer
      const copies = blobs.map(({ name, bytes }) => ({ name, bytes: bytes.slice() }));
      return use(async (db) => {
        const { store, done } = db.transaction('blobs', 'readwrite');
        const puts = copies.map(({ name, bytes }) => store.put(bytes, name));
        await Promise.all([...puts, ...obsolete.map((name) => store.delete(name)), done]);
      });
    },
  };
}
