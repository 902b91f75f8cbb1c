/**
 * What this device has itself written to the core lane, kept outside the vault: there is no other copy of it until a sync
 * service has carried it on. Losing the copies loses nothing but the ability to heal.
 */
export interface Copies {
  /** Keeps whole lines that a writer has appended. */
  add(vaultId: string, lines: Uint8Array): Promise<void>;
  /** Everything kept for that vault, as whole lines. */
  read(vaultId: string): Promise<Uint8Array>;
}
