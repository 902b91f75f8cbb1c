import { isJsonObject, isWithinDepth, type Json, type JsonObject } from '../../model/event.js';
import type { MessageContent } from '../../model/message.js';
import type { VaultPath } from '../../model/paths.js';
import type { StateContent } from '../../model/state.js';
import type { Trace } from '../../model/trace.js';
import type { WorkspaceFields } from '../../model/workspace.js';
import type { ImportSource } from '../import.js';
import type { Pause } from '../../platform/scheduler.js';

/** Whose memory can be brought in: Nexus for Obsidian, the MCP server "memory", Basic Memory. */
const ORIGINS = ['nexus', 'server-memory', 'basic-memory'] as const;

export type Origin = (typeof ORIGINS)[number];

/** Whose a file can be: `savepoint` is a log or an export of this program. */
export type Program = Origin | 'savepoint';

export const PROGRAMS: readonly Program[] = ['savepoint', ...ORIGINS];

/** A file of another program's memory. */
export interface ForeignFile extends ImportSource {
  /** When it was last changed, in milliseconds since 1970, where that is known. */
  readonly modified?: number | undefined;
  /** Where in the vault it lies; undefined for one that lies elsewhere. */
  readonly vaultPath?: VaultPath | undefined;
}

/** Where something stands in the files that were given; lines count from 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
}

/**
 * What is wrong with a line. `damaged`: no JSON. `salvaged`: no JSON as a whole, but it held what could be read. `garbled`: read, with
 * characters that are no text. `foreign`: JSON, but nothing of that program. `tooLong`: more than a line of the log can hold.
 */
export type TroubleKind = 'damaged' | 'salvaged' | 'garbled' | 'foreign' | 'tooLong';

export interface Trouble extends Place {
  readonly kind: TroubleKind;
}

/** Why something that could be read is not brought in. */
export type LeftOut =
  | 'lastUse'
  | 'sessions'
  | 'copies'
  | 'tasks'
  | 'chatSettings'
  | 'emptyMessages'
  | 'unknown'
  | 'orphans'
  | 'otherNotes'
  | 'retired';

/** Something of another program: `key` is what that program knows it by, `at` when it was made (milliseconds since 1970). */
interface Item {
  readonly key: string;
  readonly at: number | undefined;
  readonly place: Place;
}

export interface ForeignWorkspace extends Item {
  readonly fields: WorkspaceFields;
  /** All its fields as they were from then on, in the order of time. */
  readonly changes: readonly { readonly at: number; readonly fields: WorkspaceFields }[];
  /** Whether it is made up for what belongs to it: one that is in the vault already will do. */
  readonly isGuessed: boolean;
}

export interface ForeignState extends Item {
  /** The workspace's key. */
  readonly workspace: string;
  readonly content: StateContent;
  /** Whether other content under the same key is another state; else the first that was brought in stands for it. */
  readonly isVersioned: boolean;
  readonly archived: readonly { readonly at: number; readonly isArchived: boolean }[];
}

export interface ForeignTrace extends Item {
  readonly workspace: string;
  readonly trace: Omit<Trace, 'workspaceId' | 'createdAt'>;
}

export interface ForeignConversation extends Item {
  /** Undefined: of no workspace. */
  readonly workspace: string | undefined;
  readonly title: string;
  readonly changes: readonly {
    readonly at: number;
    readonly title?: string | undefined;
    readonly workspace?: string | undefined;
    readonly isArchived?: boolean | undefined;
  }[];
}

export interface ForeignMessage extends Item {
  readonly conversation: string;
  /** The key of the message before it; undefined for a first one. */
  readonly parent: string | undefined;
  readonly content: Omit<MessageContent, 'conversationId' | 'parentId'>;
}

/** What the files hold, in no program's form. */
export interface Gathered {
  readonly workspaces: readonly ForeignWorkspace[];
  readonly states: readonly ForeignState[];
  readonly traces: readonly ForeignTrace[];
  readonly conversations: readonly ForeignConversation[];
  readonly messages: readonly ForeignMessage[];
}

/** What came up while reading: see `ForeignReport`. */
export interface Account {
  read: number;
  /** How much of it was something of that program. */
  recognized: number;
  duplicates: number;
  readonly troubles: Trouble[];
  readonly leftOut: Map<LeftOut, number>;
}

export function createAccount(): Account {
  return { read: 0, recognized: 0, duplicates: 0, troubles: [], leftOut: new Map() };
}

export function leaveOut({ leftOut }: Account, why: LeftOut, count = 1): void {
  if (count > 0) leftOut.set(why, (leftOut.get(why) ?? 0) + count);
}

/** A call of a tool as another program noted it. */
export interface ForeignCall {
  readonly agent: string;
  readonly tool: string;
  readonly sessionId: string;
  readonly params: JsonObject;
  readonly context: JsonObject;
  readonly answer: { readonly success: boolean; readonly error?: string };
}

/** What of a note's head is needed here; as `readNoteFields` in src/search tells it. */
export interface NoteHead {
  readonly title: string;
  readonly tags: readonly string[];
  readonly properties: ReadonlyMap<string, readonly string[]>;
  readonly bodyStart: number;
}

/** What this folder is handed, because it lies in folders that storage does not know. */
export interface Readers {
  /** Shortens a call as those of this program are, and takes secrets and excluded folders out of it. */
  readonly traceOf: (call: ForeignCall) => ForeignTrace['trace'];
  readonly noteHead: (path: string, text: string) => NoteHead;
}

/** Lets the host have its turn where one is due. */
export async function rest(pause: Pause | undefined): Promise<void> {
  while (pause?.isDue()) await pause.take();
}

export function textIn(object: JsonObject | undefined, key: string): string | undefined {
  const value = object?.[key];
  return typeof value === 'string' ? value : undefined;
}

export function objectIn(object: JsonObject | undefined, key: string): JsonObject | undefined {
  const value = object?.[key];
  return isJsonObject(value) ? value : undefined;
}

export function timeIn(object: JsonObject | undefined, key: string): number | undefined {
  const value = object?.[key];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

export function areTexts(value: Json | undefined): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

/** The object that a text is as JSON; undefined for any other text, and for one that is nested deeper than the log takes. */
export function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) && isWithinDepth(value) ? value : undefined;
  } catch {
    return undefined; // no JSON: the caller says so
  }
}
