import type { MessageContent } from '../../model/message.js';
import type { VaultPath } from '../../model/paths.js';
import type { RecordKind, RecordStatus } from '../../model/records/record-kinds.js';
import type { StateContent } from '../../model/state.js';
import type { Trace } from '../../model/trace.js';
import type { WorkspaceFields } from '../../model/workspace.js';
import type { ImportSource } from '../import-source.js';

/**
 * Programs whose memory can be imported: Nexus for Obsidian, the MCP server "memory", Basic Memory.
 */
const ORIGINS = ['nexus', 'server-memory', 'basic-memory'] as const;

export type Origin = (typeof ORIGINS)[number];

/** The program that wrote a file; `savepoint` for a log or an export of this program. */
export type Program = Origin | 'savepoint';

export const PROGRAMS: readonly Program[] = ['savepoint', ...ORIGINS];

/** A file of another program's memory. */
export interface ForeignFile extends ImportSource {
  /** Time of the last change in milliseconds since 1970, if known. */
  readonly modified?: number | undefined;
  /** Path in the vault; undefined for a file outside it. */
  readonly vaultPath?: VaultPath | undefined;
}

/** A line of a source file, or an entry of a file that is one JSON document, counted from 1. */
export interface SourceLocation {
  readonly file: string;
  readonly line: number;
  readonly isEntry?: boolean;
}

/**
 * Problem with a line or an entry. `damaged`: nothing in it could be read. `salvaged`: it is
 * damaged, but objects in it could be read. `garbled`: it was read, but has invalid characters.
 * `foreign`: it is JSON, but not that program's. `tooLong`: it cannot be read, or does not fit in a
 * line of the log.
 */
export type ForeignProblemKind = 'damaged' | 'salvaged' | 'garbled' | 'foreign' | 'tooLong';

export interface ForeignProblem extends SourceLocation {
  readonly kind: ForeignProblemKind;
}

/** Reason why something that could be read is not imported. */
export type LeftOutReason =
  | 'lastUse'
  | 'sessions'
  | 'copies'
  | 'chatSettings'
  | 'emptyMessages'
  | 'unknown'
  | 'orphans'
  | 'otherNotes'
  | 'retired'
  | 'forgotten';

/**
 * An item of another program: `key` is its id there, `at` its creation time in milliseconds since
 * 1970.
 */
interface ForeignItem {
  readonly key: string;
  readonly at: number | undefined;
  readonly location: SourceLocation;
}

export interface ForeignWorkspace extends ForeignItem {
  readonly fields: WorkspaceFields;
  /** The changes in chronological order, each with all of the workspace's fields after it. */
  readonly changes: readonly { readonly at: number; readonly fields: WorkspaceFields }[];
  /**
   * True for a placeholder made for the items that belong to it. An existing workspace takes
   * precedence.
   */
  readonly isGuessed: boolean;
}

export interface ForeignState extends ForeignItem {
  /** The workspace's key. */
  readonly workspace: string;
  readonly content: StateContent;
  /**
   * True if other content under the same key is another state. Otherwise only the first import of
   * the key counts.
   */
  readonly isVersioned: boolean;
  readonly archived: readonly { readonly at: number; readonly isArchived: boolean }[];
}

export interface ForeignRecord extends ForeignItem {
  /** The workspace's key. */
  readonly workspace: string;
  readonly kind: RecordKind;
  readonly title: string;
  readonly body?: string | undefined;
  /** Paths of the files that it is about. */
  readonly files: readonly string[];
  /** Key of the phase that it belongs to. */
  readonly phase?: string | undefined;
  /** Key of the state that it was noted with. */
  readonly state?: string | undefined;
  /** The changes in chronological order. */
  readonly changes: readonly ForeignRecordChange[];
}

export interface ForeignRecordChange {
  readonly at: number;
  readonly status?: RecordStatus | undefined;
  /** ISO date-time. */
  readonly remindAt?: string | undefined;
  readonly isArchived?: boolean | undefined;
  /** A record, by its key, that is needed from now on or no longer. */
  readonly need?: { readonly key: string; readonly isNeeded: boolean } | undefined;
}

export interface ForeignTrace extends ForeignItem {
  readonly workspace: string;
  readonly trace: Omit<Trace, 'workspaceId' | 'createdAt'>;
}

export interface ForeignConversation extends ForeignItem {
  /** The workspace's key; undefined for a conversation outside all workspaces. */
  readonly workspace: string | undefined;
  readonly title: string;
  readonly changes: readonly {
    readonly at: number;
    readonly title?: string | undefined;
    readonly workspace?: string | undefined;
    readonly isArchived?: boolean | undefined;
  }[];
}

export interface ForeignMessage extends ForeignItem {
  readonly conversation: string;
  /** The key of the preceding message; undefined for the first message. */
  readonly parent: string | undefined;
  readonly content: Omit<MessageContent, 'conversationId' | 'parentId'>;
}

/** The contents of another program's files, independent of its format. */
export interface ForeignMemory {
  readonly workspaces: readonly ForeignWorkspace[];
  readonly states: readonly ForeignState[];
  readonly records: readonly ForeignRecord[];
  readonly traces: readonly ForeignTrace[];
  readonly conversations: readonly ForeignConversation[];
  readonly messages: readonly ForeignMessage[];
}

/** Counters and problems of a read, see `ForeignImportReport`. */
export interface ReadStats {
  read: number;
  /** Number of read items that belong to that program. */
  recognized: number;
  duplicates: number;
  readonly troubles: ForeignProblem[];
  readonly leftOut: Map<LeftOutReason, number>;
}

export function createReadStats(): ReadStats {
  return { read: 0, recognized: 0, duplicates: 0, troubles: [], leftOut: new Map() };
}

export function addLeftOut({ leftOut }: ReadStats, why: LeftOutReason, count = 1): void {
  if (count > 0) leftOut.set(why, (leftOut.get(why) ?? 0) + count);
}
