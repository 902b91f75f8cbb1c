import { diskError, nameOf, parentOf, type Medium, type MediumStat, type Times } from './medium';
import { arrayBufferToBase64, base64ToArrayBuffer } from './utilities';

/**
 * A file as JSON: its text, or its bytes in base64 if they are not text. Times are milliseconds
 * since 1970.
 */
export type SavedFile = ({ readonly text: string } | { readonly base64: string }) & {
  readonly mtime?: number;
};

/** A vault as JSON. A path that ends in `/` is a folder. */
export type FileSet = Record<string, string | SavedFile>;

interface Entry {
  readonly name: string;
  readonly bytes: Uint8Array | null;
  readonly ctime: number;
  readonly mtime: number;
}

/** Faults that a test can turn on. Each lasts until it is turned off. */
export interface Faults {
  isReadOnly: boolean;
  isFull: boolean;
  /** Paths for which every call fails with EIO. */
  broken: Set<string>;
}

function save(bytes: Uint8Array, mtime: number): SavedFile {
  try {
    return {
      text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes),
      mtime,
    };
  } catch {
    return { base64: arrayBufferToBase64(Uint8Array.from(bytes).buffer), mtime };
  }
}

const bytesOf = (file: SavedFile) =>
  'text' in file
    ? new TextEncoder().encode(file.text)
    : new Uint8Array(base64ToArrayBuffer(file.base64));

/** Returns the result or the error of `act` as a promise. */
const settled = <T>(act: () => T): Promise<T> => new Promise((resolve) => resolve(act()));

/** A vault in memory, with faults. `ignoresCase` makes it behave as on macOS and Windows. */
export class MemoryMedium implements Medium {
  readonly basePath = '/vault';
  readonly faults: Faults = { isReadOnly: false, isFull: false, broken: new Set() };
  readonly #ignoresCase: boolean;
  #entries = new Map<string, Entry>();
  #watchers = new Set<(path: string) => void>();
  #clock = 0;

