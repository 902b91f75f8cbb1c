import { isJsonObject, type Json } from '../../model/event.js';
import { parseJson } from '../../model/text/json-fields.js';
import {
  createIndex,
  createVectorIndex,
  openIndex,
  openVectorIndex,
  type IndexManifest,
  type SearchIndex,
  type VectorIndex,
  type VectorManifest,
} from '../../search/index.js';
import type { BlobRecord, Blobs } from '../../platform/blobs.js';
import { Mutex } from '../../platform/mutex.js';
import { createEntityId, type Random } from '../../platform/random.js';

export interface PersistentIndexOptions {
  /** Without it, nothing is persisted. */
  readonly blobs: Blobs | undefined;
  /** Prefix of the record names, in lower case. */
  readonly name: string;
  readonly dimensions: number;
  /** Vectors of another embedder are dropped. */
  readonly embedderId: string;
  readonly random: Random;
  /** Receives one message if persisting fails. */
  readonly warn: (message: string) => void;
}

/** JSON of the contents record, which names the other records; rewritten if one changes. */
interface Contents {
  readonly index: IndexManifest;
  readonly embedderId: string;
  readonly vectors: VectorManifest;
  readonly metadata: Json;
}

interface LoadedIndex {
  readonly index: SearchIndex;
  readonly vectors: VectorIndex;
  /** As last persisted with the index; null if there is none. */
  readonly metadata: Json;
}

/** A search index that is stored in records on this device, so that it outlives the process. */
export interface PersistentIndex extends LoadedIndex {
  /** Saves changes, with `metadata` as of the flush. If that fails, nothing is saved any more. */
  persist(metadata: () => Json): Promise<void>;
  /** Returns the size of the records on this device. */
  persistedBytes(): number;
  /** Deletes the records, or throws a `Refusal`. Returns an empty index; this one is not saved. */
  reset(): Promise<PersistentIndex>;
}

const CONTENTS_FORMAT = 1;
const decoder = new TextDecoder();
const encoder = new TextEncoder();

/**
 * Opens the index as it was last persisted; an empty one if there is none, or a segment is missing
 * or damaged. If only the vectors are missing, damaged or of another embedder, only they start
 * empty.
 */
export async function openPersistentIndex(
  options: PersistentIndexOptions,
): Promise<PersistentIndex> {
  const store = new IndexStore(options);
  const loaded = await store.load();
  return {
    ...loaded,
    persist: (metadata) => store.save(loaded.index, loaded.vectors, metadata),
    persistedBytes: () => store.bytes(),
    async reset() {
      await store.deleteAll();
      return openPersistentIndex(options);
    },
  };
}

class IndexStore {
  readonly #options: PersistentIndexOptions;
  readonly #contentsName: string;
  /** Name of the record with the last save's id, which shows if another process has saved since. */
  readonly #turnName: string;
  readonly #recordBytes = new Map<string, number>();
  readonly #writes = new Mutex();
  #turn = '';
  #isWritable: boolean;
  /** Records that the contents do not name; deleted with the next save. */
  #orphans: string[] = [];

  constructor(options: PersistentIndexOptions) {
    this.#options = options;
    this.#contentsName = `${options.name}-contents`;
    this.#turnName = `${options.name}-turn`;
    this.#isWritable = options.blobs !== undefined;
  }

