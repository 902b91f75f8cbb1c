import { joinBytes } from '../../platform/bytes.js';
import type { Copies } from '../../storage/integrity/copies.js';
import type { Database } from './idb.js';

/** A row is added to until it has so many bytes: many small ones take long to read. */
const ROW_BYTES = 64 * 1024;

/** The port Copies over the device's database: rows of whole lines, in the order in which they were written. */
export function createIdbCopies({ use }: Database): Copies {
  const rowsOf = (vaultId: string) => IDBKeyRange.bound([vaultId], [vaultId, []]);
  return {
    add(vaultId, lines) {
      const added = lines.slice(); // not the whole buffer that they may be a part of
      return use(async (db) => {
        const { store, done } = db.transaction('copies', 'readwrite');
        const last = await store.openCursor(rowsOf(vaultId), 'prev');
        const [, number] = last?.key ?? [vaultId, 0];
        const isFull = !last || last.value.length + added.length > ROW_BYTES;
        const put = isFull
          ? store.put(added, [vaultId, number + 1])
          : store.put(joinBytes([last.value, added]), [vaultId, number]);
        await Promise.all([put, done]);
      });
    },
    read: (vaultId) => use(async (db) => joinBytes(await db.getAll('copies', rowsOf(vaultId)))),
  };
}
