import { type Draft, type LogEvent } from '../model/event.js';
import { type Memory } from '../model/memory.js';
import { type Message } from '../model/message.js';
import type { VaultPath } from '../model/paths.js';
import { type Trace } from '../model/trace.js';
import type { Clock } from '../platform/clock.js';
import type { Files } from '../platform/files.js';
import type { Random } from '../platform/random.js';
import { type FileWatch, type LogChange } from './change-feed.js';
import { type LaneName } from './format/lanes.js';
import type { ForgettableLine } from './forget/forget-event.js';
import type { ForgetStore } from './forget/forget-store.js';
import type { DestroyReport } from './forgetter.js';
import type { DecidedForget } from './forget/forgets.js';
import type { Copies } from './integrity/copies.js';
import { type TraceLimits } from './integrity/retention.js';
import type { Cache } from './read/cache.js';
import { type EventList, type EventLocation } from './read/event-list.js';
import type { Identities } from './write/writer-identity.js';

export interface LogOptions {
  readonly files: Files;
  /** The data folder, a vault path. */
  readonly root: VaultPath;
  readonly identities: Identities;
  /** The store for copies of the core lane; without it nothing heals. */
  readonly copies?: Copies;
  /** The store for segments that were read, for the next start. */
  readonly cache?: Cache;
  /** The lanes to cache; all by default. */
  readonly cachedLanes?: readonly LaneName[];
  readonly clock: Clock;
  readonly random: Random;
  /** Program and version, for people who look into a segment. */
  readonly app: string;
  /**
   * This device's name in its segments, which only needs to differ from those of the user's other
   * devices.
   */
  readonly device: string;
  /** Called when a background task fails. */
  readonly warn: (message: string) => void;
  /**
   * Called once if a newer version of this program has written events that this one does not
   * understand.
   */
  readonly onNewerVersion?: () => void;
  /**
   * Called during long reads; resolves when the host has had its turn. Without it, reading does not
   * yield.
   */
  readonly yieldToHost?: () => Promise<void>;
  /**
   * The limits of traces, read at each run. Without them, as for a read-only program, this process
   * removes no traces.
   */
  readonly traceLimits?: TraceLimits;
  /** This device's decisions about what was forgotten; without it, nothing is destroyed here. */
  readonly forgetStore?: ForgetStore;
  /**
   * Name of this program among those of the device that have copies and caches of their own;
   * `program` by default.
   */
  readonly program?: string;
  /**
   * Removes what was derived from forgotten lines, such as search indexes. Receives the ids of the
   * states and records among them.
   */
  readonly onDestroy?: (entities: readonly string[]) => Promise<void>;
  /**
   * The file watcher to use while there are listeners. Without it, changes of other programs show
   * with the next call.
   */
  readonly watch?: FileWatch;
}

/**
 * Decides on a write: returns the events to add, and the caller's result as `answer`. Throws a
 * `Refusal` to write nothing. `memory` includes all earlier writes, and is valid only during the
 * call, since later writes change it in place.
 */
export type Decide<T> = (memory: Memory) => { drafts: readonly Draft[]; answer: T };

/** The location of a trace. */
export type TraceEntry = EventLocation;

/** Traces of one workspace, earliest first. */
export type TraceList = EventList;

/** The means by which people remove lines that must not stay. */
export interface ForgetControl {
  /**
   * Hides lines for good, and destroys them: at once if `isDecided`, otherwise after
   * `AGREEMENT_MS`, unless the user refuses. `kept`: events to write with it.
   */
  forget(
    lines: readonly ForgettableLine[],
    isDecided: boolean,
    kept?: readonly Draft[],
  ): Promise<DestroyReport>;
  /** Returns what was forgotten, on any device. */
  list(): Promise<DecidedForget[]>;
  /** Returns the same as of the last read. */
  known(): readonly DecidedForget[];
  /** Decides, for this device alone, about a `log.forget` event (`forgetKey`) of another one. */
  decide(key: string, choice: 'agreed' | 'refused'): Promise<DestroyReport>;
}

