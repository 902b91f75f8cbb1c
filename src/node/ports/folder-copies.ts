import { joinBytes } from '../../platform/bytes/bytes.js';
import { KeyedMutex } from '../../platform/mutex.js';
import {
  parseSegment,
  type Copies,
  type CopyHead,
  type LastLine,
  type VaultRecord,
} from '../../storage/index.js';
import { creationIn, folderIdentity, isSameIdentity } from '../folder-identity.js';
import { readLacking, storeLacking } from '../lacking-files.js';
import { errorCode, type NodeModules } from '../modules.js';
import { replaceFile, replaceLines } from './draft-folder.js';
import { withLock } from './file-lock.js';
import { writeAll } from './regular-file.js';
import {
  isStoredHeads,
  isStoredRecord,
  readJson,
  type StoredHeads,
  type StoredRecord,
} from '../stored-copies.js';
import { ifNoEntry } from '../system-errors.js';

type FileHandle = Awaited<ReturnType<NodeModules['fs']['open']>>;

/** Bytes of other devices' lines at which the older half is dropped. */
export const MAX_OTHER_BYTES = 64 * 1024 * 1024;
const LF = 0x0a;
const FOLDER = 'copies';
const RECORD_NAME = 'vault.json';
/** The record of the vault at a path, and of those that were there before. */
const RECORD = /^vault(?:-\d+)?\.json$/;

export interface FolderCopiesOptions {
  readonly stateFolder: string;
  readonly deviceFolder: string;
  /** The vault's real path. */
  readonly vault: string;
}

type Origin = Parameters<Copies['add']>[2];
type Change = Parameters<Copies['rewrite']>[1];

type OtherVault = { record: StoredRecord; folder: string; isThere: boolean };

/**
 * The port Copies over a folder. All processes of this device append whole lines to two files per
 * vault id: its own lines, and those of other devices. A moved vault takes over the copies of its
 * old path, unless there is still a vault.
 */
export class FolderCopies implements Copies {
  readonly #node: NodeModules;
  readonly #options: FolderCopiesOptions;
  readonly #mutex = new KeyedMutex();
  readonly #adopted = new Set<string>();
  /** Open files with copies that are not synced yet. */
  readonly #unsynced = new Map<string, FileHandle>();
  #isFolderCreated = false;

  constructor(node: NodeModules, options: FolderCopiesOptions) {
    this.#node = node;
    this.#options = options;
  }

