import type { Blobs } from '../../platform/blobs.js';
import type { Database } from './idb.js';

/** The port Blobs over the device's database: all of a save, or nothing. */
export function createIdbBlobs({ use }: Database): Blobs {
  return {
    names: () => use((db) => db.getAllKeys('blobs')),
    load: (name) =>
      use(async (db) => (await db.get('blobs', name)) as Uint8Array<ArrayBuffer> | undefined),
    save(blobs, obsolete = []) {
      const own = blobs.map(({ name, bytes }) => ({ name, bytes: bytes.slice() })); // not the whole buffer that they may be a part of
      return use(async (db) => {
        const { store, done } = db.transaction('blobs', 'readwrite');
        const puts = own.map(({ name, bytes }) => store.put(bytes, name));
        await Promise.all([...puts, ...obsolete.map((name) => store.delete(name)), done]);
      });
    },
  };
}
