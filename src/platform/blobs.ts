export interface BlobRecord {
  /** Small letters, digits, dots and hyphens. */
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/**
 * Binary records that this device keeps outside the vault. Any of them may be lost at any time, so only what can be made anew
 * is kept in them. Trouble is a `Refusal` in words.
 */
export interface Blobs {
  names(): Promise<string[]>;
  /** The bytes, beginning at a multiple of eight of their buffer; undefined where there is no such record. */
  load(name: string): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /**
   * Saves all, then removes what is obsolete. Cut off or failed, some of it may be done, but in this order, and no record is left
   * half written.
   */
  save(blobs: readonly BlobRecord[], obsolete?: readonly string[]): Promise<void>;
}
