import type { VaultPath } from '../../model/paths.js';
import type { LaneName } from '../format/lanes.js';

/**
 * A writer at its release, with all that is needed to check that its last segment is unchanged
 * since.
 */
export interface WriterRecord {
  readonly writer: string;
  /** Sequence number, line hash and timestamp of its last event. */
  readonly n: number;
  readonly hash: string;
  readonly h: string;
  /** Its last segment: path, running number, UTC day, and length in bytes and lines. */
  readonly path: VaultPath;
  readonly number: number;
  readonly day: string;
  readonly size: number;
  readonly fileId?: string | undefined;
  readonly lines: number;
  readonly isSealed: boolean;
}

/**
 * Stores the writers that no process uses, on this device and outside the vault. `acquire` removes
 * the writer that it returns, so no second process can get it, and it is lost if the process dies.
 */
export interface Identities {
  acquire(lane: LaneName): Promise<WriterRecord | undefined>;
  release(lane: LaneName, record: WriterRecord): Promise<void>;
}

/** Returns true if a stored value is a writer's record. */
export function isWriterRecord(value: unknown): value is WriterRecord {
  if (typeof value !== 'object' || value === null) return false;
  const record = value as Partial<Record<keyof WriterRecord, unknown>>;
  const texts = [record.writer, record.hash, record.h, record.path, record.day].every(
    (field) => typeof field === 'string',
  );
  const numbers = [record.n, record.number, record.size, record.lines].every(
    (field) => typeof field === 'number',
  );
  return texts && numbers && typeof record.isSealed === 'boolean';
}
