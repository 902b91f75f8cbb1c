import type { VaultPath } from '../../model/paths.js';
import type { Lane } from '../format/lanes.js';

/** A writer as it was when it was last laid down: enough to see whether its last segment is still exactly as it left it. */
export interface WriterRecord {
  readonly writer: string;
  /** Its last event: sequence number, CRC and clock reading. */
  readonly n: number;
  readonly c: string;
  readonly h: string;
  /** Its last segment: where it is, its running number and day, its length in bytes and lines, where its last line starts. */
  readonly path: VaultPath;
  readonly number: number;
  readonly day: string;
  readonly size: number;
  readonly fileId?: string | undefined;
  readonly lines: number;
  readonly lastFrom: number;
  readonly isSealed: boolean;
}

/**
 * Keeps writers on this device, outside the vault, while no process uses them. What `take` answers is gone from the store:
 * no second process can have it, and a process that dies takes its writer with it.
 */
export interface Identities {
  take(lane: Lane): Promise<WriterRecord | undefined>;
  give(lane: Lane, record: WriterRecord): Promise<void>;
}

/** Whether something that was kept is a record of a writer. */
export function isWriterRecord(value: unknown): value is WriterRecord {
  if (typeof value !== 'object' || value === null) return false;
  const record = value as Partial<Record<keyof WriterRecord, unknown>>;
  const texts = [record.writer, record.c, record.h, record.path, record.day].every(
    (field) => typeof field === 'string',
  );
  const numbers = [record.n, record.number, record.size, record.lines, record.lastFrom].every(
    (field) => typeof field === 'number',
  );
  return texts && numbers && typeof record.isSealed === 'boolean';
}
