import type { FolderStamps } from '../data-folder/readme.js';
import type { NumberRange } from '../format/number-ranges.js';
import type { LastLine } from '../format/watermark.js';

/** How far the copies of a writer's lines reach: the number and CRC of the last one. */
export interface CopyHead {
  readonly n: number;
  readonly c: string;
}

/** This device's record of a vault, stored outside it. */
export interface VaultRecord extends FolderStamps {
  /** The vault's ids, the one in force first; several if devices began before they synced. */
  readonly ids: readonly string[];
  /** Ids of memories that were removed from the vault as a whole and are not dismissed. */
  readonly formerIds?: readonly string[];
  /** When lines were first found missing, in milliseconds since 1970; absent if none are. */
  readonly lossSeenAt?: number;
  /** Files that could not be read, and since when, in milliseconds since 1970. */
  readonly waitingSince?: Readonly<Record<string, number>>;
  /** Missing events that the user no longer wants reported, by writer. */
  readonly dismissed?: Readonly<Record<string, readonly NumberRange[]>>;
}

/**
 * Copies of the core lane's lines and a record of the vault, both outside it. They may be the only
 * copies: before a sync service passes own lines on, or after it overwrites others'. Without them,
 * nothing heals.
 */
export interface Copies {
  /** Adds whole lines: this device's own, kept forever, or others', with only the latest kept. */
  add(vaultId: string, lines: Uint8Array, origin: 'own' | 'other'): Promise<void>;
  /** Makes added own lines survive a power cut, if the platform can. Must follow the last `add`. */
  sync(vaultId: string): Promise<void>;
  read(vaultId: string): Promise<Uint8Array>;
  /**
   * Replaces the lines of that vault by the result of `change`, which receives them in one or
   * several parts and returns the same array to keep it. A kill leaves the old or the new lines.
   */
  rewrite(vaultId: string, change: (lines: Uint8Array) => Uint8Array): Promise<void>;
  /** Returns the last line of each writer, without reading all lines if that is possible. */
  heads(vaultId: string): Promise<ReadonlyMap<string, CopyHead>>;
  loadRecord(): Promise<VaultRecord | undefined>;
  /** Replaces the record by the result of `change`. All processes update it one at a time. */
  updateRecord(change: (record: VaultRecord | undefined) => VaultRecord): Promise<void>;
  /** Returns the record of the path the vault was moved from. Absent in a store for one vault. */
  loadMovedRecord?(): Promise<VaultRecord | undefined>;
  /** Stores a writer's last line not yet added (undefined: none); should work on a full disk. */
  setLacking(writer: string, last: LastLine | undefined): Promise<void>;
  /** Returns those lines by writer. */
  lacking(): Promise<ReadonlyMap<string, LastLine>>;
  /** Syncs own lines and closes their files. Must be the last call; optional if none were added. */
  close(): Promise<void>;
}

/** Returns this device's record of the vault, or else of the path from which it was moved here. */
export async function findRecord(copies: Copies): Promise<VaultRecord | undefined> {
  return (await copies.loadRecord()) ?? copies.loadMovedRecord?.();
}

/** Returns the ids of the memories in the record other than this one, which has `ids`. */
export function formerIdsIn(record: VaultRecord | undefined, ids: Iterable<string>): string[] {
  const current = new Set(ids);
  const known = new Set([...(record?.formerIds ?? []), ...(record?.ids ?? [])]);
  return [...known].filter((id) => !current.has(id));
}

/** Returns the part of a record that outlasts a comparison, which has found these ids. */
export function keptOf(
  record: VaultRecord,
  found: readonly string[],
  isSameVault: boolean,
): Pick<VaultRecord, 'ids' | 'formerIds' | 'dismissed'> {
  const ids = isSameVault ? [...new Set([...found, ...record.ids])] : found; // others may add some
  const formerIds = formerIdsIn(record, ids);
  const dismissed = isSameVault && record.dismissed && { dismissed: record.dismissed };
  return { ids, ...dismissed, ...(formerIds.length > 0 && { formerIds }) };
}

/** Stops reporting a removed memory, on this device only. Its copies stay. */
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
