import type { DataAdapter, DataWriteOptions, ListedFiles, Stat } from 'obsidian';
import { diskError, joinPath, nameOf, type Medium } from './medium';
import { Platform } from './platform';
import { refuse } from './refuse';

const toMedium = (path: string) => (path === '/' ? '' : path);

/** Base of both adapters. Writes to a vault are serialized, as in the app. */
class MediumAdapter implements DataAdapter {
  readonly #medium: Medium;
  readonly #vaultName: string;
  readonly #onWritten: (path: string) => Promise<void>;
  #queue: Promise<unknown> = Promise.resolve();

  /** `onWritten` is awaited after each change, so that the vault is up to date for the caller. */
  constructor(medium: Medium, vaultName: string, onWritten: (path: string) => Promise<void>) {
    this.#medium = medium;
    this.#vaultName = vaultName;
    this.#onWritten = onWritten;
  }

  getName(): string {
    return this.#vaultName;
  }

  async exists(normalizedPath: string, sensitive = false): Promise<boolean> {
    const path = toMedium(normalizedPath);
    if ((await this.#medium.stat(path)) === null) return false;
    return path === '' || !sensitive || this.#medium.hasExactCase(path);
  }

  async stat(normalizedPath: string): Promise<Stat | null> {
    const stat = await this.#medium.stat(toMedium(normalizedPath));
    return stat && { type: stat.type, ctime: stat.ctime, mtime: stat.mtime, size: stat.size };
  }

  /** Rejects if an entry vanishes between listing and stat, as in the app. */
  async list(normalizedPath: string): Promise<ListedFiles> {
    const folder = toMedium(normalizedPath);
    const listed: ListedFiles = { files: [], folders: [] };
    for (const name of await this.#medium.list(folder)) {
      const path = joinPath(folder, name);
      const stat = await this.#medium.stat(path);
      if (!stat) throw diskError('ENOENT', 'stat', path);
      listed[stat.type === 'file' ? 'files' : 'folders'].push(path);
    }
    return listed;
  }

  async read(normalizedPath: string): Promise<string> {
    return new TextDecoder().decode(await this.#medium.read(toMedium(normalizedPath)));
  }

  async readBinary(normalizedPath: string): Promise<ArrayBuffer> {
    return Uint8Array.from(await this.#medium.read(toMedium(normalizedPath))).buffer;
  }

  write(normalizedPath: string, data: string, options?: DataWriteOptions): Promise<void> {
    return this.#change(
      () => this.#medium.write(normalizedPath, encode(data), options),
      normalizedPath,
    );
  }

  writeBinary(
    normalizedPath: string,
    data: ArrayBuffer,
    options?: DataWriteOptions,
  ): Promise<void> {
    return this.#change(
      () => this.#medium.write(normalizedPath, new Uint8Array(data), options),
      normalizedPath,
    );
  }

  append(normalizedPath: string, data: string, options?: DataWriteOptions): Promise<void> {
    return this.#change(
      () => this.#medium.append(normalizedPath, encode(data), options),
      normalizedPath,
    );
  }

  appendBinary(
    normalizedPath: string,
    data: ArrayBuffer,
    options?: DataWriteOptions,
  ): Promise<void> {
    return this.#change(
      () => this.appendBytes(this.#medium, normalizedPath, new Uint8Array(data), options),
      normalizedPath,
    );
  }

  protected appendBytes(
    medium: Medium,
    path: string,
    bytes: Uint8Array,
    options?: DataWriteOptions,
  ): Promise<void> {
    return medium.append(path, bytes, options);
  }

  process(
    normalizedPath: string,
    fn: (data: string) => string,
    options?: DataWriteOptions,
  ): Promise<string> {
    return this.#change(async () => {
      const before = await this.read(normalizedPath);
      const after = fn(before);
      if (after !== before) await this.#medium.write(normalizedPath, encode(after), options);
      return after;
    }, normalizedPath);
  }

  getResourcePath(normalizedPath: string): string {
    const path = encodeURI(`${Platform.resourcePathPrefix}${this.getFullPath(normalizedPath)}`);
    return this.#medium.resourceUrl?.(toMedium(normalizedPath)) ?? path;
  }

  mkdir(normalizedPath: string): Promise<void> {
    return this.#change(() => this.#medium.mkdir(toMedium(normalizedPath)), normalizedPath);
  }

  /** There is no system trash here. On false the app falls back to the local one. */
  trashSystem(_normalizedPath: string): Promise<boolean> {
    return Promise.resolve(false);
  }

  async trashLocal(normalizedPath: string): Promise<void> {
    await this.#medium.mkdir('.trash');
    let target = joinPath('.trash', nameOf(normalizedPath));
    for (let count = 2; await this.exists(target); count++)
      target = joinPath('.trash', `${nameOf(normalizedPath)} ${count}`);
    await this.#change(() => this.#medium.rename(normalizedPath, target), normalizedPath);
  }

  rmdir(normalizedPath: string, recursive: boolean): Promise<void> {
    return this.#change(() => this.#medium.rmdir(normalizedPath, recursive), normalizedPath);
  }

  remove(normalizedPath: string): Promise<void> {
    return this.#change(() => this.#medium.remove(normalizedPath), normalizedPath);
  }

  rename(normalizedPath: string, normalizedNewPath: string): Promise<void> {
    return this.#change(
      async () => {
        await this.#checkFree(normalizedPath, normalizedNewPath);
        await this.#medium.rename(normalizedPath, normalizedNewPath);
      },
      normalizedPath,
      normalizedNewPath,
    );
  }

  copy(normalizedPath: string, normalizedNewPath: string): Promise<void> {
    return this.#change(async () => {
      await this.#checkFree(normalizedPath, normalizedNewPath);
      await this.#copyTree(normalizedPath, normalizedNewPath);
    }, normalizedNewPath);
  }

  getFullPath(normalizedPath: string): string {
    const path = toMedium(normalizedPath);
    return path === '' ? this.#medium.basePath : joinPath(this.#medium.basePath, path);
  }

  async #copyTree(from: string, to: string): Promise<void> {
    const stat = await this.#medium.stat(from);
    if (stat?.type !== 'folder') return this.#medium.write(to, await this.#medium.read(from));
    await this.#medium.mkdir(to);
    for (const name of await this.#medium.list(from))
      await this.#copyTree(joinPath(from, name), joinPath(to, name));
  }

  async #checkFree(from: string, to: string): Promise<void> {
    const isSameButCase = from.toLowerCase() === to.toLowerCase();
    if (!isSameButCase && (await this.exists(to)))
      throw new Error('Destination file already exists!');
  }

  #change<T>(act: () => Promise<T>, ...paths: string[]): Promise<T> {
    const done = this.#queue.then(act).then(async (result) => {
      for (const path of paths) await this.#onWritten(toMedium(path));
      return result;
    });
    this.#queue = done.catch(() => undefined); // only the caller gets the error
    return done;
  }
}

