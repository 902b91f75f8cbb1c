import type { Cache } from '../../storage/read/cache.js';
import type { Lane } from '../../storage/format/lanes.js';
import type { Database } from './idb.js';

/** The port Cache over the device's database: a row for each segment, in the order of its lane. */
export function createIdbCache({ use }: Database): Cache {
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
      const own = records.map(({ path, bytes }) => ({ path, bytes: bytes.slice() })); // not the whole buffer that they may be a part of
      return use(async (db) => {
        const { store, done } = db.transaction('segments', 'readwrite');
        const steps = gone.map((path) => store.delete([lane, path]));
        for (const { path, bytes } of own)
          steps.push(store.put(bytes, [lane, path]).then(() => undefined));
        await Promise.all([...steps, done]);
      });
    },
    clear: () => use((db) => db.clear('segments')),
  };
}

function rangeOf(lane: Lane): IDBKeyRange {
  return IDBKeyRange.bound([lane], [lane, []]); // an array sorts after every text
}
