import type { Cache, LaneName } from '../../storage/index.js';
import type { DeviceDatabase } from './idb.js';

/** Returns a `Cache` in the device's database, which has a row per segment, ordered by lane. */
export function createIdbCache({ use }: DeviceDatabase): Cache {
  return {
    load: (lane) =>
      use(async (db) => {
        const store = db.transaction('segments').store;
        const [keys, values] = await Promise.all([
          store.getAllKeys(rangeOf(lane)),
          store.getAll(rangeOf(lane)),
        ]);
        return keys.map(([, path], at) => ({ path, bytes: values[at]! }));
      }),
    save(lane, records, gone = []) {
      // without the rest of a shared buffer
      const copies = records.map(({ path, bytes }) => ({ path, bytes: bytes.slice() }));
      return use(async (db) => {
        const { store, done } = db.transaction('segments', 'readwrite');
        const steps = gone.map((path) => store.delete([lane, path]));
        for (const { path, bytes } of copies)
          steps.push(store.put(bytes, [lane, path]).then(() => undefined));
        await Promise.all([...steps, done]);
      });
    },
    clear: () => use((db) => db.clear('segments')),
  };
}

function rangeOf(lane: LaneName): IDBKeyRange {
  return IDBKeyRange.bound([lane], [lane, []]); // an array sorts after every string
}
