import type { LogEvent } from '../../model/event.js';
import type { Scheduler } from '../../platform/scheduler.js';
import type { ForgottenLines } from '../forget/forgotten-lines.js';
import type { Copies } from '../copies/copies.js';
import type { SeenWriter } from '../format/watermark.js';
import type { LogOptions } from '../log.js';
import type { WriterIndex } from '../read/writer-index.js';

export interface HealerOptions extends Pick<
  LogOptions,
  'files' | 'root' | 'clock' | 'random' | 'warn'
> {
  readonly copies: Copies;
  /** All that the log has seen so far. */
  readonly writers: WriterIndex;
  /** Returns the vault's id according to its log; undefined before it has one. */
  readonly vaultId: () => string | undefined;
  /** Returns that id and those that other devices gave the vault before they synced. */
  readonly vaultIds: () => Iterable<string>;
  /** Called with an event of this device that is lost and of which no copy was made. */
  readonly onLost: (last: SeenWriter) => void;
  readonly scheduler: Scheduler;
  /** Lines that must not be restored. */
  readonly forgotten: ForgottenLines;
  /** Returns lines to copy, with stubs for due ones. `events`: core events, if just read. */
  readonly withoutDue: (lines: Uint8Array, events?: readonly LogEvent[]) => Promise<Uint8Array>;
}

/** A loss must last this long, since a sync service may remove a file and replace it at once. */
export const HEAL_DELAY_MS = 60 * 1000;
/** The first calls of a process must not wait for copying. */
export const COPY_DELAY_MS = 2000;
/** Many writes in a row share one sync of their copies. */
export const SYNC_DELAY_MS = 1000;
