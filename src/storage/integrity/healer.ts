import type { LogEvent } from '../../model/event.js';
import type { VaultPath } from '../../model/paths.js';
import { hasReadme } from '../write/data-folder-readme.js';
import type { Clock } from '../../platform/clock.js';
import type { Copies } from './copies.js';
import type { Files } from '../../platform/files.js';
import { hasEvent, type WriterIndex } from '../read/writer-index.js';
import { createWriterId, type Random } from '../../platform/random.js';
import { joinBytes } from '../../platform/bytes.js';
import { dayOf, healedPath } from '../format/lanes.js';
import { NEWLINE } from '../format/line.js';
import type { Scheduler } from '../../platform/scheduler.js';
import { createReader } from '../read/reader.js';
import { isInRanges, retiredRanges } from './retirements.js';
import { parseSegment } from '../format/segment.js';

export interface HealerOptions {
  readonly files: Files;
  readonly root: VaultPath;
  readonly copies: Copies;
  /** What the log has seen so far. */
  readonly writers: WriterIndex;
  readonly clock: Clock;
  readonly random: Random;
  /** The vault's id as its log tells it; undefined before there is one. */
  readonly vaultId: () => string | undefined;
  /** That one, and those that devices gave to the vault which had begun it apart. */
  readonly vaultIds: () => Iterable<string>;
  readonly warn: (message: string) => void;
  readonly scheduler: Scheduler;
}

/** Writes again what this device has written and something else has taken out of the vault. */
export interface Healer {
  /** Keeps a copy of what was just appended to the core lane; written to the copies a little later, many at a time. */
  keep(lines: Uint8Array): void;
  /** Looks in a minute whether something is missing that was never seen here: at the start. */
  plan(): void;
  /** Looks in a minute whether something is missing that was seen here: when a file has vanished or shrunk. */
  suspect(): void;
  /** Writes what is still to be kept, and looks no more. */
  stop(): Promise<void>;
}

/** A loss must last: a sync service may take a file away for a moment only to put it back. */
const LASTING_MS = 60 * 1000;
const KEEP_AFTER_MS = 250;

export function createHealer({
  files,
  root,
  copies,
  writers: holdings,
  clock,
  random,
  vaultId,
  vaultIds,
  warn,
  scheduler,
}: HealerOptions): Healer {
  const kept: Uint8Array[] = [];
  let isSuspicious = false;
  let isFailing = false;
  let cancelKeeping: (() => void) | undefined;
  let cancelPlan: (() => void) | undefined;

  async function flush(): Promise<void> {
    cancelKeeping?.();
    cancelKeeping = undefined;
    const id = vaultId();
    const lines = kept.splice(0);
    if (id === undefined || lines.length === 0) return;
    try {
      await copies.add(id, joinBytes(lines));
      isFailing = false;
    } catch (error) {
      if (!isFailing) warn(`No copy was kept for healing: ${String(error)}`);
      isFailing = true;
    }
  }

  function plan(): void {
    cancelPlan ??= clock.after(LASTING_MS, () => {
      cancelPlan = undefined;
      heal().catch((error: unknown) =>
        warn(`What is missing could not be written again: ${String(error)}`),
      );
    });
  }

  async function heal(): Promise<void> {
    await flush();
    const current = vaultId();
    if (current === undefined) return;
    const own = await linesKept([...new Set([...vaultIds(), current])]);
    if (!isSuspicious && own.every(({ event }) => hasEvent(holdings, event))) return;
    isSuspicious = false;
    const disk = await readDisk(files, root, scheduler);
    const copied = await linesKept(await vaultsOf(disk, current));
    const retired = retiredRanges(copied); // what was retired stays so where the line that says it has vanished too
    const missing = copied.filter(
      ({ event }) => disk.isMissing(event) && !isInRanges(retired.get(event.w) ?? [], event.n),
    );
    if (missing.length === 0) return;
    const path = healedPath(root, 'core', dayOf(clock.now()), createWriterId(random));
    await files.append(path, joinBytes(missing.map(({ line }) => line)), {
      expect: 'new',
      durable: true,
    });
    warn(
      `${missing.length} entries had vanished from the vault and were written again to ${path}.`,
    );
  }

  async function linesKept(ids: readonly string[]): Promise<KeptLine[]> {
    const copied = await Promise.all(ids.map((id) => copies.read(id)));
    return copied.flatMap((bytes) =>
      parseSegment(bytes).lines.map(({ event, from, to }) => ({
        event,
        line: joinBytes([bytes.subarray(from, to), NEWLINE]),
      })),
    );
  }

  /**
   * Under which ids of this vault copies may be kept: two devices that began it apart gave it two. None where it is another vault
   * by now, where something in it cannot be read yet, or where the data folder was taken away whole, its README too: somebody
   * wanted to begin anew.
   */
  async function vaultsOf(disk: Disk, current: string): Promise<string[]> {
    const isThis =
      disk.vaultIds.includes(current) ||
      (disk.vaultIds.length === 0 && (await hasReadme(files, root)));
    return isThis && disk.isReadable
      ? [...new Set([...disk.vaultIds, ...vaultIds(), current])]
      : [];
  }

  return {
    plan,
    suspect() {
      isSuspicious = true;
      plan();
    },
    keep(lines) {
      kept.push(lines);
      cancelKeeping ??= clock.after(KEEP_AFTER_MS, () => void flush());
    },
    async stop() {
      cancelPlan?.();
      cancelPlan = undefined;
      await flush();
    },
  };
}

interface KeptLine {
  readonly event: LogEvent;
  /** Its bytes, newline included. */
  readonly line: Uint8Array;
}

/** What the core lane holds right now. */
interface Disk {
  readonly vaultIds: readonly string[];
  /** Whether every file could be read. */
  readonly isReadable: boolean;
  /** Neither held nor retired. */
  isMissing(event: LogEvent): boolean;
}

async function readDisk(files: Files, root: VaultPath, scheduler: Scheduler): Promise<Disk> {
  const held: WriterIndex = new Map();
  const reader = createReader(files, root, 'core', held, { scheduler });
  const events = await reader.scan();
  const retired = retiredRanges(events);
  const ids = events.map(({ event }) => (event.t === 'log.vault' ? event.d['id'] : undefined));
  return {
    vaultIds: ids.filter((id) => typeof id === 'string'),
    isReadable: reader.unreadable().length === 0,
    isMissing: (event) =>
      !hasEvent(held, event) && !isInRanges(retired.get(event.w) ?? [], event.n),
  };
}
