import type { VaultPath } from '../../model/paths.js';
import { dayOf } from '../format/lanes.js';
import { isSealed, type SegmentRecord } from './segment-record.js';

/** An append that began just before midnight may end after it. */
const MIDNIGHT_GRACE_MS = 60 * 60 * 1000;

/** Sorts after every timestamp. */
const ALWAYS = '~';

/**
 * The unsealed segments. A writer seals its segment before it writes on another UTC day, so this
 * device adds only to those of today (`current`), and only other programs to the rest (`idle`).
 */
export class OpenSegments {
  /** Timestamp of the last event, by path. */
  readonly #current = new Map<VaultPath, string>();
  readonly #idle = new Map<VaultPath, string>();
  /** Idle segments that are still to be checked in this round. */
  #queue: VaultPath[] = [];
  #today = '';

  set(path: VaultPath, record: SegmentRecord): void {
    this.delete(path);
    if (!isSealed(record)) this.#current.set(path, record.last?.event.h ?? ALWAYS);
  }

  delete(path: VaultPath): void {
    this.#current.delete(path);
    this.#idle.delete(path);
  }

  /** Returns the current segments at wall-clock time `now`; without a time, all are current. */
  currentAt(now: number | undefined): VaultPath[] {
    const today = now === undefined ? '' : dayOf(now - MIDNIGHT_GRACE_MS);
    if (today < this.#today) this.#makeAllCurrent(); // the clock was set back
    this.#today = today;
    for (const [path, h] of this.#current) {
      if (h >= today) continue;
      this.#current.delete(path);
      this.#idle.set(path, h);
    }
    return [...this.#current.keys()];
  }

  /** Returns the next `count` idle segments, so that repeated calls return all of them in turn. */
  takeIdle(count: number): VaultPath[] {
    if (this.#queue.length === 0) this.#queue = [...this.#idle.keys()].reverse();
    return this.#queue.splice(-count, count).filter((path) => this.#idle.has(path));
  }

  idleIn(folders: ReadonlySet<VaultPath>): VaultPath[] {
    if (folders.size === 0) return [];
    return [...this.#idle.keys()].filter((path) =>
      folders.has(path.slice(0, path.lastIndexOf('/'))),
    );
  }

  #makeAllCurrent(): void {
    for (const [path, h] of this.#idle) this.#current.set(path, h);
    this.#idle.clear();
  }
}
