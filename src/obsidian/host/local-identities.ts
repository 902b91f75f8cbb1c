import type { App } from 'obsidian';
import {
  isWriterRecord,
  type Identities,
  type LaneName,
  type WriterRecord,
} from '../../storage/index.js';

/** The app needs one writer, and one more each time it is closed while opening. */
const MAX_WRITERS = 4;

/** Returns an `Identities` port in the device's local storage, which is never synced. */
export function createLocalIdentities(
  app: Pick<App, 'loadLocalStorage' | 'saveLocalStorage'>,
): Identities {
  const storageKey = (lane: LaneName) => `savepoint-writers-${lane}`;
  const load = (lane: LaneName): WriterRecord[] => {
    const stored: unknown = app.loadLocalStorage(storageKey(lane));
    return Array.isArray(stored) ? stored.filter(isWriterRecord) : [];
  };
  const save = (lane: LaneName, records: WriterRecord[]) =>
    app.saveLocalStorage(storageKey(lane), records.length > 0 ? records : null);
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
