import type { LogEvent } from '../../model/event.js';
import type { VaultPath } from '../../model/paths.js';
import { joinBytes } from '../../platform/bytes/bytes.js';
import type { Clock } from '../../platform/clock.js';
import type { Files } from '../../platform/files.js';
import { createWriterId, type Random } from '../../platform/random.js';
import type { Scheduler } from '../../platform/scheduler.js';
import { dayOf, healedPath } from '../format/lanes.js';
import { NEWLINE } from '../format/line.js';
import { parseSegment } from '../format/segment.js';
import { LaneReader } from '../read/reader.js';
import { hasEvent, type WriterIndex } from '../read/writer-index.js';
import { hasReadme } from '../data-folder/readme.js';
import type { Copies } from './copies.js';
import { isInRanges, retiredRanges } from './retirements.js';

export interface HealerOptions {
  readonly files: Files;
  readonly root: VaultPath;
  readonly copies: Copies;
  /** All that the log has seen so far. */
  readonly writers: WriterIndex;
  readonly clock: Clock;
  readonly random: Random;
  /** Returns the vault's id according to its log; undefined before it has one. */
  readonly vaultId: () => string | undefined;
  /** Returns that id and those that other devices gave the vault before they synced. */
  readonly vaultIds: () => Iterable<string>;
  readonly warn: (message: string) => void;
  readonly scheduler: Scheduler;
}

/** A loss must last this long: a sync service may remove a file for a moment only to replace it. */
const HEAL_DELAY_MS = 60 * 1000;
const COPY_DELAY_MS = 250;

/** Restores core-lane lines that this device has written and another program has removed from the vault. */
export class Healer {
  readonly #options: HealerOptions;
  readonly #uncopied: Uint8Array[] = [];
  #hasLoss = false;
  #isCopyFailing = false;
  #cancelCopying: (() => void) | undefined;
  #cancelHealing: (() => void) | undefined;

  constructor(options: HealerOptions) {
    this.#options = options;
  }

  /** Copies lines that were just appended to the core lane, soon and many at a time. */
  copy(lines: Uint8Array): void {
    this.#uncopied.push(lines);
    this.#cancelCopying ??= this.#options.clock.after(COPY_DELAY_MS, () => void this.#flush());
  }

  /** Schedules a check for lines that were lost before this process started. */
  schedule(): void {
    const { clock, warn } = this.#options;
    this.#cancelHealing ??= clock.after(HEAL_DELAY_MS, () => {
      this.#cancelHealing = undefined;
      this.#heal().catch((error: unknown) =>
        warn(`Missing entries could not be restored: ${String(error)}`),
      );
    });
  }

  /** Schedules a check for lines that this process has seen, after a file has disappeared or shrunk. */
  reportLoss(): void {
    this.#hasLoss = true;
    this.schedule();
  }

  /** Cancels the check and copies the rest. */
  async close(): Promise<void> {
    this.#cancelHealing?.();
    this.#cancelHealing = undefined;
    await this.#flush();
  }

  async #flush(): Promise<void> {
    const { copies, vaultId, warn } = this.#options;
    this.#cancelCopying?.();
    this.#cancelCopying = undefined;
    const id = vaultId();
    const lines = this.#uncopied.splice(0);
    if (id === undefined || lines.length === 0) return;
    try {
      await copies.add(id, joinBytes(lines));
      this.#isCopyFailing = false;
    } catch (error) {
      if (!this.#isCopyFailing) warn(`No backup copy was made for healing: ${String(error)}`);
      this.#isCopyFailing = true;
    }
  }

  async #heal(): Promise<void> {
    const { files, root, writers, clock, random, vaultId, vaultIds, warn, scheduler } =
      this.#options;
    await this.#flush();
    const current = vaultId();
    if (current === undefined) return;
    const own = await this.#readCopies([...new Set([...vaultIds(), current])]);
    if (!this.#hasLoss && own.every(({ event }) => hasEvent(writers, event))) return;
    this.#hasLoss = false;
    const disk = await readDisk(files, root, scheduler);
    const copied = await this.#readCopies(await this.#healableVaults(disk, current));
    const retired = retiredRanges(copied); // a retirement stays in force if its line was lost too
    const missing = copied.filter(
      ({ event }) => disk.isMissing(event) && !isInRanges(retired.get(event.w) ?? [], event.n),
    );
    if (missing.length === 0) return;
    const path = healedPath(root, 'core', dayOf(clock.now()), createWriterId(random));
    await files.append(path, joinBytes(missing.map(({ line }) => line)), {
      expect: 'new',
      durable: true,
    });
    warn(`${missing.length} entries had disappeared from the vault and were restored to ${path}.`);
  }

  async #readCopies(ids: readonly string[]): Promise<CopiedLine[]> {
    const copied = await Promise.all(ids.map((id) => this.#options.copies.read(id)));
    return copied.flatMap((bytes) =>
      parseSegment(bytes).lines.map(({ event, from, to }) => ({
        event,
        line: joinBytes([bytes.subarray(from, to), NEWLINE]),
      })),
    );
  }

  /**
   * Returns the ids under which copies of this vault may be stored: devices that began before they synced gave it several. None if
   * it is another vault by now, if a part of it cannot be read yet, or if the data folder was removed as a whole, README included,
   * because then the user wanted a fresh start.
   */
  async #healableVaults(disk: Disk, current: string): Promise<string[]> {
    const { files, root, vaultIds } = this.#options;
    const isThisVault =
      disk.vaultIds.includes(current) ||
      (disk.vaultIds.length === 0 && (await hasReadme(files, root)));
    return isThisVault && disk.isReadable
      ? [...new Set([...disk.vaultIds, ...vaultIds(), current])]
      : [];
  }
}

interface CopiedLine {
  readonly event: LogEvent;
  /** Its bytes, newline included. */
  readonly line: Uint8Array;
}

/** The core lane as it is on the disk now. */
interface Disk {
  readonly vaultIds: readonly string[];
  /** True if every file could be read. */
  readonly isReadable: boolean;
  /** Returns true for an event that is neither there nor retired. */
  isMissing(event: LogEvent): boolean;
}

async function readDisk(files: Files, root: VaultPath, scheduler: Scheduler): Promise<Disk> {
  const writers: WriterIndex = new Map();
  const reader = new LaneReader(files, root, 'core', writers, { scheduler });
  const events = await reader.scan();
  const retired = retiredRanges(events);
  const ids = events.map(({ event }) => (event.t === 'log.vault' ? event.d['id'] : undefined));
  return {
    vaultIds: ids.filter((id) => typeof id === 'string'),
    isReadable: reader.unreadable().length === 0,
    isMissing: (event) =>
      !hasEvent(writers, event) && !isInRanges(retired.get(event.w) ?? [], event.n),
  };
}
