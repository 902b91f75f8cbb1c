import type { VaultPath } from '../../model/paths.js';
import type { LaneName } from '../format/lanes.js';

/** The cached form of one segment. Its bytes have a checksum. */
export interface CachedSegment {
  readonly path: VaultPath;
  readonly bytes: Uint8Array;
}

/**
 * Stores the segments that this device has read, outside the vault and one record each, so that the
 * next start need not read them again. The store may be lost, outdated or of another vault at any
 * time; this costs only time. Failures are errors.
 */
export interface Cache {
  /** Returns every record of a lane. */
  load(lane: LaneName): Promise<CachedSegment[]>;
  /**
   * Saves the records, which replace those of the same paths, and deletes those of the paths in
   * `removed`. Atomic.
   */
  save(
    lane: LaneName,
    records: readonly CachedSegment[],
    removed?: readonly VaultPath[],
  ): Promise<void>;
  /** Deletes everything. */
  clear(): Promise<void>;
}

/**
 * The lanes for which a cache pays off if segments are read directly from a disk. The core lane is
 * not among them, because its records are as large as its segments.
 */
export const FOLDER_CACHED_LANES: readonly LaneName[] = ['chat', 'trace'];