  constructor(files: FileSet = {}, { ignoresCase = false } = {}) {
    this.#ignoresCase = ignoresCase;
    for (const [path, value] of Object.entries(files)) {
      if (path.endsWith('/')) {
        this.#makeFolders(path.slice(0, -1));
        continue;
      }
      const file: SavedFile = typeof value === 'string' ? { text: value } : value;
      this.#makeFolders(parentOf(path));
      this.#put(
        path,
        bytesOf(file),
        file.mtime === undefined ? {} : { ctime: file.mtime, mtime: file.mtime },
      );
    }
  }

  /** Returns all files as they are now, to start again from. */
  snapshot(): FileSet {
    const files: FileSet = {};
    for (const [path, { bytes, mtime }] of this.#entries) {
      if (bytes) files[path] = save(bytes, mtime);
      else files[`${path}/`] = '';
    }
    return files;
  }

  stat(path: string): Promise<MediumStat | null> {
    return settled(() => {
      this.#check(path, 'stat');
      if (path === '') return { type: 'folder', ctime: 0, mtime: 0, size: 0, version: '' };
      const entry = this.#entries.get(this.#key(path));
      if (!entry) return null;
      const { bytes, ctime, mtime } = entry;
      return {
        type: bytes ? 'file' : 'folder',
        ctime,
        mtime,
        size: bytes?.length ?? 0,
        version: `${mtime}`,
      };
    });
  }

  list(path: string): Promise<string[]> {
    return settled(() => {
      this.#check(path, 'scandir');
      this.#folder(path, 'scandir');
      const inside = this.#key(path);
      return [...this.#entries]
        .filter(([each]) => each !== '' && parentOf(each) === inside)
        .map(([, entry]) => entry.name);
    });
  }

  hasExactCase(path: string): Promise<boolean> {
    return settled(() => {
      return this.#entries.get(this.#key(path))?.name === nameOf(path);
    });
  }

  read(path: string): Promise<Uint8Array> {
    return settled(() => {
      this.#check(path, 'open');
      return this.#file(path, 'open').slice();
    });
  }

  write(path: string, bytes: Uint8Array, times?: Times): Promise<void> {
    return settled(() => {
      this.#checkWrite(path, 'open');
      this.#folder(parentOf(path), 'open');
      if (this.#entries.get(this.#key(path))?.bytes === null)
        throw diskError('EISDIR', 'open', path);
      this.#put(path, bytes.slice(), times);
      this.#tell(path);
    });
  }

  resourceUrl(path: string): string {
    const { bytes } = this.#entries.get(this.#key(path)) ?? { bytes: null };
    return URL.createObjectURL(new Blob(bytes ? [Uint8Array.from(bytes)] : []));
  }

  async append(path: string, bytes: Uint8Array, times?: Times): Promise<void> {
    const before = this.#entries.get(this.#key(path))?.bytes ?? new Uint8Array();
    const joined = new Uint8Array(before.length + bytes.length);
    joined.set(before);
    joined.set(bytes, before.length);
    await this.write(path, joined, times);
  }

  mkdir(path: string): Promise<void> {
    return settled(() => {
      this.#checkWrite(path, 'mkdir');
      this.#makeFolders(path);
      this.#tell(path);
    });
  }

  remove(path: string): Promise<void> {
    return settled(() => {
      this.#checkFree(path, 'unlink');
      this.#file(path, 'unlink');
      this.#entries.delete(this.#key(path));
      this.#tell(path);
    });
  }

  rmdir(path: string, isRecursive: boolean): Promise<void> {
    return settled(() => {
      this.#checkFree(path, 'rmdir');
      this.#folder(path, 'rmdir');
      const below = [...this.#entries.keys()].filter((each) =>
        each.startsWith(`${this.#key(path)}/`),
      );
      if (below.length > 0 && !isRecursive) throw diskError('ENOTEMPTY', 'rmdir', path);
      for (const each of below) this.#entries.delete(each);
      this.#entries.delete(this.#key(path));
      this.#tell(path);
    });
  }

  rename(from: string, to: string): Promise<void> {
    return settled(() => {
      this.#checkFree(from, 'rename');
      this.#folder(parentOf(to), 'rename');
      const source = this.#key(from);
      const moved = [...this.#entries].filter(
        ([path]) => path === source || path.startsWith(`${source}/`),
      );
      if (moved.length === 0) throw diskError('ENOENT', 'rename', from);
      for (const [path] of moved) this.#entries.delete(path);
      for (const [path, entry] of moved) {
        const name = path === source ? nameOf(to) : entry.name;
        this.#entries.set(this.#key(to + path.slice(source.length)), { ...entry, name });
      }
      this.#tell(from);
      this.#tell(to);
    });
  }

  watch(onChange: (path: string) => void): () => void {
    this.#watchers.add(onChange);
    return () => this.#watchers.delete(onChange);
  }

  #key(path: string): string {
    return this.#ignoresCase ? path.toLowerCase() : path;
  }

  /** No two writes have the same time, so that the time identifies a version of a file. */
  #now(): number {
    return (this.#clock = Math.max(Date.now(), this.#clock + 1));
  }

  #put(path: string, bytes: Uint8Array, times: Times = {}): void {
    const now = this.#now();
    const before = this.#entries.get(this.#key(path));
    const entry = {
      name: before?.name ?? nameOf(path),
      bytes,
      ctime: times.ctime ?? before?.ctime ?? now,
      mtime: times.mtime ?? now,
    };
    this.#entries.set(this.#key(path), entry);
  }

  #makeFolders(path: string): void {
    if (path === '') return;
    this.#makeFolders(parentOf(path));
    const existing = this.#entries.get(this.#key(path));
    if (existing?.bytes) throw diskError('EEXIST', 'mkdir', path);
    const now = this.#now();
    if (!existing)
      this.#entries.set(this.#key(path), {
        name: nameOf(path),
        bytes: null,
        ctime: now,
        mtime: now,
      });
  }

  #file(path: string, call: string): Uint8Array {
    const entry = this.#entries.get(this.#key(path));
    if (!entry) throw diskError('ENOENT', call, path);
    if (!entry.bytes) throw diskError('EISDIR', call, path);
    return entry.bytes;
  }

  #folder(path: string, call: string): void {
    if (path === '') return;
    const entry = this.#entries.get(this.#key(path));
    if (!entry) throw diskError('ENOENT', call, path);
    if (entry.bytes) throw diskError('ENOTDIR', call, path);
  }

  #check(path: string, call: string): void {
    if (this.faults.broken.has(path)) throw diskError('EIO', call, path);
  }

  #checkFree(path: string, call: string): void {
    this.#check(path, call);
    if (this.faults.isReadOnly) throw diskError('EROFS', call, path);
  }

  #checkWrite(path: string, call: string): void {
    this.#checkFree(path, call);
    if (this.faults.isFull) throw diskError('ENOSPC', call, path);
  }

  #tell(path: string): void {
    for (const watcher of [...this.#watchers]) watcher(path);
  }
}