const encode = (text: string) => new TextEncoder().encode(text);

/** Adapter on desktop, where the vault is a folder with a path. */
export class FileSystemAdapter extends MediumAdapter {
  getBasePath(): string {
    return this.getFullPath('');
  }

  getFilePath(normalizedPath: string): string {
    return encodeURI(`file://${this.getFullPath(normalizedPath)}`);
  }

  static readLocalFile(_path: string): Promise<ArrayBuffer> {
    return refuse('FileSystemAdapter.readLocalFile');
  }

  static mkdir(_path: string): Promise<void> {
    return refuse('FileSystemAdapter.mkdir');
  }
}

/**
 * Adapter on mobile. The file system that the app uses there is documented to append text only
 * (Capacitor, *Filesystem*: `appendFile`), so bytes are appended in the harsher way: the file is
 * read and rewritten. It is not known how the app does it.
 */
export class CapacitorAdapter extends MediumAdapter {
  protected override async appendBytes(
    medium: Medium,
    path: string,
    bytes: Uint8Array,
    options?: DataWriteOptions,
  ): Promise<void> {
    const before = (await medium.stat(path)) ? await medium.read(path) : new Uint8Array();
    const joined = new Uint8Array(before.length + bytes.length);
    joined.set(before);
    joined.set(bytes, before.length);
    await medium.write(path, joined, options);
  }
}
