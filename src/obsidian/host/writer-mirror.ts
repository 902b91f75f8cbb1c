import type { App } from 'obsidian';
import { isWriterRecord, type LaneName, type WriterRecord } from '../../storage/index.js';

/** A writer as a device stores it. */
export interface StoredWriter extends WriterRecord {
  /** Identifies the machine on which it wrote; undefined if that was not known. */
  readonly machine?: string | undefined;
}

/** Stores writers a second time, because a system may delete the database alone. */
export interface WriterMirror {
  load(lane: LaneName): StoredWriter[];
  put(lane: LaneName, record: StoredWriter): void;
  remove(lane: LaneName, writer: string): void;
}

/** The app needs one writer, and one more for each further window or copied device. */
const MAX_WRITERS = 4;

/** Returns a mirror in the device's local storage, which is never synced. */
export function createWriterMirror(
  app: Pick<App, 'loadLocalStorage' | 'saveLocalStorage'>,
): WriterMirror {
  const storageKey = (lane: LaneName) => `savepoint-writers-${lane}`;
  const load = (lane: LaneName): StoredWriter[] => {
    const stored: unknown = app.loadLocalStorage(storageKey(lane));
    return Array.isArray(stored) ? stored.filter(isWriterRecord) : [];
  };
  const others = (lane: LaneName, writer: string) =>
    load(lane).filter((record) => record.writer !== writer);
  const save = (lane: LaneName, records: readonly StoredWriter[]) =>
    app.saveLocalStorage(storageKey(lane), records.length > 0 ? records : null);
  return {
    load,
    put: (lane, record) => save(lane, [...others(lane, record.writer), record].slice(-MAX_WRITERS)),
    remove: (lane, writer) => save(lane, others(lane, writer)),
  };
}
