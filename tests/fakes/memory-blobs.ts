import type { Blobs } from '../../src/platform/blobs.js';

export interface MemoryBlobs extends Blobs {
  readonly records: Map<string, Uint8Array<ArrayBuffer>>;
}

/** An in-memory implementation of `Blobs`. */
export function createMemoryBlobs(): MemoryBlobs {
  const records = new Map<string, Uint8Array<ArrayBuffer>>();
  return {
    records,
    names: () => Promise.resolve([...records.keys()]),
    load: (name) => Promise.resolve(records.get(name)?.slice()),
    save(blobs, obsolete = []) {
      for (const { name, bytes } of blobs) records.set(name, bytes.slice());
      for (const name of obsolete) records.delete(name);
      return Promise.resolve();
    },
  };
}
