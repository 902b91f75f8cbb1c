import { joinBytes } from '../../platform/bytes/bytes.js';
import {
  confirmedIn,
  parseSegment,
  type Copies,
  type CopyHead,
  type DeviceStore,
  type ForgetDecisions,
  type ForgetStore,
  type LastLine,
  type VaultRecord,
} from '../../storage/index.js';
import type { DeviceDatabase } from './idb.js';

/** Lines are appended to a row up to this size, because many small rows are slow to read. */
const MAX_ROW_BYTES = 64 * 1024;

/** Maximum number of rows for lines of other devices. */
const MAX_OTHER_ROWS = 256;

/** Copies of another program of this device. */
type OtherCopies = Pick<Copies, 'rewrite'>;
type Origin = Parameters<Copies['add']>[2];

/** Returns a `Copies` port in the device's database. `others` are rewritten together with it. */
export function createIdbCopies(database: DeviceDatabase, others?: OtherCopies): Copies {
  return new IdbCopies(database, others);
}

class IdbCopies implements Copies {
  readonly #use: DeviceDatabase['use'];

  readonly #others: OtherCopies | undefined;

  constructor({ use }: DeviceDatabase, others: OtherCopies | undefined) {
    this.#use = use;
    this.#others = others;
  }

  add(vaultId: string, lines: Uint8Array, origin: Origin): Promise<void> {
    const added = lines.slice(); // without the rest of a shared buffer
    const key = copiesKey(vaultId, origin);
    return this.#use(async (db) => {
      const { store, done } = db.transaction('copies', 'readwrite');
      const last = await store.openCursor(rowsOf(key), 'prev');
      const [, number] = last?.key ?? [key, 0];
      const isFull = !last || last.value.length + added.length > MAX_ROW_BYTES;
      const put = isFull
        ? store.put(added, [key, number + 1])
        : store.put(joinBytes([last.value, added]), [key, number]);
      const dropped =
        origin === 'other' && number > MAX_OTHER_ROWS
          ? store.delete(IDBKeyRange.bound([key], [key, number - MAX_OTHER_ROWS]))
          : undefined;
      await Promise.all([put, dropped, done]);
    });
  }

  /** Does nothing: the browser decides when a transaction reaches the disk. */
  sync(): Promise<void> {
    return Promise.resolve();
  }

  /** Does nothing: the database belongs to the caller, who closes it. */
  close(): Promise<void> {
    return Promise.resolve();
  }

  read(vaultId: string): Promise<Uint8Array> {
    return this.#use(async (db) =>
      joinBytes([
        ...(await db.getAll('copies', rowsOf(copiesKey(vaultId, 'own')))),
        ...(await db.getAll('copies', rowsOf(copiesKey(vaultId, 'other')))),
      ]),
    );
  }

  async rewrite(vaultId: string, change: (lines: Uint8Array) => Uint8Array): Promise<void> {
    await this.#others?.rewrite(vaultId, change);
    await this.#use(async (db) => {
      const { store, done } = db.transaction('copies', 'readwrite');
      for (const origin of ['own', 'other'] as const) {
        let row = await store.openCursor(rowsOf(copiesKey(vaultId, origin)));
        for (; row; row = await row.continue()) {
          const lines = change(row.value);
          if (lines !== row.value) await row.update(lines.slice());
        }
      }
      await done;
    });
  }

  async heads(vaultId: string): Promise<ReadonlyMap<string, CopyHead>> {
    const heads = new Map<string, CopyHead>();
    for (const { event } of parseSegment(await this.read(vaultId)).lines)
      if (event.n >= (heads.get(event.w)?.n ?? 0)) heads.set(event.w, { n: event.n, c: event.c });
    return heads;
  }

  loadRecord(): Promise<VaultRecord | undefined> {
    return this.#use(async (db) => (await db.get('vaults', RECORD_KEY)) as VaultRecord | undefined);
  }

  updateRecord(change: (record: VaultRecord | undefined) => VaultRecord): Promise<void> {
    return this.#use(async (db) => {
      const { store, done } = db.transaction('vaults', 'readwrite');
      const put = store.put(
        change((await store.get(RECORD_KEY)) as VaultRecord | undefined),
        RECORD_KEY,
      );
      await Promise.all([put, done]);
    });
  }

  async setLacking(writer: string, last: LastLine | undefined): Promise<void> {
    await this.#use(async (db) => {
      const { store, done } = db.transaction('vaults', 'readwrite');
      const before = ((await store.get(LACKING_KEY)) ?? {}) as Record<string, LastLine>;
      const { [writer]: _, ...others } = before;
      const put = store.put(last ? { ...others, [writer]: last } : others, LACKING_KEY);
      await Promise.all([put, done]);
    });
  }

  async lacking(): Promise<ReadonlyMap<string, LastLine>> {
    const stored = await this.#use((db) => db.get('vaults', LACKING_KEY));
    return new Map(Object.entries((stored ?? {}) as Record<string, LastLine>));
  }
}

/** Key of the lines up to which they could not be copied, by writer. */
const LACKING_KEY = 'lacking';

/** Key of the only vault record, because a database belongs to one vault. */
const RECORD_KEY = 'this';

/** Returns a `ForgetStore` port backed by the device's database. */
export function createIdbForgetStore(database: DeviceDatabase): ForgetStore {
  return createRow(database, 'forgets', (stored) => (stored ?? {}) as ForgetDecisions);
}

/** Returns a `DeviceStore` port backed by the device's database. */
export function createIdbDeviceStore(database: DeviceDatabase): DeviceStore {
  const own = createRow(database, 'own', (stored) => (stored ?? []) as readonly string[]);
  const confirmed = createRow(database, 'confirmed', confirmedIn, Object.fromEntries);
  return {
    load: async () => ({ own: new Set(await own.load()), confirmed: await confirmed.load() }),
    addOwn: (writer) => own.update((before) => [...new Set([...before, writer])]),
    update: (change) => confirmed.update(change),
  };
}

/** A value next to the vault's record, since a new store would need another database version. */
function createRow<T>(
  { use }: DeviceDatabase,
  key: string,
  parse: (stored: unknown) => T,
  format: (value: T) => unknown = (value) => value,
) {
  return {
    load: () => use(async (db) => parse(await db.get('vaults', key))),
    update: (change: (value: T) => T) =>
      use(async (db) => {
        const { store, done } = db.transaction('vaults', 'readwrite');
        const changed = format(change(parse(await store.get(key))));
        await Promise.all([store.put(changed as VaultRecord, key), done]);
      }),
  };
}

function copiesKey(vaultId: string, origin: Origin): string {
  return origin === 'own' ? vaultId : `${vaultId} others`;
}

function rowsOf(key: string): IDBKeyRange {
  return IDBKeyRange.bound([key], [key, []]);
}
