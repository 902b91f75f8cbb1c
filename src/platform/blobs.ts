export interface BlobRecord {
  /** Lower-case letters, digits, dots and hyphens. */
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Data that can be rebuilt, stored outside the vault; may be lost. Failures are `Refusal`s. */
export interface Blobs {
  names(): Promise<string[]>;
  /** Returns the bytes at a multiple of eight in their buffer; undefined if there is no record. */
  load(name: string): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** Saves all, then removes the obsolete. A crash in between is possible, a partial record not. */
  save(blobs: readonly BlobRecord[], obsolete?: readonly string[]): Promise<void>;
}
