export interface BlobRecord {
  /** Lower-case letters, digits, dots and hyphens. */
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/**
 * Binary records that this device stores outside the vault. Any of them may be lost at any time, so
 * they contain only data that can be rebuilt. Every failure is thrown as a `Refusal`.
 */
export interface Blobs {
  names(): Promise<string[]>;
  /**
   * Returns the bytes, at an offset in their buffer that is a multiple of eight; undefined if there
   * is no such record.
   */
  load(name: string): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /**
   * Saves all records, then removes the obsolete ones. A crash or failure may leave only the first
   * of these steps done, but never a partly written record.
   */
  save(blobs: readonly BlobRecord[], obsolete?: readonly string[]): Promise<void>;
}
