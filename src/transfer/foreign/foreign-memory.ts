import type { MessageContent } from '../../model/message.js';
import type { VaultPath } from '../../model/paths.js';
import type { RecordKind, RecordStatus } from '../../model/records/record-kinds.js';
import type { StateContent } from '../../model/state.js';
import type { Trace } from '../../model/trace.js';
import type { WorkspaceFields } from '../../model/workspace.js';
import type { ImportSource } from '../import-source.js';

/** Nexus for Obsidian, the MCP server "memory", and Basic Memory. */
const ORIGINS = ['nexus', 'server-memory', 'basic-memory'] as const;

export type Origin = (typeof ORIGINS)[number];

/** `savepoint` for a log or an export of this program. */
export type Program = Origin | 'savepoint';

export const PROGRAMS: readonly Program[] = ['savepoint', ...ORIGINS];

/** Files or folders of each program that can be imported. */
export const EXPECTED_SOURCES: Readonly<Record<Program, string>> = {
  savepoint: 'a .jsonl file or folder that Savepoint has exported',
  nexus:
    'the folder "Nexus/data" of the vault that Nexus was used in, or the ".nexus" folder of an older version',
  'server-memory':
    'the file "memory.jsonl" that MCP\'s server-memory was configured to write, or its answer to "read_graph"',
  'basic-memory': 'the folder with the notes of Basic Memory',
};

/** Ends a message about a file or folder in which nothing was recognized. */
export const IMPORTABLE = `Choose ${Object.values(EXPECTED_SOURCES).join('; ')}. The chat panel in Obsidian imports exports of Claude and ChatGPT.`;

export interface ForeignFile extends ImportSource {
  /** Milliseconds since 1970, if known. */
  readonly modified?: number | undefined;
  /** Undefined for a file outside the vault. */
  readonly vaultPath?: VaultPath | undefined;
}

/** A line of a source file, or an entry of a file that is one JSON document, counted from 1. */
export interface SourceLocation {
  readonly file: string;
  readonly line: number;
  readonly isEntry?: boolean;
}

/**
 * `damaged`: unreadable. `salvaged`: objects in a damaged one could be read. `garbled`: has invalid
 * characters. `foreign`: JSON of another program. `tooLong`: to read, or for a line of the log.
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
  | 'oddValues'
  | 'otherNotes'
  | 'retired'
  | 'forgotten';

/** `key` is the item's id in the program, `at` its creation in milliseconds since 1970. */
interface ForeignItem {
  readonly key: string;
  readonly at: number | undefined;
  readonly location: SourceLocation;
}

export interface ForeignWorkspace extends ForeignItem {
  readonly fields: WorkspaceFields;
  /** In chronological order, each with all of the workspace's fields after it. */
  readonly changes: readonly { readonly at: number; readonly fields: WorkspaceFields }[];
  /** True for a placeholder for its items. An existing workspace takes precedence. */
  readonly isGuessed: boolean;
}

export interface ForeignState extends ForeignItem {
  /** The workspace's key. */
  readonly workspace: string;
  readonly content: StateContent;
  /** True if other content under a key is another state; else only a key's first import counts. */
  readonly isVersioned: boolean;
  /** Number of relations that are nowhere else. */
  readonly relations?: number;
  readonly archived: readonly { readonly at: number; readonly isArchived: boolean }[];
}

export interface ForeignRecord extends ForeignItem {
  /** The workspace's key. */
  readonly workspace: string;
  readonly kind: RecordKind;
  readonly title: string;
  readonly body?: string | undefined;
  readonly files: readonly string[];
  /** Key of the phase that it belongs to. */
  readonly phase?: string | undefined;
  /** Key of the state that it was noted with. */
  readonly state?: string | undefined;
  /** In chronological order. */
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
