import 'fake-indexeddb/auto';
import { deleteDB } from 'idb';
import { createIdbCopies } from '../../src/obsidian/host/idb-copies.js';
import { createIdbIdentities } from '../../src/obsidian/host/idb-identities.js';
import { createDatabase, type DeviceDatabase } from '../../src/obsidian/host/idb.js';
import { createVaultFiles } from '../../src/obsidian/host/vault-files.js';
import { createWriterMirror } from '../../src/obsidian/host/writer-mirror.js';
import type { Files } from '../../src/platform/files.js';
import type { LaneName } from '../../src/storage/format/lanes.js';
import type { Log } from '../../src/storage/vault-log.js';
import { createLog } from '../../src/storage/vault-log.js';
import type { Identities, WriterRecord } from '../../src/storage/write/writer-identity.js';
import { CapacitorAdapter } from '../host/obsidian/adapter.js';
import { KillableMedium } from '../host/obsidian/killable-medium.js';
import type { Medium } from '../host/obsidian/medium.js';
import { MemoryMedium } from '../host/obsidian/memory-medium.js';
import { createTestClock, createTestRandom } from './deterministic.js';
import { createLocalStorage } from './local-storage.js';
import { DeviceLocks } from './locks.js';

export interface PhoneOptions {
  readonly seed?: number;
  /** False for a web view without locks. */
  readonly hasLocks?: boolean;
  /** False for an app that does not say which phone it runs on. */
  readonly hasMachineId?: boolean;
  /** Breaks the program or the device on purpose. */
  readonly sabotage?: PhoneSabotage;
}

export interface PhoneSabotage {
  medium?(medium: Medium): Medium;
  files?(files: Files): Files;
  identities?(identities: Identities): Identities;
  readonly hasLocksForAll?: boolean;
}

/** One run of the app on a phone. */
export interface PhoneApp {
  readonly log: Log;
  readonly medium: KillableMedium;
  /** Ids of the writers that it uses. */
  readonly writers: ReadonlySet<string>;
  /** Kills the app: nothing of it runs any more. */
  kill(): void;
  quit(): Promise<void>;
}

/** What a backup has of the app's storage. */
export interface PhoneBackup {
  readonly writers: readonly (readonly [LaneName, WriterRecord])[];
  readonly localStorage: ReadonlyMap<string, string>;
}

let phones = 0;

/** A phone: the vault's files and the app's storage, which outlive the app. */
export class Phone {
  readonly clock = createTestClock();
  readonly vault: MemoryMedium;
  readonly warnings: string[] = [];
  readonly #name = `phone-${++phones}`;
  readonly #options: PhoneOptions;
  readonly #random: ReturnType<typeof createTestRandom>;
  readonly #localStorage = new Map<string, string>();
  #locks = new DeviceLocks();

  constructor(options: PhoneOptions = {}, vault = new MemoryMedium()) {
    this.vault = vault;
    this.#options = options;
    this.#random = createTestRandom(options.seed ?? phones);
  }

  start(root = 'Savepoint'): PhoneApp {
    const { sabotage = {}, hasLocks = true, hasMachineId = true } = this.#options;
    const medium = new KillableMedium(this.vault);
    if (sabotage.hasLocksForAll) this.#locks = new DeviceLocks();
    const window = this.#locks.open();
    const database = this.openDatabase(medium);
    const adapter = new CapacitorAdapter(sabotage.medium?.(medium) ?? medium, 'Vault', () =>
      Promise.resolve(),
    );
    const files = createVaultFiles(adapter, this.clock);
    const warn = (problem: unknown) => void this.warnings.push(String(problem));
    const identities = createIdbIdentities({
      database,
      locks: hasLocks ? window.locks : undefined,
      mirror: createWriterMirror(this.#storageOf(medium)),
      machine: Promise.resolve(hasMachineId ? this.#name : undefined),
      report: warn,
    });
    const writers = new Set<string>();
    const log = createLog({
      files: sabotage.files?.(files) ?? files,
      identities: observed(sabotage.identities?.(identities) ?? identities, writers),
      copies: createIdbCopies(database),
      root,
      clock: this.clock,
      random: this.#random,
      app: 'savepoint/test',
      device: 'phone',
      warn,
    });
    void medium.died.then(window.end);
    return {
      log,
      medium,
      writers,
      kill: () => medium.kill(),
      async quit() {
        await log.close();
        database.close();
        medium.kill();
      },
    };
  }

  /** Deletes the database, as a system does that is short of space. */
  async evict(): Promise<void> {
    await deleteDB(`savepoint-${this.#name}`);
  }

  /** Returns the stored writers, as a backup has them. */
  async backUp(): Promise<PhoneBackup> {
    const database = this.openDatabase();
    const writers = await database.use(async (db) => {
      const [keys, records] = await Promise.all([db.getAllKeys('writers'), db.getAll('writers')]);
      return keys.map(([lane], at) => [lane, records[at]!] as const);
    });
    database.close();
    return { writers, localStorage: new Map(this.#localStorage) };
  }

  /** Replaces the stored writers by those of a backup, of this or another phone. */
  async restore({ writers, localStorage }: PhoneBackup): Promise<void> {
    this.restoreLocalStorage({ localStorage });
    const database = this.openDatabase();
    await database.use(async (db) => {
      const { store, done } = db.transaction('writers', 'readwrite');
      const cleared = store.clear(); // requested before the others
      const puts = writers.map(([lane, record]) => store.put(record, [lane, record.writer]));
      await Promise.all([cleared, ...puts, done]);
    });
    database.close();
  }

  /** Replaces only the local storage, which the database does not know of. */
  restoreLocalStorage({ localStorage }: Pick<PhoneBackup, 'localStorage'>): void {
    this.#localStorage.clear();
    for (const [key, value] of localStorage) this.#localStorage.set(key, value);
  }

  /** Returns the local storage of one run of the app, which changes nothing once it is killed. */
  #storageOf(medium: KillableMedium): ReturnType<typeof createLocalStorage> {
    const storage = createLocalStorage(this.#localStorage);
    const { saveLocalStorage } = storage;
    return {
      ...storage,
      saveLocalStorage: (key, value) => {
        if (!medium.isDead) saveLocalStorage(key, value);
      },
    };
  }

  /** Opens the app's storage; for an app that is killed, its calls never settle. */
  openDatabase(medium?: KillableMedium): DeviceDatabase {
    const database = createDatabase(this.#name, this.clock);
    if (!medium) return database;
    void medium.died.then(() => database.close());
    const never = () => new Promise<never>(() => undefined);
    return {
      ...database,
      async use(task) {
        if (medium.isDead) return never();
        const result = await database.use(task).catch((error: unknown) => {
          if (medium.isDead) return never();
          throw error;
        });
        return medium.isDead ? never() : result;
      },
    };
  }
}

/** Notes in `writers` which ones are in use. */
function observed(identities: Identities, writers: Set<string>): Identities {
  return {
    async acquire(lane) {
      const record = await identities.acquire(lane);
      if (record) writers.add(record.writer);
      return record;
    },
    release(lane, record) {
      writers.delete(record.writer);
      return identities.release(lane, record);
    },
    async save(lane, record) {
      writers.add(record.writer);
      await identities.save?.(lane, record);
    },
    async forget(lane, writer) {
      writers.delete(writer);
      await identities.forget?.(lane, writer);
    },
  };
}
