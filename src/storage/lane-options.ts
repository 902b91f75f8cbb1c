import type { Draft, LogEvent } from '../model/event.js';
import type { Memory } from '../model/memory.js';
import type { Scheduler } from '../platform/scheduler.js';
import type { ChangeFeed, LogChange } from './change-feed.js';
import type { LaneName } from './format/lanes.js';
import type { SegmentLine } from './format/segment.js';
import type { SeenWriter } from './format/watermark.js';
import type { Watermarks } from './integrity/watermarks.js';
import type { EventIndex } from './read/event-index.js';
import type { LocatedEvent } from './read/reader.js';
import type { SegmentCache } from './read/segment-cache.js';
import type { LogAppend } from './write/segment-file.js';
import type { LogSegmentWriter, LogSegmentWriterOptions } from './write/segment-writer.js';

export interface LaneOptions extends Pick<
  LogSegmentWriterOptions,
  'files' | 'root' | 'clock' | 'hybridClock' | 'writers'
> {
  readonly name: LaneName;
  readonly scheduler: Scheduler;
  readonly watermarks: Watermarks;
  readonly feed: ChangeFeed;
  readonly createWriter: () => LogSegmentWriter;
  readonly cache: SegmentCache | undefined;
  /** Indexes of the on-demand events, which a file of any lane may contain. */
  readonly indexes: readonly EventIndex[];
  readonly hooks: LaneHooks;
}

/** The parts of a lane's work that the log does; the lane only reads, folds and writes events. */
export interface LaneHooks {
  /** Returns the events that open a new segment, `log.seg` first. */
  openSegment(): Draft[];
  /** Called for each event that is new here, before it takes effect on the memory. */
  onEvent(event: LogEvent): void;
  /** Called after each scan, while no write can run. */
  afterScan?(scan: CoreScan): Promise<CoreScanResult>;
  /** Returns true for an event that must not take effect, because it was forgotten. */
  isHidden?(event: LogEvent): boolean;
  /** Called with new events before they take effect; true if the lane must be folded again. */
  onForget?(events: readonly LogEvent[]): Promise<boolean>;
  /** Called with the lines that were read from a file, known ones too. */
  onLines?(lines: readonly SegmentLine[]): void;
  /** Returns all copied events of the lane. */
  copied?(): Promise<readonly LogEvent[]>;
  /** Called with a stored writer's last known event if it cannot be continued; more may be lost. */
  onAbandoned(last: SeenWriter): void;
  /** Called with events in this lane's folder that belong to another lane. */
  onMisplaced(events: readonly LocatedEvent[]): void;
  /** Called with the bytes of each new line after the first scan, without its newline. */
  onNewLine?(bytes: Uint8Array): void;
  /** Called with the events of each append by this process before the write. Must not throw. */
  beforeAppend?(events: readonly LogEvent[]): Promise<void>;
  /** Called after each append of this process; a write resolves only after that. */
  afterAppend?(append: LogAppend): Promise<void>;
}

export interface CoreScan {
  readonly isFirst: boolean;
  /** That of `LaneReader`. */
  readonly takeLoss: () => boolean;
}

export interface CoreScanResult {
  /** True if the hook has written to the lane, so that another scan is due. */
  readonly hasWritten: boolean;
  /** Copied events that no readable file has, or that others forgot and this device keeps. */
  readonly copied?: readonly LocatedEvent[];
  /** True if other events are hidden than before, so that the lane must be folded again. */
  readonly isChanged?: boolean;
}

/** Returns a write's drafts; `memory` has all earlier writes. Throws to reject this write alone. */
export type DecideDrafts = (memory: Memory) => readonly Draft[];

/** A write that waits for its turn. */
export interface QueuedWrite {
  readonly decide: DecideDrafts;
  /** Bytes at which the segment is full, if not as usual in the lane. */
  readonly maxBytes: number | undefined;
  /** Receives all events of the append that includes the write's own. */
  readonly resolve: (written: readonly LocatedEvent[]) => void;
  readonly reject: (error: unknown) => void;
}

/** The change to publish after a lane's memory or index has changed. */
export const CHANGES: Record<LaneName, Partial<LogChange>> = {
  core: { memory: true },
  chat: { chat: true },
  trace: { traces: true },
  session: { traces: true },
};
