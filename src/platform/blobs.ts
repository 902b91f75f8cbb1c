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
  /** Saves all records before it removes the obsolete ones. A crash leaves no partial record. */
  save(blobs: readonly BlobRecord[], obsolete?: readonly string[]): Promise<void>;
}
