import type { App } from 'obsidian';
import {
  isWriterRecord,
  type Identities,
  type WriterRecord,
} from '../../storage/write/writer-identity.js';
import type { LaneName } from '../../storage/format/lanes.js';

/** Writers stored per lane. The app needs one, and another if it is closed before it has opened. */
const MAX_WRITERS = 4;

/** Returns the port Identities over the device's local storage for this vault, which is never synced. */
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
