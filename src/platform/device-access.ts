import type { GitHead } from '../model/states/provenance.js';
import type { VaultPath } from '../model/paths.js';
import type { Trace } from '../model/trace.js';

/** An open file, of which parts can be read. */
export interface OpenFile {
  /**
   * Returns `length` bytes from offset `from`, or fewer at the end of the file. Throws for a
   * folder.
   */
  read(from: number, length: number): Promise<Uint8Array>;
  /** Returns the size in bytes; undefined for a folder, a pipe or a device. */
  size(): Promise<number | undefined>;
  close(): void;
}

/** The folder of a project outside the vault. Its paths have `/` between their parts. */
export interface ProjectFolder {
  /**
   * Returns the path of a file in the project, given a relative or absolute path; undefined if it
   * is outside.
   */
  locate(typed: string): Promise<string | undefined>;
  /**
   * Opens a file; undefined if there is nothing at the path, or if it leads outside. Throws if it
   * cannot be opened.
   */
  openFile(path: string): Promise<OpenFile | undefined>;
}

/** How a file differs between two points in time. */
export type TreeChangeKind = 'added' | 'changed' | 'removed';

export interface TreeChange {
  readonly path: string;
  readonly change: TreeChangeKind;
}

export interface Commit {
  /** Commit id. */
  readonly id: string;
  /** Time at which its changes were made, as ISO text. */
  readonly authoredAt: string;
  readonly author: string;
  /** First line of its message. */
  readonly subject: string;
}

/**
 * The git repository that contains a folder, for reading only. Paths are relative to that folder
 * and have `/` between their parts; files outside of it are left out. Each method throws a
 * `Refusal` if the repository is damaged or in a format that cannot be read.
 */
export interface GitRepository {
  /** Identifies the repository on this device. Must never be stored or shown. */
  readonly root: string;
  readonly head: GitHead;
  /**
   * Returns the number of tracked files in the whole repository that were changed or deleted and
   * not staged since.
   */
  countUnstaged(): Promise<number>;
  /**
   * Returns the id of the commit that a commit id, the beginning of one, a branch or a tag names;
   * undefined if there is none.
   */
  resolve(name: string): Promise<string | undefined>;
  /**
   * Returns the tracked files that differ between a commit and another one or, by default, the
   * files on disk; sorted by path.
   */
  changesSince(from: string, to?: string): Promise<TreeChange[]>;
  /** Returns the content of a file in a commit; undefined if there is none. */
  readFile(commit: string, path: string): Promise<Uint8Array | undefined>;
  /**
   * Returns at most `limit` commits that change a wanted file of the folder, newest first: those
   * that lead to the head, but not to `from`.
   */
  commitsSince(from: string, limit: number, isWanted: (path: string) => boolean): Promise<Commit[]>;
}

/**
 * A folder in which a repository is looked for: of the vault, or of a client's project (an absolute
 * and real path).
 */
export type RepositoryFolder = { readonly vault: VaultPath } | { readonly project: string };

/** The device that a program runs on, and what only some devices can do. */
export interface DeviceAccess {
  /** Name of the program, such as "Obsidian". */
  readonly program: string;
  /** Returns the name that the device's owner gave it, or a generated one. */
  readonly name: () => string;
  /**
   * Opens a file of the vault; undefined if there is nothing at the path. Throws if it cannot be
   * opened.
   */
  readonly openFile?: (path: VaultPath) => Promise<OpenFile | undefined>;
  /** Like `platform/sha256.ts`, but synchronous, which is much faster for short content. */
  readonly sha256?: (bytes: Uint8Array) => string;
  /**
   * Returns the checkpoints of what AI apps have done on this device in projects of a workspace, as
   * far as the user allows it. They are newer than those in the log.
   */
  readonly readSessions?: (workspaceId: string) => Promise<Trace[]>;
  /** Opens the folder of a client's project, an absolute and real path. */
  readonly openProject?: (folder: string) => ProjectFolder;
  /** Returns the vault path of an absolute path; undefined if it is outside the vault. */
  readonly locateInVault?: (file: string) => Promise<VaultPath | undefined>;
  /**
   * Returns what is checked out in the git repository that contains the folder; undefined if there
   * is none.
   */
  readonly gitHead?: (folder: VaultPath) => Promise<GitHead | undefined>;
  /**
   * Opens the git repository that contains a folder. Throws a `Refusal` if there is none that may
   * and can be read.
   */
  readonly openRepository?: (folder: RepositoryFolder) => Promise<GitRepository>;
}
