import type { VaultPath } from '../../model/paths.js';
import { createWriterId, type Random } from '../../platform/random.js';
import type { LaneName } from '../format/lanes.js';
import { CHAIN_START } from '../format/line-hash.js';

/** A writer at its release, with what it takes to check that its last segment is unchanged. */
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
 * Stores writers on this device, outside the vault. Between `acquire` and `release` no other
 * process gets a writer; if the process dies then, the writer is lost unless `save` stored it.
 */
export interface Identities {
  acquire(lane: LaneName): Promise<WriterRecord | undefined>;
  release(lane: LaneName, record: WriterRecord): Promise<void>;
  /** Stores a writer in use, if the device can tell when its process has died. Must not throw. */
  save?(lane: LaneName, record: WriterRecord): Promise<void>;
  /** Removes a writer in use that must not be continued. Must not throw. */
  forget?(lane: LaneName, writer: string): Promise<void>;
}

/** Returns a writer that has written nothing. */
export function newWriterRecord(random: Random): WriterRecord {
  return {
    writer: createWriterId(random),
    n: 0,
    hash: CHAIN_START,
    h: '',
    path: '',
    number: 0,
    day: '',
    size: 0,
    lines: 0,
    isSealed: true,
  };
}

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
