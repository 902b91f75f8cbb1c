import type { VaultPath } from '../../model/paths.js';
import type { Lane } from '../format/lanes.js';

/** What was found in one segment, as bytes that tell for themselves whether they are whole. */
export interface CacheRecord {
  readonly path: VaultPath;
  readonly bytes: Uint8Array;
}

/**
 * What this device keeps outside the vault of segments that it has read, a record for each: whoever starts anew need not read them
 * again. It may be lost, old or of another vault at any time, and nothing but time is lost with it. Trouble is an error.
 */
export interface Cache {
  /** Every record of a lane, in one go. */
  load(lane: Lane): Promise<CacheRecord[]>;
  /** Puts records in the place of those of the same paths, and takes out those of `gone`: all of it, or nothing. */
  save(lane: Lane, records: readonly CacheRecord[], gone?: readonly VaultPath[]): Promise<void>;
  /** Forgets everything. */
  clear(): Promise<void>;
}

/** The lanes of which keeping pays where files are read from the disk itself: those of core are read whole from either place. */
export const FOLDER_CACHED_LANES: readonly Lane[] = ['chat', 'trace'];
