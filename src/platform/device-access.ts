import type { Stamp } from '../model/event.js';
import type { GitHead } from '../model/states/provenance.js';
import type { VaultPath } from '../model/paths.js';
import type { Trace } from '../model/trace.js';

export interface OpenFile {
  /** Returns `length` bytes from offset `from`, or fewer at the end. Throws for a folder. */
  read(from: number, length: number): Promise<Uint8Array>;
  /** Returns bytes; undefined for a folder, a pipe or a device. */
  size(): Promise<number | undefined>;
  close(): void;
}

/** The folder of a project outside the vault. Its paths have `/` between their parts. */
export interface ProjectFolder {
  /** Returns the path in the project of a relative or absolute path; undefined if outside. */
  locate(typed: string): Promise<string | undefined>;
  /** Opens a file; undefined if missing or outside. Throws if it cannot be opened. */
  openFile(path: string): Promise<OpenFile | undefined>;
}

export type TreeChangeKind = 'added' | 'changed' | 'removed';

export interface TreeChange {
  readonly path: string;
  readonly change: TreeChangeKind;
}

export interface Commit {
  readonly id: string;
  /** ISO time at which its changes were made. */
  readonly authoredAt: string;
  readonly author: string;
  /** First line of its message. */
  readonly subject: string;
}

/**
 * The git repository that contains a folder, read-only. Paths are relative to that folder; files
 * outside it are left out. Methods throw a `Refusal` if the repository cannot be read.
 */
export interface GitRepository {
  /** Identifies the repository on this device. Must never be stored or shown. */
  readonly root: string;
  readonly head: GitHead;
  /** Number of tracked files in the whole repository with unstaged changes, deletions included. */
  countUnstaged(): Promise<number>;
  /** Returns the full id for a commit id or prefix, branch or tag; undefined if there is none. */
  resolve(name: string): Promise<string | undefined>;
  /** Returns the tracked files that differ from another commit or the disk, sorted by path. */
  changesSince(from: string, to?: string): Promise<TreeChange[]>;
  /** Returns the content of a file in a commit; undefined if there is none. */
  readFile(commit: string, path: string): Promise<Uint8Array | undefined>;
  /** Returns commits up to the head, but not in `from`, that change a wanted file, newest first. */
  commitsSince(from: string, limit: number, isWanted: (path: string) => boolean): Promise<Commit[]>;
}

/** Where to look for a repository; a client's project is an absolute and real path. */
export type RepositoryFolder = { readonly vault: VaultPath } | { readonly project: string };

/** A line of the log as the program that wrote it knows it. */
export interface WrittenLine extends Pick<Stamp, 'w' | 'n' | 'c'> {
  readonly hash: string;
}

/** Returns what the user has forgotten of the session in a line. */
export type ForgottenOf = (line: WrittenLine) => Promise<ForgottenSession>;

export interface ForgottenSession {
  readonly isWhole: boolean;
  /** The messages (`turnKey`) that are forgotten of it otherwise. */
  readonly turns: readonly string[];
}

/** What a program can do on its device; optional members exist on some devices only. */
export interface DeviceAccess {
  /** Such as "Obsidian". */
  readonly program: string;
  /** Returns the name that its owner gave the device, or a generated one. */
  readonly name: () => string;
  /** Opens a file of the vault; undefined if missing. Throws if it cannot be opened. */
  readonly openFile?: (path: VaultPath) => Promise<OpenFile | undefined>;
  /** Like `platform/sha256.ts`, but synchronous, which is much faster for short content. */
  readonly sha256?: (bytes: Uint8Array) => string;
  /** Returns permitted checkpoints of AI apps in a workspace's projects, newer than the log's. */
  readonly readSessions?: (workspaceId: string, forgottenOf: ForgottenOf) => Promise<Trace[]>;
  /** Takes an absolute and real path. */
  readonly openProject?: (folder: string) => ProjectFolder;
  /** Returns the vault path of an absolute path; undefined if outside. */
  readonly locateInVault?: (file: string) => Promise<VaultPath | undefined>;
  /** Returns what the repository of the folder has checked out; undefined if there is none. */
  readonly gitHead?: (folder: VaultPath) => Promise<GitHead | undefined>;
  /** Throws a `Refusal` if the folder is in no repository that may and can be read. */
  readonly openRepository?: (folder: RepositoryFolder) => Promise<GitRepository>;
}
