import type { App } from 'obsidian';
import {
  isWriterRecord,
  type Identities,
  type WriterRecord,
} from '../../storage/write/writer-identity.js';
import type { LaneName } from '../../storage/format/lanes.js';

/**
 * Maximum number of writers stored per lane. The app needs one, and one more each time it is closed
 * while still opening.
 */
const MAX_WRITERS = 4;

/**
 * Returns an `Identities` port backed by the device's local storage for this vault, which is never
 * synced.
 */
export function createLocalIdentities(
  app: Pick<App, 'loadLocalStorage' | 'saveLocalStorage'>,
): Identities {
  const keyOf = (lane: LaneName) => `savepoint-writers-${lane}`;
  const load = (lane: LaneName): WriterRecord[] => {
    const stored: unknown = app.loadLocalStorage(keyOf(lane));
    return Array.isArray(stored) ? stored.filter(isWriterRecord) : [];
  };
  const save = (lane: LaneName, records: WriterRecord[]) =>
    app.saveLocalStorage(keyOf(lane), records.length > 0 ? records : null);
  return {
    acquire(lane) {
      const records = load(lane);
      const record = records.pop();
      if (record) save(lane, records);
      return Promise.resolve(record);
    },
    release(lane, record) {
      save(lane, [...load(lane), record].slice(-MAX_WRITERS));
      return Promise.resolve();
    },
  };
}