  async add(vaultId: string, lines: Uint8Array, origin: Origin): Promise<void> {
    const file = this.#fileOf(vaultId, origin);
    await this.#inFolder(async () => {
      if (origin === 'own') return this.#mutex.run(file, () => this.#addOwn(file, lines));
      await this.#fs.appendFile(file, lines, { mode: 0o600 });
      await this.#limit(file, this.#headsFile(vaultId));
    });
  }

  sync(vaultId: string): Promise<void> {
    return this.#syncFile(this.#fileOf(vaultId, 'own'));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#unsynced.keys()].map((file) => this.#syncFile(file)));
  }

  #syncFile(file: string): Promise<void> {
    return this.#mutex.run(file, async () => {
      const handle = this.#unsynced.get(file);
      this.#unsynced.delete(file);
      try {
        await handle?.datasync();
      } finally {
        await handle?.close();
      }
    });
  }

  async read(vaultId: string): Promise<Uint8Array> {
    await this.#adopt(vaultId);
    return joinBytes([
      await this.#readFrom(this.#fileOf(vaultId, 'own'), 0),
      await this.#readFrom(this.#fileOf(vaultId, 'other'), 0),
    ]);
  }

  async rewrite(vaultId: string, change: Change): Promise<void> {
    for (const origin of ['own', 'other'] as const) {
      const file = this.#fileOf(vaultId, origin);
      await this.#syncFile(file); // the next lines open the new file
      await this.#rewriteFile(file, this.#headsFile(vaultId), change);
    }
  }

  async heads(vaultId: string): Promise<ReadonlyMap<string, CopyHead>> {
    await this.#adopt(vaultId);
    const stored = await this.#loadHeads(vaultId);
    const heads = new Map(Object.entries(stored?.heads ?? {}));
    const sizes = { own: stored?.sizes.own ?? 0, other: stored?.sizes.other ?? 0 };
    let hasMore = false;
    for (const origin of ['own', 'other'] as const) {
      const added = await this.#readFrom(this.#fileOf(vaultId, origin), sizes[origin]);
      if (added.length === 0) continue;
      hasMore = true;
      const whole = added.subarray(0, added.lastIndexOf(LF) + 1);
      sizes[origin] += whole.length;
      for (const { event } of parseSegment(whole).lines)
        if (event.n >= (heads.get(event.w)?.n ?? 0)) heads.set(event.w, { n: event.n, c: event.c });
    }
    if (hasMore)
      await this.#replace(this.#headsFile(vaultId), { sizes, heads: Object.fromEntries(heads) });
    return heads;
  }

  async loadRecord(): Promise<VaultRecord | undefined> {
    const record = await this.#loadRecordFrom(this.#recordFile);
    // another vault may be at the path now
    return record && (await this.#isThere(record)) ? record : undefined;
  }

  async updateRecord(change: (record: VaultRecord | undefined) => VaultRecord): Promise<void> {
    const file = this.#recordFile;
    const noCleanUp = () => Promise.resolve();
    await this.#inFolder(() =>
      withLock(this.#node, `${file}.lock`, noCleanUp, async () => {
        const record = await this.loadRecord();
        if (!record) await this.#setAside(file);
        const stored: StoredRecord = {
          ...change(record),
          path: this.#options.vault,
          identity: (await folderIdentity(this.#node, this.#options.vault)) || undefined,
        };
        await this.#replace(file, stored);
      }),
    );
  }

  /** Keeps the record of a vault that is no longer at the path, so that it finds its copies. */
  async #setAside(file: string): Promise<void> {
    const created = creationIn((await this.#loadRecordFrom(file))?.identity);
    if (created !== '') await this.#fs.rename(file, file.replace(/\.json$/, `-${created}.json`));
  }

  setLacking(writer: string, last: LastLine | undefined): Promise<void> {
    return this.#inFolder(() => storeLacking(this.#node, this.#folder, writer, last));
  }

  lacking(): Promise<ReadonlyMap<string, LastLine>> {
    return readLacking(this.#node, this.#folder);
  }

  async loadMovedRecord(): Promise<VaultRecord | undefined> {
    const identity = await folderIdentity(this.#node, this.#options.vault);
    if (!identity) return undefined;
    for await (const { record, isThere } of this.#otherVaults()) {
      // or it was kept under another name, while another vault was at this path
      const mayBeOwn = !isThere || record.path === this.#options.vault;
      if (mayBeOwn && record.identity === identity) return record;
    }
    return undefined;
  }

  /** Returns true if the vault of a record is still at its path, as far as that can be told. */
  async #isThere({ path, identity }: StoredRecord): Promise<boolean> {
    const now = await folderIdentity(this.#node, path);
    return now !== undefined && isSameIdentity(now, identity ?? '');
  }

  get #fs(): NodeModules['fs'] {
    return this.#node.fs;
  }

  get #path(): NodeModules['path'] {
    return this.#node.path;
  }

  get #folder(): string {
    return this.#path.join(this.#options.deviceFolder, FOLDER);
  }

  /** A save waits for this, so the file stays open for more lines until all of them are synced. */
  async #addOwn(file: string, lines: Uint8Array): Promise<void> {
    const handle = this.#unsynced.get(file) ?? (await this.#fs.open(file, 'a', 0o600));
    this.#unsynced.set(file, handle);
    await writeAll(handle, lines);
  }

  /** Runs a task that writes into the folder, which may not exist yet, or not any more. */
  async #inFolder(task: () => Promise<void>): Promise<void> {
    if (this.#isFolderCreated) {
      try {
        return await task();
      } catch (error) {
        if (errorCode(error) !== 'ENOENT') throw error;
      }
    }
    await this.#fs.mkdir(this.#folder, { recursive: true, mode: 0o700 });
    this.#isFolderCreated = true;
    await task();
  }

  /** A vault id comes from a file that anyone may have written. */
  #nameOf(vaultId: string): string {
    return vaultId.replace(/[^a-z0-9]/g, '-').slice(0, 40);
  }

  #fileOf(vaultId: string, origin: Origin): string {
    const suffix = origin === 'own' ? '' : '-others';
    return this.#path.join(this.#folder, `${this.#nameOf(vaultId)}${suffix}.jsonl`);
  }

  #headsFile(vaultId: string): string {
    return this.#path.join(this.#folder, `${this.#nameOf(vaultId)}-heads.json`);
  }

  async #readFrom(file: string, from: number): Promise<Uint8Array> {
    const handle = await this.#fs.open(file, 'r').catch(ifNoEntry(undefined));
    if (!handle) return new Uint8Array();
    try {
      const { size } = await handle.stat();
      const bytes = new Uint8Array(Math.max(0, size - from));
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, from);
      return bytes.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  }

  /** Moves the copies of the vault here from where it was before. A clone keeps its own. */
  async #adopt(vaultId: string): Promise<void> {
    if (this.#adopted.has(vaultId)) return;
    this.#adopted.add(vaultId);
    for await (const { record, folder, isThere } of this.#otherVaults()) {
      const isItsOwn = [...record.ids, ...(record.formerIds ?? [])].includes(vaultId);
      const isElsewhere = folder !== this.#options.deviceFolder;
      if (isElsewhere && (!isThere || !isItsOwn))
        await this.#takeOver(vaultId, this.#path.join(folder, FOLDER));
    }
  }

  /** Yields the record and folder of each other vault that this device has seen at a path. */
  async *#otherVaults(): AsyncGenerator<OtherVault> {
    const { stateFolder, deviceFolder, vault } = this.#options;
    const own = this.#path.basename(deviceFolder);
    const namesIn = (folder: string) => this.#fs.readdir(folder).catch((): string[] => []);
    for (const name of await namesIn(stateFolder)) {
      const folder = this.#path.join(stateFolder, name);
      for (const file of await namesIn(folder)) {
        if (!RECORD.test(file) || (name === own && file === RECORD_NAME)) continue;
        const record = await this.#loadRecordFrom(this.#path.join(folder, file));
        if (record && (record.path !== vault || name === own))
          yield { record, folder, isThere: await this.#isThere(record) };
      }
    }
  }

  async #takeOver(vaultId: string, folder: string): Promise<void> {
    for (const origin of ['own', 'other'] as const) {
      const file = this.#fileOf(vaultId, origin);
      const old = this.#path.join(folder, this.#path.basename(file));
      const lines = await this.#readFrom(old, 0);
      if (lines.length === 0) continue;
      await this.add(vaultId, lines, origin);
      if (origin === 'own') await this.sync(vaultId);
      await this.#fs.rm(old, { force: true });
    }
  }

  async #loadRecordFrom(file: string): Promise<StoredRecord | undefined> {
    const value = await readJson(this.#fs, file);
    return isStoredRecord(value) ? value : undefined;
  }

  get #recordFile(): string {
    return this.#path.join(this.#options.deviceFolder, RECORD_NAME);
  }

  /** Returns undefined if there are none, or if a file was cut since. */
  async #loadHeads(vaultId: string): Promise<StoredHeads | undefined> {
    const value = await readJson(this.#fs, this.#headsFile(vaultId));
    const stored = isStoredHeads(value) ? value : undefined;
    for (const origin of ['own', 'other'] as const) {
      const info = await this.#fs.stat(this.#fileOf(vaultId, origin)).catch(() => undefined);
      if ((stored?.sizes[origin] ?? 0) > (info?.size ?? 0)) return undefined;
    }
    return stored;
  }

  /** Drops the older half of a file that has become too large. */
  async #limit(file: string, headsFile: string): Promise<void> {
    const info = await this.#fs.stat(file);
    if (info.size <= MAX_OTHER_BYTES) return;
    await this.#rewriteFile(file, headsFile, (bytes) =>
      bytes.subarray(bytes.indexOf(LF, bytes.length - MAX_OTHER_BYTES / 2) + 1),
    );
  }

  #rewriteFile(file: string, headsFile: string, change: Change): Promise<void> {
    const dropHeads = () => this.#fs.rm(headsFile, { force: true }); // their sizes do not fit then
    return this.#mutex.run(file, () => replaceLines(this.#node, file, change, dropHeads));
  }

  #replace(file: string, value: unknown): Promise<void> {
    return this.#mutex.run(file, () => replaceFile(this.#node, file, JSON.stringify(value)));
  }
}