/** Problems of the core lane, as of its last read or write, that an answer must mention. */
export interface LogTrouble {
  /** True if the last lines could not be copied outside the vault. */
  readonly isCopyFailing: boolean;
  /** Segments that cannot be read at present or are not downloaded yet. */
  readonly waiting: readonly VaultPath[];
  /** True if one of them may have lines of a writer of which none is known here, or the next. */
  readonly lacksLines: boolean;
  /** True if one of them has lines that a watermark mentions and that are not known here. */
  readonly lacksKnownLines: boolean;
  /**
   * Returns a text that stands for the core events that are known to be missing, by their numbers
   * or a watermark; empty if there are none.
   */
  readonly gaps: () => string;
  /** Number of lines that the vault lacked in the last comparison with this device's copies. */
  readonly missing: number;
}

/** The event log of one vault, which is the source of truth, and the memory folded from it. */
export interface Log {
  /** Returns the memory with everything that is in the data folder at the time of the call. */
  memory(): Promise<Memory>;
  /**
   * Decides on the memory as it was last read, and appends the events; resolves once they would
   * survive a power cut, if the platform can promise that. Call `memory()` first to include what
   * others have written since. If a write with the key `call` has already taken effect, it writes
   * nothing and returns undefined.
   */
  write<T>(decide: Decide<T>, call?: string): Promise<T | undefined>;
  /**
   * Appends to the trace lane; does not wait for the disk. `soon` means a little later, so that one
   * append stores the traces of many calls.
   */
  writeTrace(draft: Draft, when?: 'soon'): Promise<void>;
  /** Returns the traces of a workspace that are not retired, newest first. */
  traceEntries(workspaceId: string): Promise<readonly TraceEntry[]>;
  /**
   * Returns the same traces, earliest first, as a list that later lists continue; without those
   * that are still to be written.
   */
  traceList(workspaceId: string): Promise<TraceList>;
  /** Returns those that can still be read. */
  readTraces(entries: readonly TraceEntry[]): Promise<Trace[]>;
  /** Returns one trace per entry; undefined for one that cannot be read any more. */
  tracesAt(entries: readonly TraceEntry[]): Promise<(Trace | undefined)[]>;
  /**
   * Returns at most `limit` traces of a workspace, newest first. Unless the traces have been read,
   * it reads only the newest segments, and misses traces that are older than all of them.
   */
  recentTraces(workspaceId: string, limit: number): Promise<Trace[]>;
  /**
   * Returns at most `limit` checkpoints of all workspaces, newest first. It reads only the newest
   * segments, and misses checkpoints that are older than all of them.
   */
  recentCheckpoints(limit: number): Promise<Trace[]>;
  /** Returns the conversations: a memory that is folded from the chat lane alone. */
  conversations(): Promise<Memory>;
  /** Returns the messages of a conversation, newest first. */
  messages(conversationId: string): Promise<Message[]>;
  /** Appends to the chat lane, as durably as `write` does, and returns the event. */
  writeChat(draft: Draft): Promise<LogEvent>;
  /**
   * Restores at once the lines of the core lane that the vault lacks and this device has copies of;
   * with an id, those of that memory, which was removed from the vault as a whole. Returns their
   * number.
   */
  heal(memoryId?: string): Promise<number>;
  /** Forgets lines. Only for people, never for a tool. */
  readonly forgetting: ForgetControl;
  /** Returns what is wrong at present. */
  trouble(): LogTrouble;
  /**
   * Calls the listener after the memory, the traces or the chats have changed. It is called at once
   * for what this process writes or reads. For what others write, it is called when `watch` reports
   * it, but only for lanes that have been read. Returns a function that removes the listener.
   */
  onChange(listener: (change: LogChange) => void): () => void;
  /**
   * Finishes pending writes, and stores the writers, which the next write acquires again. For a
   * process that may be killed from now on.
   */
  releaseWriters(): Promise<void>;
  /**
   * Finishes pending writes, and stores the writers for the next process. Must be the last call.
   */
  close(): Promise<void>;
}
