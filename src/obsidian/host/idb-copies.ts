import { joinBytes } from '../../platform/bytes/bytes.js';
import type { Copies } from '../../storage/integrity/copies.js';
import type { DeviceDatabase } from './idb.js';

/** Lines are appended to a row up to this size, because many small rows are slow to read. */
const MAX_ROW_BYTES = 64 * 1024;

/** Returns a `Copies` port backed by the device's database, whose rows contain whole lines in writing order. */
export function createIdbCopies({ use }: DeviceDatabase): Copies {
  const rowsOf = (vaultId: string) => IDBKeyRange.bound([vaultId], [vaultId, []]);
  return {
    add(vaultId, lines) {
      const added = lines.slice(); // without the rest of a shared buffer
      return use(async (db) => {
        const { store, done } = db.transaction('copies', 'readwrite');
        const last = await store.openCursor(rowsOf(vaultId), 'prev');
        const [, number] = last?.key ?? [vaultId, 0];
        const isFull = !last || last.value.length + added.length > MAX_ROW_BYTES;
        const put = isFull
          ? store.put(added, [vaultId, number + 1])
          : store.put(joinBytes([last.value, added]), [vaultId, number]);
        await Promise.all([put, done]);
      });
    },
    read: (vaultId) => use(async (db) => joinBytes(await db.getAll('copies', rowsOf(vaultId)))),
  };
}
