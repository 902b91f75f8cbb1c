import { type Draft } from '../model/event.js';
import { type Memory } from '../model/memory.js';
import type { VaultPath } from '../model/paths.js';
import type { Clock } from '../platform/clock.js';
import type { Files } from '../platform/files.js';
import type { Random } from '../platform/random.js';
import type { FileWatch } from './change-feed.js';
import { type LaneName } from './format/lanes.js';
import type { Removal } from './forget/due-lines.js';
import type { DecidedForget } from './forget/forget-decisions.js';
import type { DeviceStore } from './data-folder/known-writers.js';
import type { ForgetStore } from './forget/forgets.js';
import type { Copies } from './copies/copies.js';
import type { Cache } from './read/cache.js';
import { type EventList, type EventLocation } from './read/event-list.js';
import type { Identities } from './write/writer-identity.js';

/** The maximum age of the segments of a lane, and the maximum size of all of them. */
export interface TraceLimits {
  readonly days: number;
  readonly bytes: number;
}

export interface LogOptions {
  readonly files: Files;
  /** The data folder, a vault path. */
  readonly root: VaultPath;
  readonly identities: Identities;
  /** Store for copies of the core lane; without it nothing heals. */
  readonly copies?: Copies | undefined;
  /** Store for segments that were read, for the next start. */
  readonly cache?: Cache;
  /** The lanes to cache; all by default. */
  readonly cachedLanes?: readonly LaneName[];
  readonly clock: Clock;
  readonly random: Random;
  /** Program and version, for people who look into a segment. */
  readonly app: string;
  /** This device's name in its segments, different from those of the user's other devices. */
  readonly device: string;
  /** Called when a background task fails. */
  readonly warn: (message: string) => void;
  /** Called once if a newer version has written events that this one does not understand. */
  readonly onNewerVersion?: () => void;
  /** Called during long reads to give the host its turn; without it, reading does not yield. */
  readonly yieldToHost?: () => Promise<void>;
  /** Limits of traces, read at each run. Without them, this process removes no traces. */
  readonly traceLimits?: TraceLimits;
  /** This device's decisions about what was forgotten; without it, nothing is destroyed here. */
  readonly forgetStore?: ForgetStore;
  /** Returns the hashes of lines of which this device keeps the content outside the log. */
  readonly keptHashes?: () => Promise<ReadonlySet<string>>;
  /** Notes the writers of this device; without it, they count as unknown. */
  readonly deviceStore?: Pick<DeviceStore, 'addOwn'>;
  /** Name of this program, which has own copies and caches on the device; `program` by default. */
  readonly program?: string;
  /** Removes what was derived from forgotten lines. */
  readonly onDestroy?: ((removals: readonly Removal[]) => Promise<void>) | undefined;
  /** Used while there are listeners; without it, others' changes show with the next call. */
  readonly watch?: FileWatch;
}

/**
 * Decides on a write: returns its events, and the caller's result as `answer`; throws a `Refusal`
 * to write nothing. `memory` has all earlier writes; later ones change it in place after the call.
 */
export type Decide<T> = (memory: Memory) => { drafts: readonly Draft[]; answer: T };

export type TraceEntry = EventLocation;

/** Traces of one workspace, earliest first. */
export type TraceList = EventList;

/** Problems of the core lane, as of its last read or write, that an answer must mention. */
export interface LogTrouble {
  /** True if the last lines could not be copied outside the vault. */
  readonly isCopyFailing: boolean;
  /** Segments from which nothing can be read at present, or that are not downloaded yet. */
  readonly waiting: readonly VaultPath[];
  /** True if one of them may have lines that are not known here. */
  readonly lacksLines: boolean;
  /** True if one of them must have such lines: it has the name of a segment. */
  readonly lacksSegment: boolean;
  /** Folders next to the data folder that have a memory while it has none, as if it was renamed. */
  readonly siblings: readonly VaultPath[];
  /** Returns a text that identifies the core events known to be missing; empty if none are. */
  readonly gaps: () => string;
  /** Requests to remove lines, which are hidden here and about which the user can decide. */
  readonly asked: readonly DecidedForget[];
  /** Number of entries that they hide. */
  readonly askedCount: number;
  /** Number of lines that the vault lacked in the last comparison with this device's copies. */
  readonly missing: number;
}
