import type { NodeModules } from '../modules.js';
import { openRegularFile } from '../open-regular-file.js';
import type { IndexEntry, Time } from './git-index.js';
import { ifMissing } from '../system-errors.js';

type BigIntStats = import('node:fs').BigIntStats;

/** Types of entries, in the upper bits of a mode. */
const TYPE_MASK = 0o170000;
export const FOLDER_TYPE = 0o040000;
const FILE_TYPE = 0o100000;
const LINK_TYPE = 0o120000;
const SUBMODULE_TYPE = 0o160000;
const READ_BYTES = 1024 * 1024;
/** Limit for comparing a file with its line endings converted, as git may have done. */
const MAX_CONVERTED_BYTES = 8 * READ_BYTES;

export interface TreeFile {
  readonly mode: number;
  readonly oid: string;
}

/** A path on disk: its mode as git stores it, and the ids that its content may have in git. */
export interface FileOnDisk {
  readonly mode: number;
  readonly oids: readonly string[];
}

export interface WorkingTreeOptions {
  /** The folder that is checked out, an absolute path. */
  readonly root: string;
  readonly indexTime: Time;
  /** False if the disk does not store whether a file is executable. */
  readonly hasFileModes: boolean;
  /** True if git may store texts with other line endings than they have on disk. */
  readonly convertsLineEndings: boolean;
}

/** The files on disk, compared with how they were staged. */
export class WorkingTree {
  readonly #node: NodeModules;
  readonly #options: WorkingTreeOptions;
  /** False for a link to a folder. */
  readonly #folders = new Map<string, Promise<boolean>>();

  constructor(node: NodeModules, options: WorkingTreeOptions) {
    this.#node = node;
    this.#options = options;
  }

  /** Returns undefined for a deleted file. Reads the content only if its times or size differ. */
  async read(entry: IndexEntry): Promise<FileOnDisk | undefined> {
    const staged = { mode: entry.mode, oids: [entry.oid] };
    if (entry.isAssumedUnchanged || (entry.mode & TYPE_MASK) === FOLDER_TYPE) return staged;
    const file = this.#node.path.join(this.#options.root, entry.path);
    const info = await this.#infoOf(entry.path, file);
    if (!info) return undefined;
    if ((entry.mode & TYPE_MASK) === SUBMODULE_TYPE) return info.isDirectory() ? staged : undefined;
    const mode = this.#modeOf(info, entry);
    if (mode === undefined) return undefined;
    if (mode === entry.mode && this.#isAsStaged(entry, info)) return staged;
    return { mode, oids: await this.#oidsOf(file, info) };
  }

  async #infoOf(path: string, file: string): Promise<BigIntStats | undefined> {
    const { fs } = this.#node;
    const folder = this.#node.path.posix.dirname(path);
    if (folder !== '.' && !(await this.#isRealFolder(folder))) return undefined;
    return fs.lstat(file, { bigint: true }).catch(ifMissing(undefined));
  }

  #isRealFolder(path: string): Promise<boolean> {
    const known = this.#folders.get(path) ?? this.#checkFolder(path);
    this.#folders.set(path, known);
    return known;
  }

  async #checkFolder(path: string): Promise<boolean> {
    const { fs, path: paths } = this.#node;
    const parent = paths.posix.dirname(path);
    if (parent !== '.' && !(await this.#isRealFolder(parent))) return false;
    const info = await fs.lstat(paths.join(this.#options.root, path)).catch(ifMissing(undefined));
    return info?.isDirectory() === true;
  }

  /** Returns the mode as git stores it; undefined for a folder and for what git does not track. */
  #modeOf(info: BigIntStats, { mode }: IndexEntry): number | undefined {
    if (info.isSymbolicLink()) return LINK_TYPE;
    if (!info.isFile()) return undefined;
    // Without permissions, a disk may also lack links, which are then files with their target path.
    if (!this.#options.hasFileModes) return mode;
    return FILE_TYPE | (info.mode & 0o100n ? 0o755 : 0o644);
  }

  /** False for a file staged as the index was written: a later change may leave no trace. */
  #isAsStaged({ size, modified, changed }: IndexEntry, info: BigIntStats): boolean {
    const { indexTime } = this.#options;
    return (
      size === Number(info.size & 0xffffffffn) &&
      isTime(modified, info.mtimeNs) &&
      (changed.seconds === 0 || isTime(changed, info.ctimeNs)) &&
      isBefore(modified, indexTime)
    );
  }

  /** Returns the id of the content, and the one that it may have in git with other line endings. */
  async #oidsOf(file: string, info: BigIntStats): Promise<string[]> {
    const { fs } = this.#node;
    if (info.isSymbolicLink())
      return [this.#oidOf(await fs.readlink(file, { encoding: 'buffer' }))];
    if (info.size > MAX_CONVERTED_BYTES) return [await this.#oidOfLarge(file, info.size)];
    const bytes = await fs.readFile(file);
    const oid = this.#oidOf(bytes);
    const isText =
      this.#options.convertsLineEndings && bytes.includes('\r\n') && !bytes.includes(0);
    return isText ? [oid, this.#oidOf(withUnixLineEndings(bytes))] : [oid];
  }

  #oidOf(bytes: Uint8Array): string {
    const { crypto } = this.#node;
    return crypto.createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
  }

  async #oidOfLarge(file: string, size: bigint): Promise<string> {
    const hash = this.#node.crypto.createHash('sha1').update(`blob ${size}\0`);
    const opened = await openRegularFile(this.#node, file);
    try {
      for (let from = 0; opened; from += READ_BYTES) {
        const bytes = await opened.read(from, READ_BYTES);
        hash.update(bytes);
        if (bytes.length < READ_BYTES) break;
      }
      return hash.digest('hex');
    } finally {
      opened?.close();
    }
  }
}

/** Returns the bytes without each carriage return that is followed by a line feed. */
function withUnixLineEndings(bytes: Uint8Array): Uint8Array {
  const converted = new Uint8Array(bytes.length);
  let length = 0;
  for (const [at, byte] of bytes.entries())
    if (byte !== 0x0d || bytes[at + 1] !== 0x0a) converted[length++] = byte;
  return converted.subarray(0, length);
}

export function isSameFile({ mode, oid }: TreeFile, onDisk: FileOnDisk): boolean {
  return mode === onDisk.mode && onDisk.oids.includes(oid);
}

/** Some programs store no nanoseconds; then only the seconds are compared. */
function isTime({ seconds, nanoseconds }: Time, ns: bigint): boolean {
  const inSeconds = BigInt.asUintN(32, ns / 1_000_000_000n);
  if (inSeconds !== BigInt(seconds)) return false;
  return nanoseconds === 0 || BigInt(nanoseconds) === ns % 1_000_000_000n;
}

function isBefore(one: Time, other: Time): boolean {
  if (one.seconds !== other.seconds) return one.seconds < other.seconds;
  return one.nanoseconds !== 0 && one.nanoseconds < other.nanoseconds;
}
