import { newestFirst, type Named } from '../../model/lookup.js';
import type { Entity, Memory } from '../../model/memory.js';
import { isSameHash } from '../../platform/bytes/hash.js';
import type { Scheduler } from '../../platform/scheduler.js';
import type { SearchDocument } from '../../search/index.js';
import type { PersistentIndex } from '../persistence/persistent-index.js';
import { EntityList, hashOf, type EntityHash, type Listed } from './entity-list.js';
import type { Head, IndexedKind } from './indexed-kinds.js';
import { itemKey } from './memory-keys.js';
import type { MemoryWriter } from './memory-writer.js';

export interface EntityIndexerOptions<T> {
  readonly kind: IndexedKind<T>;
  readonly writer: MemoryWriter;
  readonly persistedDigest: (workspaceId: string) => EntityHash | undefined;
  readonly scheduler: Scheduler;
}

/** Entries embedded before a search continues; all can already be found by their words. */
const EMBED_BATCH_SIZE = 100;

/** Entries of a workspace, and the memory that they were read from. */
interface Update<T> {
  readonly memory: Memory;
  readonly entries: EntityList<T>;
}

/** Indexes the states, or the records, of workspaces. */
export class EntityIndexer<T extends { readonly isArchived: boolean }> {
  readonly #options: EntityIndexerOptions<T>;
  /** Last update of each workspace, by its id. */
  readonly #updates = new Map<string, Update<T>>();
  /** Entries without vectors by their keys; the newest come last. */
  readonly #unembedded = new Map<string, Listed<T>>();
  /** The name under which each entry was indexed. */
  #indexedNames = new WeakMap<Entity, string>();

  constructor(options: EntityIndexerOptions<T>) {
    this.#options = options;
  }

  get isMissingVectors(): boolean {
    return this.#unembedded.size > 0;
  }

  get workspaces(): string[] {
    return [...this.#updates.keys()];
  }

  /** Returns the entries at the last update; undefined before the workspace's first one. */
  entriesOf(workspaceId: string): EntityList<T> | undefined {
    return this.#updates.get(workspaceId)?.entries;
  }

  /** Indexes changed entries. Returns all that are not archived; later updates change the list. */
  async update(
    index: PersistentIndex,
    workspaceId: string,
    memory: Memory,
  ): Promise<EntityList<T>> {
    const before = this.#updates.get(workspaceId);
    if (before?.memory === memory) return before.entries;
    const entries = before
      ? await this.#indexChanges(index, workspaceId, { ...before, after: memory })
      : await this.#indexAll(index, workspaceId, memory);
    this.#updates.set(workspaceId, { memory, entries });
    return entries;
  }

  /** Embeds up to `EMBED_BATCH_SIZE` missing entries, the newest first. */
  async embed(index: PersistentIndex): Promise<void> {
    for (const [key, entry] of [...this.#unembedded].slice(-EMBED_BATCH_SIZE).reverse()) {
      const named = entry.read();
      if (named) await this.#options.writer.embed(index, this.#documentOf(key, named));
      this.#unembedded.delete(key);
    }
  }

  clear(): void {
    this.#updates.clear();
    this.#unembedded.clear();
    this.#indexedNames = new WeakMap();
  }

  async #indexChanges(
    index: PersistentIndex,
    workspaceId: string,
    { memory, entries, after }: Update<T> & { after: Memory },
  ): Promise<EntityList<T>> {
    const { kind, scheduler, writer } = this.#options;
    for (const [id, entry] of kind.changed(memory, after, workspaceId)) {
      if (scheduler.isDue) await scheduler.yieldIfDue();
      const key = itemKey(kind.type, workspaceId, id);
      entries.delete(key);
      if (entry && !entry.item.isArchived) {
        const { entity, displayName } = entry;
        const listed = { entity, displayName, read: () => entry };
        entries.set(key, listed);
        await this.#put(index, key, listed, memory.moves !== after.moves);
      } else {
        this.#unembedded.delete(key);
        writer.remove(index, key);
      }
    }
    return entries;
  }

  async #indexAll(
    index: PersistentIndex,
    workspaceId: string,
    memory: Memory,
  ): Promise<EntityList<T>> {
    const { kind, scheduler, writer, persistedDigest } = this.#options;
    const entries = new EntityList<T>();
    for (const head of await this.#readHeads(memory, workspaceId))
      entries.set(itemKey(kind.type, workspaceId, head.id), head);
    const isSame = isSameHash(entries.digest, persistedDigest(workspaceId));
    if (isSame && writer.hasAllVectors(index)) return entries;
    for (const [key, entry] of entries.entries()) {
      if (scheduler.isDue) await scheduler.yieldIfDue();
      if (isSame) this.#noteMissingVectors(index, key, entry);
      else if (!(await this.#put(index, key, entry))) entries.delete(key);
    }
    return entries;
  }

  /** Returns the entries that are not archived, the oldest first. */
  async #readHeads(memory: Memory, workspaceId: string): Promise<Head<T>[]> {
    const { kind, scheduler } = this.#options;
    const heads: Head<T>[] = [];
    for (const head of kind.heads(memory, workspaceId)) {
      if (scheduler.isDue) await scheduler.yieldIfDue();
      if (!head.isArchived) heads.push(head);
    }
    return heads.sort((a, b) => newestFirst(b, a));
  }

  /** Resolves to false if it is unreadable. `isMoved`: the paths of its files may have changed. */
  async #put(
    index: PersistentIndex,
    key: string,
    entry: Listed<T>,
    isMoved = false,
  ): Promise<boolean> {
    const { writer } = this.#options;
    const { entity, displayName } = entry;
    if (!isMoved && this.#indexedNames.get(entity) === displayName) return true;
    if (isMoved || !isSameHash(hashOf(entry), index.index.hashOf(key))) {
      const named = entry.read();
      if (!named) return false;
      if (isMoved) writer.remove(index, key); // the hash does not cover the paths
      await writer.put(index, this.#documentOf(key, named));
    }
    this.#noteMissingVectors(index, key, entry);
    this.#indexedNames.set(entity, displayName);
    return true;
  }

  #noteMissingVectors(index: PersistentIndex, key: string, entry: Listed<T>): void {
    if (this.#options.writer.isMissingVectors(index, key)) this.#unembedded.set(key, entry);
  }

  #documentOf(key: string, named: Named<T>): SearchDocument {
    return { ...this.#options.kind.documentOf(named), key, hash: hashOf(named) };
  }
}
