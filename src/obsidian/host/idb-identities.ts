import type { Identities, LaneName, WriterRecord } from '../../storage/index.js';
import type { DeviceDatabase } from './idb.js';
import type { StoredWriter, WriterMirror } from './writer-mirror.js';

type Locks = Pick<LockManager, 'request'>;

export interface IdbIdentitiesOptions {
  readonly database: DeviceDatabase;
  readonly locks: Locks | undefined;
  readonly mirror: WriterMirror;
  /** Tells this machine from those with a copy of its storage; undefined or empty if unknown. */
  readonly machine: Promise<string | undefined>;
  /** Called once, with the first failure of the database or the locks. */
  readonly report: (error: unknown) => void;
}

/**
 * Returns an `Identities` port for the app, which may be killed without notice. Writers are in the
 * database, because local storage reaches the disk late, and in the mirror, because the database
 * may be deleted. A lock marks a window's writer and ends with the window. The writer of another
 * machine counts as sealed: both would append to its segment. Without locks, only released writers
 * are stored; without locks or a known machine, the mirror is not used.
 */
export function createIdbIdentities(options: IdbIdentitiesOptions): Identities {
  return new IdbIdentities(options);
}

class IdbIdentities implements Identities {
  readonly #options: IdbIdentitiesOptions;
  readonly #use: DeviceDatabase['use'];
  readonly #mirror: Promise<WriterMirror | undefined>;
  /** Functions that end the locks of this window, by writer. */
  readonly #held = new Map<string, () => void>();
  #hasFailed = false;

  constructor(options: IdbIdentitiesOptions) {
    const { locks, mirror, machine } = options;
    this.#options = options;
    this.#use = options.database.use;
    this.#mirror = machine.then((id) => (locks && id ? mirror : undefined));
  }

  async acquire(lane: LaneName): Promise<WriterRecord | undefined> {
    const machine = await this.#options.machine;
    const stored = await this.#attempt(() =>
      this.#use((db) => db.getAll('writers', rangeOf(lane))),
    );
    const mirrored = (await this.#mirror)?.load(lane) ?? [];
    // the newest segment first, because the others may have to be sealed
    const all = [...(stored ?? []), ...mirrored].sort((a, b) => (a.h < b.h ? 1 : -1));
    for (const { writer } of all) {
      // one that this window uses is not free either
      if (this.#held.has(writer) || !(await this.#hold(writer))) continue;
      const record = await this.#take(lane, writer);
      if (record) return record.machine === machine ? record : { ...record, isSealed: true };
      this.#letGo(writer);
    }
    return undefined;
  }

  async release(lane: LaneName, record: WriterRecord): Promise<void> {
    await this.#put(lane, record);
    this.#letGo(record.writer);
  }

  async save(lane: LaneName, record: WriterRecord): Promise<void> {
    if (this.#options.locks && (await this.#hold(record.writer))) await this.#put(lane, record);
  }

  async forget(lane: LaneName, writer: string): Promise<void> {
    await this.#attempt(() => this.#use((db) => db.delete('writers', [lane, writer])));
    (await this.#mirror)?.remove(lane, writer);
    this.#letGo(writer);
  }

  /** Returns the writer as it is now, since another window may have used it in the meantime. */
  async #take(lane: LaneName, writer: string): Promise<StoredWriter | undefined> {
    const { locks } = this.#options;
    const takeStored = () =>
      this.#use(async (db) => {
        const { store, done } = db.transaction('writers', 'readwrite');
        const record = await store.get([lane, writer]);
        const removed = locks ? undefined : store.delete([lane, writer]);
        await Promise.all([removed, done]);
        return record;
      });
    const stored = await this.#attempt(takeStored);
    const mirrored = (await this.#mirror)?.load(lane).find((record) => record.writer === writer);
    return mirrored && mirrored.n > (stored?.n ?? 0) ? mirrored : stored;
  }

  async #put(lane: LaneName, record: WriterRecord): Promise<void> {
    const stored: StoredWriter = { ...record, machine: await this.#options.machine };
    await this.#attempt(() => this.#use((db) => db.put('writers', stored, [lane, record.writer])));
    (await this.#mirror)?.put(lane, stored);
  }

  /** Locks a writer for this window. Returns false if another one uses it, or on failure. */
  async #hold(writer: string): Promise<boolean> {
    if (!this.#options.locks || this.#held.has(writer)) return true;
    const request = () => this.#request(writer);
    // Chromium rejects what it grants while it opens a window
    return request()
      .catch(request)
      .catch((error: unknown) => {
        this.#fail(error);
        return false;
      });
  }

  #request(writer: string): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#options.locks
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

  /** Runs a task on the database. Returns undefined if it fails or has failed. */
  async #attempt<T>(task: () => Promise<T>): Promise<T | undefined> {
    if (this.#hasFailed) return undefined;
    try {
      return await task();
    } catch (error) {
      this.#fail(error);
      return undefined;
    }
  }

  #fail(error: unknown): void {
    if (!this.#hasFailed) this.#options.report(error);
    this.#hasFailed = true;
  }
}

function rangeOf(lane: LaneName): IDBKeyRange {
  return IDBKeyRange.bound([lane], [lane, []]); // an array sorts after every string
}
