import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import { Refusal } from '../../model/refusal.js';
import type { Clock } from '../../platform/clock.js';
import type { Lane } from '../../storage/format/lanes.js';

/** What this device keeps for one vault outside of it. A new store, or another shape of one, is a new version. */
interface Schema extends DBSchema {
  /** Of segments that were read, by lane and path. */
  segments: { key: [Lane, string]; value: Uint8Array };
  /** Lines that this device has written, by vault id and number. */
  copies: { key: [string, number]; value: Uint8Array };
  /** By name. */
  blobs: { key: string; value: Uint8Array };
}

const VERSION = 1;
const STORES = ['segments', 'copies', 'blobs'] as const;

/** Some engines have been seen never to answer. */
const OPEN_LIMIT_MS = 5000;

const NEWER =
  'This device has stored data of a newer version of Savepoint. Update the plugin here to use them.';
const BLOCKED =
  'Another window still uses an older version of what this device has stored. Close it and restart.';
const SILENT = 'The storage of this device does not answer. Restart the app.';
const FULL =
  'The storage of this device is full, or the app may not use more of it. Free some space.';

/** The device's database for one vault: opened when it is first used, and anew where it was closed, deleted or taken away. */
export interface Database {
  /** Runs a task that begins its transaction at once; twice where the connection turns out to be gone. Trouble is a `Refusal`. */
  readonly use: <T>(task: (db: IDBPDatabase<Schema>) => Promise<T>) => Promise<T>;
  /** Later uses fail. */
  readonly close: () => void;
}

/** `deviceId` is this device's for this vault: a vault that was copied begins anew. */
export function createDatabase(deviceId: string, clock: Pick<Clock, 'after'>): Database {
  let connection: Promise<IDBPDatabase<Schema>> | undefined;
  let isClosed = false;

  /** An answer that comes too late is used by whoever comes next. */
  function open(): Promise<IDBPDatabase<Schema>> {
    const drop = () => {
      if (connection === opened) connection = undefined;
    };
    const opened: Promise<IDBPDatabase<Schema>> = new Promise((resolve, reject) => {
      const cancel = clock.after(OPEN_LIMIT_MS, () => reject(new Refusal(SILENT)));
      openDB<Schema>(`savepoint-${deviceId}`, VERSION, {
        upgrade(db) {
          for (const store of STORES)
            if (!db.objectStoreNames.contains(store)) db.createObjectStore(store);
        },
        blocked: () => reject(new Refusal(BLOCKED)),
        blocking(_, __, event) {
          drop(); // another window must not wait for this one to make its version, or to delete this one
          (event.target as IDBDatabase).close();
        },
        terminated: drop,
      })
        .then(
          (db) => {
            resolve(db);
            if (isClosed) db.close();
            else if (connection !== opened) connection = Promise.resolve(db);
          },
          (error: unknown) => reject(inWords(error)),
        )
        .finally(cancel);
    });
    opened.catch(drop);
    return opened;
  }

  async function use<T>(
    task: (db: IDBPDatabase<Schema>) => Promise<T>,
    isSecond = false,
  ): Promise<T> {
    if (isClosed) throw new Refusal('Savepoint is closed.');
    const used = (connection ??= open());
    try {
      return await task(await used);
    } catch (error) {
      if (nameOf(error) !== 'InvalidStateError' || isSecond) throw inWords(error);
      if (connection === used) connection = undefined;
      return use(task, true);
    }
  }

  return {
    use: (task) => use(task),
    close() {
      isClosed = true;
      void connection?.then((db) => db.close()).catch(() => undefined); // what was never opened need not be closed
      connection = undefined;
    },
  };
}

/** Forgets all that can be made anew; what cannot, the copies, stays. */
export async function forgetReadings({ use }: Database): Promise<void> {
  await use((db) => Promise.all([db.clear('segments'), db.clear('blobs')]));
}

function nameOf(error: unknown): string {
  return error instanceof Error || error instanceof DOMException ? error.name : '';
}

function inWords(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const name = nameOf(error);
  if (name === 'VersionError') return new Refusal(NEWER, { cause: error });
  if (name === 'QuotaExceededError') return new Refusal(FULL, { cause: error });
  return new Refusal(
    `The storage of this device cannot be used (${name || String(error)}). Restart the app.`,
    { cause: error },
  );
}
