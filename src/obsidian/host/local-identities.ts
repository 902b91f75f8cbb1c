import type { App } from 'obsidian';
import {
  isWriterRecord,
  type Identities,
  type WriterRecord,
} from '../../storage/write/writer-identity.js';
import type { Lane } from '../../storage/format/lanes.js';

/** So many writers are kept for a lane; the app needs one, and another where it was closed before it had opened. */
const KEPT = 4;

/** The port Identities over the device's own storage for this vault, which no sync carries. */
export function createLocalIdentities(
  app: Pick<App, 'loadLocalStorage' | 'saveLocalStorage'>,
): Identities {
  const keyOf = (lane: Lane) => `savepoint-writers-${lane}`;
  const load = (lane: Lane): WriterRecord[] => {
    const held: unknown = app.loadLocalStorage(keyOf(lane));
    return Array.isArray(held) ? held.filter(isWriterRecord) : [];
  };
  const save = (lane: Lane, records: WriterRecord[]) =>
    app.saveLocalStorage(keyOf(lane), records.length > 0 ? records : null);
  return {
    take(lane) {
      const records = load(lane);
      const record = records.pop();
      if (record) save(lane, records);
      return Promise.resolve(record);
    },
    give(lane, record) {
      save(lane, [...load(lane), record].slice(-KEPT));
      return Promise.resolve();
    },
  };
}
