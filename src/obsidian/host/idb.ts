import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import { Refusal } from '../../model/refusal.js';
import type { Clock } from '../../platform/clock.js';
import type { LaneName, LastLine, VaultRecord } from '../../storage/index.js';
import type { StoredWriter } from './writer-mirror.js';

/** This device's data about one vault. A new or changed store requires a new version. */
interface Schema extends DBSchema {
  /** Parsed segments, by lane and path. */
  segments: { key: [LaneName, string]; value: Uint8Array };
  /** Lines of the core lane, by vault id and origin, and row number. */
  copies: { key: [string, number]; value: Uint8Array };
  /** This device's record of the vault, in one row. */
  vaults: { key: string; value: VaultRecord | Record<string, LastLine> };
  /** Blobs, by name. */
  blobs: { key: string; value: Uint8Array };
  /** Where each writer of the log stopped, by lane and writer. */
  writers: { key: [LaneName, string]; value: StoredWriter };
}

const VERSION = 2;
const STORES = ['segments', 'copies', 'vaults', 'blobs', 'writers'] as const;

/** Time limit for opening the database, because some engines sometimes never answer. */
const OPEN_TIMEOUT_MS = 5000;

const NEWER_VERSION =
  'The data on this device is from a newer version of Savepoint. Update the plugin here to use it.';
const BLOCKED =
  'Another window still uses an older version of the data on this device. Close it, then restart the app.';
const NO_ANSWER = 'The storage of this device does not respond. Restart the app.';
const FULL =
  'The storage of this device is full, or the app has reached its limit. Free some space.';

/** The device's database for a vault. Opens on first use, and again if it was closed or deleted. */
export interface DeviceDatabase {
  /**
   * Runs a task, which must start its transaction immediately and runs again if the connection
   * was lost. Throws a `Refusal` on failure.
   */
  readonly use: <T>(task: (db: IDBPDatabase<Schema>) => Promise<T>) => Promise<T>;
  /** Closes the connection. Further uses fail. */
  readonly close: () => void;
}

/** `deviceId` identifies the device and the vault; see `readDevice`. */
export function createDatabase(deviceId: string, clock: Pick<Clock, 'after'>): DeviceDatabase {
  let connection: Promise<IDBPDatabase<Schema>> | undefined;
  let isClosed = false;

  /** Opens a connection. A connection that opens after the timeout is kept for the next use. */
  function open(): Promise<IDBPDatabase<Schema>> {
    const drop = () => {
      if (connection === opened) connection = undefined;
    };
    const opened: Promise<IDBPDatabase<Schema>> = new Promise((resolve, reject) => {
      const cancel = clock.after(OPEN_TIMEOUT_MS, () => reject(new Refusal(NO_ANSWER)));
      openDB<Schema>(`savepoint-${deviceId}`, VERSION, {
        upgrade(db) {
          for (const store of STORES)
            if (!db.objectStoreNames.contains(store)) db.createObjectStore(store);
        },
        blocked: () => reject(new Refusal(BLOCKED)),
        blocking(_, __, event) {
          drop(); // another window must not wait for this one to upgrade or delete the database
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
          (error: unknown) => reject(toRefusal(error)),
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
      if (nameOf(error) !== 'InvalidStateError' || isSecond) throw toRefusal(error);
      if (connection === used) connection = undefined;
      return use(task, true);
    }
  }

  return {
    use: (task) => use(task),
    close() {
      isClosed = true;
      // a failed connection needs no closing
      void connection?.then((db) => db.close()).catch(() => undefined);
      connection = undefined;
    },
  };
}

/** Deletes everything that can be rebuilt; copies and writers stay. */
export async function clearCaches({ use }: DeviceDatabase): Promise<void> {
  await use((db) => Promise.all([db.clear('segments'), db.clear('blobs')]));
}

function nameOf(error: unknown): string {
  return error instanceof Error || error instanceof DOMException ? error.name : '';
}

function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const name = nameOf(error);
  if (name === 'VersionError') return new Refusal(NEWER_VERSION, { cause: error });
  if (name === 'QuotaExceededError') return new Refusal(FULL, { cause: error });
  return new Refusal(
    `The storage of this device cannot be used (${name || String(error)}). Restart the app.`,
    { cause: error },
  );
}
