import type { Cache } from '../../src/storage/read/cache.js';
import type { LaneName } from '../../src/storage/format/lanes.js';

export interface MemoryCache extends Cache {
  /** By lane and path. */
  readonly records: Map<LaneName, Map<string, Uint8Array>>;
}

/** An in-memory implementation of `Cache`. */
export function createMemoryCache(): MemoryCache {
  const records = new Map<LaneName, Map<string, Uint8Array>>();
  const of = (lane: LaneName) => records.get(lane) ?? new Map<string, Uint8Array>();
  return {
    records,
    load: (lane) =>
      Promise.resolve([...of(lane)].map(([path, bytes]) => ({ path, bytes: bytes.slice() }))),
    save(lane, saved, gone = []) {
      const held = of(lane);
      for (const path of gone) held.delete(path);
      for (const { path, bytes } of saved) held.set(path, bytes.slice());
      records.set(lane, held);
      return Promise.resolve();
    },
    clear() {
      records.clear();
      return Promise.resolve();
    },
  };
}
