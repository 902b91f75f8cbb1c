import type { Identities, LaneName, WriterRecord } from '../../storage/index.js';
import type { DeviceDatabase } from './idb.js';

type Locks = Pick<LockManager, 'request'>;

/**
 * Returns an `Identities` port for phones, which end the app without notice. Writers are in the
 * database, because local storage reaches the disk late. A lock marks a window's writer and ends
 * with the window; without locks, only released writers are stored. A failure of the database is
 * reported once; then all writers are new and none is stored.
 */
export function createIdbIdentities(
  database: DeviceDatabase,
  locks: Locks | undefined,
  report: (error: unknown) => void,
): Identities {
  return new IdbIdentities(database, locks, report);
}

class IdbIdentities implements Identities {
  readonly #use: DeviceDatabase['use'];
  readonly #locks: Locks | undefined;
  readonly #report: (error: unknown) => void;
  /** Functions that end the locks of this window, by writer. */
  readonly #held = new Map<string, () => void>();
  #hasFailed = false;

  constructor({ use }: DeviceDatabase, locks: Locks | undefined, report: (error: unknown) => void) {
    this.#use = use;
    this.#locks = locks;
    this.#report = report;
  }

  acquire(lane: LaneName): Promise<WriterRecord | undefined> {
    return this.#attempt(async () => {
      const stored = await this.#use((db) => db.getAll('writers', rangeOf(lane)));
      // the newest segment first, because the others may have to be sealed
      for (const { writer } of stored.sort((a, b) => (a.h < b.h ? 1 : -1))) {
        // one that this window uses is not free either
        if (this.#held.has(writer) || !(await this.#hold(writer))) continue;
        const record = await this.#take(lane, writer);
        if (record) return record;
        this.#letGo(writer);
      }
      return undefined;
    });
  }

  async release(lane: LaneName, record: WriterRecord): Promise<void> {
    await this.#attempt(() => this.#put(lane, record));
    this.#letGo(record.writer);
  }

  async save(lane: LaneName, record: WriterRecord): Promise<void> {
    if (!this.#locks) return;
    await this.#attempt(async () => {
      if (await this.#hold(record.writer)) await this.#put(lane, record);
    });
  }

  async forget(lane: LaneName, writer: string): Promise<void> {
    await this.#attempt(() => this.#use((db) => db.delete('writers', [lane, writer])));
    this.#letGo(writer);
  }

  /** Returns the writer as it is now, since another window may have used it in the meantime. */
  #take(lane: LaneName, writer: string): Promise<WriterRecord | undefined> {
    return this.#use(async (db) => {
      const { store, done } = db.transaction('writers', 'readwrite');
      const record = await store.get([lane, writer]);
      const removed = this.#locks ? undefined : store.delete([lane, writer]);
      await Promise.all([removed, done]);
      return record;
    });
  }

  #put(lane: LaneName, record: WriterRecord): Promise<unknown> {
    return this.#use((db) => db.put('writers', record, [lane, record.writer]));
  }

  /** Locks a writer for this window. Returns false if another one uses it. */
  async #hold(writer: string): Promise<boolean> {
    if (!this.#locks || this.#held.has(writer)) return true;
    const request = () => this.#request(writer);
    return request().catch(request); // Chromium rejects what it grants while it opens a window
  }

  #request(writer: string): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#locks
        ?.request(`savepoint-writer-${writer}`, { ifAvailable: true }, (lock) => {
          resolve(lock !== null);
          if (!lock) return undefined;
          return new Promise<void>((letGo) => this.#held.set(writer, letGo));
        })
        .catch(reject);
    });
  }

  #letGo(writer: string): void {
    this.#held.get(writer)?.();
    this.#held.delete(writer);
  }

  async #attempt<T>(task: () => Promise<T>): Promise<T | undefined> {
    if (this.#hasFailed) return undefined;
    try {
      return await task();
    } catch (error) {
      this.#hasFailed = true;
      this.#report(error);
      return undefined;
    }
  }
}

function rangeOf(lane: LaneName): IDBKeyRange {
  return IDBKeyRange.bound([lane], [lane, []]); // an array sorts after every string
}
