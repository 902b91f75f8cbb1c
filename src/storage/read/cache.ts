import type { VaultPath } from '../../model/paths.js';
import type { LaneName } from '../format/lanes.js';

/** The cached form of one segment. Its bytes have a checksum. */
export interface CachedSegment {
  readonly path: VaultPath;
  readonly bytes: Uint8Array;
}

/**
 * Stores read segments outside the vault, so that the next start need not read them again. May be
 * lost, outdated or of another vault at any time, which costs only time. Failures are errors.
 */
export interface Cache {
  load(lane: LaneName): Promise<CachedSegment[]>;
  /** Saves records, replacing those of the same paths, and deletes those in `removed`. Atomic. */
  save(
    lane: LaneName,
    records: readonly CachedSegment[],
    removed?: readonly VaultPath[],
  ): Promise<void>;
  clear(): Promise<void>;
}

/** Lanes worth caching if segments are on a disk: core records would be as large as segments. */
export const FOLDER_CACHED_LANES: readonly LaneName[] = ['chat', 'trace', 'session'];
