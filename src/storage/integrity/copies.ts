/**
 * Copies, outside the vault, of the lines that this device has written to the core lane: until a sync service has carried those on,
 * there are no others. If the copies are lost, only the ability to heal is lost.
 */
export interface Copies {
  /** Adds whole lines that a writer has appended. */
  add(vaultId: string, lines: Uint8Array): Promise<void>;
  /** Returns all lines of that vault. */
  read(vaultId: string): Promise<Uint8Array>;
}
