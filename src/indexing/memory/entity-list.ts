import type { Named } from '../../model/lookup.js';
import type { Entity } from '../../model/memory.js';
import { hashText } from '../../platform/bytes/hash.js';

/** Two 32-bit numbers. */
export type EntityHash = readonly [low: number, high: number];

/** A state or record, read on demand. */
export interface Listed<T> {
  readonly entity: Entity;
  readonly displayName: string;
  /** Returns undefined if its data are invalid. */
  read(): Named<T> | undefined;
}

/** The states or records of a workspace that are not archived, by their keys in the index. */
export class EntityList<T> {
  readonly #entities = new Map<string, Listed<T>>();
  #low = 0;
  #high = 0;

  get size(): number {
    return this.#entities.size;
  }

  /** Sum of the hashes of all entries. Equal digests mean equal lists. */
  get digest(): EntityHash {
    return [this.#low, this.#high];
  }

  get(key: string): Listed<T> | undefined {
    return this.#entities.get(key);
  }

  has(key: string): boolean {
    return this.#entities.has(key);
  }

  entries(): [string, Listed<T>][] {
    return [...this.#entities];
  }

  set(key: string, entry: Listed<T>): void {
    this.delete(key);
    this.#entities.set(key, entry);
    this.#addToDigest(entry, 1);
  }

  delete(key: string): void {
    const entry = this.#entities.get(key);
    if (!entry) return;
    this.#entities.delete(key);
    this.#addToDigest(entry, -1);
  }

  #addToDigest(entry: Listed<T>, sign: 1 | -1): void {
    const [low, high] = hashOf(entry);
    this.#low = (this.#low + sign * low) >>> 0;
    this.#high = (this.#high + sign * high) >>> 0;
  }
}

/** Identifies the content of an entry, so that its texts are not read to detect a change. */
export function hashOf({
  entity: { created },
  displayName,
}: Omit<Listed<unknown>, 'read'>): EntityHash {
  return hashText(`${created?.w} ${created?.n} ${created?.c} ${displayName}`);
}