  bytes(): number {
    return [...this.#recordBytes.values()].reduce((sum, bytes) => sum + bytes, 0);
  }

  async load(): Promise<LoadedIndex> {
    const loaded = await this.#loadRecords().catch((error: unknown) => this.#giveUp(error));
    return loaded ?? { index: this.#emptyIndex(), vectors: this.#emptyVectors(), metadata: null };
  }

  /** Never rejects. After a failure, nothing more is saved. */
  save(index: SearchIndex, vectors: VectorIndex, metadata: () => Json): Promise<void> {
    return this.#writes.run(async () => {
      const { blobs } = this.#options;
      if (!blobs || !this.#isWritable) return;
      const saving = this.#saveTo(blobs, index, vectors, metadata);
      await saving.catch((error: unknown) => this.#giveUp(error));
    });
  }

  /** Nothing is saved afterwards: a save in progress must not bring back deleted records. */
  async deleteAll(): Promise<void> {
    const { blobs } = this.#options;
    const wasWritable = this.#isWritable;
    this.#isWritable = false;
    try {
      await this.#writes.run(async () => blobs?.save([], await this.#recordNames(blobs)));
    } catch (error) {
      this.#isWritable = wasWritable;
      throw error;
    }
  }

  async #loadRecords(): Promise<LoadedIndex | undefined> {
    const { blobs } = this.#options;
    if (!blobs) return undefined;
    this.#orphans = (await this.#recordNames(blobs)).filter(
      (name) => name !== this.#contentsName && name !== this.#turnName,
    );
    this.#turn = await this.#readTurn(blobs);
    const bytes = await blobs.load(this.#contentsName);
    const contents = readContents(bytes);
    if (!bytes || !contents) return undefined;
    this.#recordBytes.set(this.#contentsName, bytes.length);
    const segments = contents.index.segments.map(({ name }) => name);
    const opened = openIndex(
      { ...contents.index, next: this.#firstNumber() },
      await this.#loadParts(blobs, segments),
    );
    if (!('index' in opened)) return undefined;
    const vectors = await this.#loadVectors(blobs, contents);
    const chunks = vectors ? contents.vectors.chunks.map(({ name }) => name) : [];
    const named = new Set([...segments, ...chunks].map((part) => this.#recordName(part)));
    this.#orphans = this.#orphans.filter((name) => !named.has(name));
    return {
      index: opened.index,
      vectors: vectors ?? this.#emptyVectors(),
      metadata: contents.metadata,
    };
  }

  async #loadVectors(
    blobs: Blobs,
    { embedderId: storedId, vectors }: Contents,
  ): Promise<VectorIndex | undefined> {
    const { dimensions, embedderId } = this.#options;
    if (storedId !== embedderId || vectors.chunks.length === 0) return undefined;
    const chunks = vectors.chunks.map(({ name }) => name);
    return openVectorIndex(
      dimensions,
      { ...vectors, next: this.#firstNumber() },
      await this.#loadParts(blobs, chunks),
    );
  }

  async #loadParts(
    blobs: Blobs,
    parts: readonly string[],
  ): Promise<Map<string, Uint8Array<ArrayBuffer>>> {
    const loaded = new Map<string, Uint8Array<ArrayBuffer>>();
    await Promise.all(
      parts.map(async (part) => {
        const bytes = await blobs.load(this.#recordName(part));
        if (!bytes) return;
        loaded.set(part, bytes);
        this.#recordBytes.set(this.#recordName(part), bytes.length);
      }),
    );
    return loaded;
  }

  async #saveTo(
    blobs: Blobs,
    index: SearchIndex,
    vectors: VectorIndex,
    metadata: () => Json,
  ): Promise<void> {
    if ((await this.#readTurn(blobs)) !== this.#turn) {
      // another process has saved its own index; this one is not saved any more
      this.#isWritable = false;
      return;
    }
    const segments = index.flush();
    const chunks = vectors.flush();
    const contents: Contents = {
      index: segments.manifest,
      embedderId: this.#options.embedderId,
      vectors: chunks.manifest,
      metadata: metadata(),
    };
    const turn = createEntityId(this.#options.random);
    const parts = [...segments.blobs, ...chunks.blobs].map(({ name, bytes }): BlobRecord => ({
      name: this.#recordName(name),
      bytes,
    }));
    const records: BlobRecord[] = [
      ...parts,
      {
        name: this.#contentsName,
        bytes: encoder.encode(JSON.stringify({ format: CONTENTS_FORMAT, ...contents })),
      },
      { name: this.#turnName, bytes: encoder.encode(turn) },
    ];
    this.#turn = turn;
    const obsolete = [...segments.obsolete, ...chunks.obsolete]
      .map((part) => this.#recordName(part))
      .concat(this.#orphans.splice(0));
    await blobs.save(records, obsolete);
    for (const name of obsolete) this.#recordBytes.delete(name);
    for (const { name, bytes } of records) this.#recordBytes.set(name, bytes.length);
  }

  #giveUp(error: unknown): undefined {
    if (this.#isWritable) {
      const reason = error instanceof Error ? error.message : '';
      this.#options.warn(
        `The search index cannot be saved and will be rebuilt next time. ${reason}`.trim(),
      );
    }
    this.#isWritable = false;
    return undefined;
  }

  async #recordNames(blobs: Blobs): Promise<string[]> {
    return (await blobs.names()).filter((name) => name.startsWith(`${this.#options.name}-`));
  }

  async #readTurn(blobs: Blobs): Promise<string> {
    return decoder.decode((await blobs.load(this.#turnName)) ?? new Uint8Array());
  }

  #recordName(part: string): string {
    return `${this.#options.name}-${part}`;
  }

  /** Returns a random number to count records from, so that two processes use different names. */
  #firstNumber(): number {
    return this.#options.random.bytes(6).reduce((sum, byte) => sum * 256 + byte, 0);
  }

  #emptyVectors(): VectorIndex {
    return createVectorIndex(this.#options.dimensions, this.#firstNumber());
  }

  #emptyIndex(): SearchIndex {
    return createIndex(this.#firstNumber());
  }
}

/** Returns undefined if the record is not of this format. */
function readContents(bytes: Uint8Array | undefined): Contents | undefined {
  const value = bytes && parseJson(decoder.decode(bytes));
  return isContents(value) ? (value as unknown as Contents) : undefined;
}

function isContents(value: Json | undefined): boolean {
  if (
    !isJsonObject(value) ||
    value['format'] !== CONTENTS_FORMAT ||
    typeof value['embedderId'] !== 'string'
  )
    return false;
  const { index, vectors } = value;
  return (
    isJsonObject(index) &&
    isPartList(index['segments']) &&
    isJsonObject(vectors) &&
    isPartList(vectors['chunks'])
  );
}

function isPartList(value: Json | undefined): boolean {
  const isPart = (entry: Json) =>
    isJsonObject(entry) && typeof entry['name'] === 'string' && Array.isArray(entry['deleted']);
  return Array.isArray(value) && value.every(isPart);
}
