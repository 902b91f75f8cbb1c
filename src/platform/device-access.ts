import type { GitHead } from '../model/provenance.js';
import type { VaultPath } from '../model/paths.js';

/** An open file, of which parts can be read. */
export interface OpenFile {
  /** Returns `length` bytes from offset `from`, or fewer at the end of the file. Throws for a folder. */
  read(from: number, length: number): Promise<Uint8Array>;
  /** Returns the size in bytes; undefined for a folder, a pipe or a device. */
  size(): Promise<number | undefined>;
  close(): void;
}

/** The folder of a project outside the vault. Its paths have `/` between their parts. */
export interface ProjectFolder {
  /** Returns the path of a file in the project, given a relative or absolute path; undefined if it is outside. */
  locate(typed: string): Promise<string | undefined>;
  /** Opens a file; undefined if there is nothing at the path, or if it leads outside. Throws if it cannot be opened. */
  openFile(path: string): Promise<OpenFile | undefined>;
}

/** The device that a program runs on, and what only some devices can do. */
export interface DeviceAccess {
  /** Name of the program, such as "Obsidian". */
  readonly program: string;
  /** Returns the name that the device's owner gave it, or a generated one. */
  readonly name: () => string;
  /** Opens a file of the vault; undefined if there is nothing at the path. Throws if it cannot be opened. */
  readonly openFile?: (path: VaultPath) => Promise<OpenFile | undefined>;
  /** Like `platform/sha256.ts`, but synchronous, which is much faster for short content. */
  readonly sha256?: (bytes: Uint8Array) => string;
  /** Opens the folder of a client's project, an absolute and real path. */
  readonly openProject?: (folder: string) => ProjectFolder;
  /** Returns the vault path of an absolute path; undefined if it is outside the vault. */
  readonly locateInVault?: (file: string) => Promise<VaultPath | undefined>;
  /** Returns what is checked out in the git repository that contains the folder; undefined if there is none. */
  readonly gitHead?: (folder: VaultPath) => Promise<GitHead | undefined>;
}
