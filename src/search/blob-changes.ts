/** Blobs to write, and names of those to delete. */
export interface BlobChanges {
  readonly blobs: readonly { readonly name: string; readonly bytes: Uint8Array<ArrayBuffer> }[];
  readonly obsolete: readonly string[];
}

/** Returns how the parts of an index differ from those that are persisted, and updates these. */
export function takeChanges<T extends { readonly name: string }>(
  persisted: Set<string>,
  parts: readonly T[],
  bytesOf: (part: T) => Uint8Array<ArrayBuffer>,
): BlobChanges {
  const blobs = parts
    .filter(({ name }) => !persisted.has(name))
    .map((part) => ({ name: part.name, bytes: bytesOf(part) }));
  const names = new Set(parts.map(({ name }) => name));
  const obsolete = [...persisted].filter((name) => !names.has(name));
  for (const name of obsolete) persisted.delete(name);
  for (const { name } of blobs) persisted.add(name);
  return { blobs, obsolete };
}
