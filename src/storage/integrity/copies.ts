import type { FolderStamps } from '../data-folder/readme.js';
import { joinRanges, type NumberRange } from '../format/number-ranges.js';
import type { LastLine } from './watermark.js';
import type { WriterReport } from './writer-reports.js';

/** How far the copies of a writer's lines reach: the number and CRC of the last one. */
export interface CopyHead {
  readonly n: number;
  readonly c: string;
}

/** This device's record of a vault, stored outside it. */
export interface VaultRecord extends FolderStamps {
  /**
   * The vault's ids, the one in force first: devices that began before they synced gave it several.
   */
  readonly ids: readonly string[];
  /**
   * The ids of memories whose whole folder was removed from the vault, unless the user has
   * dismissed them.
   */
  readonly formerIds?: readonly string[];
  /** When lines were first found missing, in milliseconds since 1970; absent if none are. */
  readonly lossSeenAt?: number;
  /** Files that could not be read, and since when, in milliseconds since 1970. */
  readonly waitingSince?: Readonly<Record<string, number>>;
  /** Missing events that the user no longer wants reported, by writer. */
  readonly dismissed?: Readonly<Record<string, readonly NumberRange[]>>;
}

/**
 * Copies of the lines of the core lane, and a record of the vault, both outside the vault. Until a
 * sync service has passed this device's lines on, they exist nowhere else. If it overwrites another
 * device's lines, this device may have the only copies. If the copies are lost, only the ability to
 * heal is lost.
 */
export interface Copies {
  /**
   * Adds whole lines of a vault: this device's own, which are kept forever, or those of others, of
   * which the latest are kept.
   */
  add(vaultId: string, lines: Uint8Array, origin: 'own' | 'other'): Promise<void>;
  /**
   * Makes the own lines that were added survive a power cut, if the platform can promise that. Must
   * follow the last `add`.
   */
  sync(vaultId: string): Promise<void>;
  /** Returns all lines of that vault. */
  read(vaultId: string): Promise<Uint8Array>;
  /**
   * Replaces the lines of that vault by the result of `change`, which receives them in one or
   * several parts and returns the same array to keep it. A kill leaves the old or the new lines.
   */
  rewrite(vaultId: string, change: (lines: Uint8Array) => Uint8Array): Promise<void>;
  /** Returns the last line of each writer, without reading all lines if that is possible. */
  heads(vaultId: string): Promise<ReadonlyMap<string, CopyHead>>;
  loadRecord(): Promise<VaultRecord | undefined>;
  /**
   * Replaces the record with the result of `change`. Updates of all processes run one at a time.
   */
  updateRecord(change: (record: VaultRecord | undefined) => VaultRecord): Promise<void>;
  /**
   * Returns the record of this vault's old path if it was moved here. Absent if the store belongs
   * to a single vault.
   */
  loadMovedRecord?(): Promise<VaultRecord | undefined>;
  /**
   * Remembers that own lines of a writer up to `last` could not be added; with undefined, that all
   * have been. Works on a full disk, if the platform can do that.
   */
  setLacking(writer: string, last: LastLine | undefined): Promise<void>;
  /** Returns those lines by writer. */
  lacking(): Promise<ReadonlyMap<string, LastLine>>;
  /**
   * Syncs the own lines that were added, and closes their files. Must be the last call, but is not
   * needed if nothing was added.
   */
  close(): Promise<void>;
}

/**
 * Returns this device's record of the vault; if it has none for this path, that of the path from
 * which the vault was moved here.
 */
export async function findRecord(copies: Copies): Promise<VaultRecord | undefined> {
  return (await copies.loadRecord()) ?? copies.loadMovedRecord?.();
}

/**
 * Returns the ids of the memories that the record knows and that are not this one, which has `ids`.
 */
export function formerIdsIn(record: VaultRecord | undefined, ids: Iterable<string>): string[] {
  const current = new Set(ids);
  const known = new Set([...(record?.formerIds ?? []), ...(record?.ids ?? [])]);
  return [...known].filter((id) => !current.has(id));
}

/**
 * Stops reporting a memory that was removed from the vault, on this device only. Its copies stay.
 */
export async function dismissFormer(copies: Copies, id: string): Promise<void> {
  const others = (ids: readonly string[] = []) => ids.filter((each) => each !== id);
  await copies.updateRecord((record) => ({
    ...record,
    ids: others(record?.ids),
    formerIds: others(record?.formerIds),
  }));
}

/** Returns the missing events that the user has dismissed on this device, by writer. */
export function dismissedIn(
  record: VaultRecord | undefined,
): ReadonlyMap<string, readonly NumberRange[]> {
  return new Map(Object.entries(record?.dismissed ?? {}));
}

/**
 * Stops reporting the events of writers that are missing now, on this device only. Events of these
 * writers that go missing later are reported again.
 */
export async function dismissMissing(
  copies: Copies,
  ...writers: readonly WriterReport[]
): Promise<void> {
  const added = writers.map(
    ({ writer, claimed, missing, dismissed }) =>
      [writer, joinRanges([...missing, ...dismissed], claimed)] as const,
  );
  await copies.updateRecord((record = { ids: [] }) => ({
    ...record,
    dismissed: { ...record.dismissed, ...Object.fromEntries(added) },
  }));
}
