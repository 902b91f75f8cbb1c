import type { VaultPath } from '../../model/paths.js';
import type { LaneName } from '../format/lanes.js';

/** The cached form of one segment. Its bytes have a checksum. */
export interface CachedSegment {
  readonly path: VaultPath;
  readonly bytes: Uint8Array;
}

/**
 * The store, outside the vault, of the segments that this device has read, one record each, so that the next start need not read
 * them again. It may be lost, outdated or of another vault at any time, which costs nothing but time. Failures are errors.
 */
export interface Cache {
  /** Returns every record of a lane. */
  load(lane: LaneName): Promise<CachedSegment[]>;
  /** Replaces the records of the same paths and deletes those of `removed`: all of it, or nothing. */
  save(
    lane: LaneName,
    records: readonly CachedSegment[],
    removed?: readonly VaultPath[],
  ): Promise<void>;
  /** Deletes everything. */
  clear(): Promise<void>;
}

/** The lanes for which a cache pays off if segments are read from the disk itself: a core record is as large as its segment. */
export const FOLDER_CACHED_LANES: readonly LaneName[] = ['chat', 'trace'];
