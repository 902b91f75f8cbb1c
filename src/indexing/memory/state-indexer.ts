import { eachStateHead, newestFirst, type Named, type StateHead } from '../../model/lookup.js';
import type { Entity, Memory } from '../../model/memory.js';
import type { State } from '../../model/state.js';
import type { Scheduler } from '../../platform/scheduler.js';
import type { SearchDocument } from '../../search/documents/documents.js';
import { stateDocument } from '../../search/documents/memory-documents.js';
import type { PersistentIndex } from '../persistence/persistent-index.js';
import { changedStates } from './changed-states.js';
import { stateKey } from './memory-keys.js';
import type { MemoryWriter } from './memory-writer.js';
import { hashOf, StateList, type ListedState, type StateHash } from './state-list.js';

export interface StateIndexerOptions {
  readonly writer: MemoryWriter;
  /** Returns the persisted digest of a workspace's states. */
  readonly persistedDigest: (workspaceId: string) => StateHash | undefined;
  readonly scheduler: Scheduler;
}

/**
 * Maximum number of states that are embedded before a search continues. Every state can already be
 * found by its words.
 */
const EMBED_BATCH_SIZE = 100;

/** Indexes the states of workspaces. */
export class StateIndexer {
  readonly #options: StateIndexerOptions;
  /** The states of each workspace at the last update, and the memory that they were read from. */
  readonly #updates = new Map<string, { readonly memory: Memory; readonly states: StateList }>();
  /** States without vectors by their keys; the newest come last. */
  readonly #unembedded = new Map<string, ListedState>();
  /** The name under which each state was indexed. */
  #indexedNames = new WeakMap<Entity, string>();

  constructor(options: StateIndexerOptions) {
    this.#options = options;
  }

  /** True if some states are not embedded yet. */
  get isMissingVectors(): boolean {
    return this.#unembedded.size > 0;
  }

  /** Ids of the workspaces that were updated. */
  get workspaces(): string[] {
    return [...this.#updates.keys()];
  }

  /** Returns the states at the last update; undefined before the first update of the workspace. */
  statesOf(workspaceId: string): StateList | undefined {
    return this.#updates.get(workspaceId)?.states;
  }

  /**
   * Indexes the states of a workspace that have changed. Returns all states that are not archived;
   * later updates change the list.
   */
  async update(index: PersistentIndex, workspaceId: string, memory: Memory): Promise<StateList> {
    const before = this.#updates.get(workspaceId);
    if (before?.memory === memory) return before.states;
    const states = before
      ? await this.#indexChanges(index, workspaceId, { ...before, after: memory })
      : await this.#indexAll(index, workspaceId, memory);
    this.#updates.set(workspaceId, { memory, states });
    return states;
  }

  /** Embeds up to `EMBED_BATCH_SIZE` states that are not embedded yet, the newest first. */
  async embed(index: PersistentIndex): Promise<void> {
    for (const [key, state] of [...this.#unembedded].slice(-EMBED_BATCH_SIZE).reverse()) {
      const named = state.read();
      if (named) await this.#options.writer.embed(index, documentOf(named));
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
    { memory, states, after }: { memory: Memory; states: StateList; after: Memory },
  ): Promise<StateList> {
    const { scheduler, writer } = this.#options;
    for (const [id, state] of changedStates(memory, after, workspaceId)) {
      if (scheduler.isDue) await scheduler.yieldIfDue();
      const key = stateKey({ workspaceId, id });
      states.delete(key);
      if (state && !state.item.isArchived) {
        states.set(key, listed(state));
        await this.#put(index, key, listed(state));
      } else {
        this.#unembedded.delete(key);
        writer.remove(index, key);
      }
    }
    return states;
  }

  async #indexAll(index: PersistentIndex, workspaceId: string, memory: Memory): Promise<StateList> {
    const { scheduler, writer, persistedDigest } = this.#options;
    const states = new StateList();
    for (const head of await this.#readHeads(memory, workspaceId))
      states.set(stateKey({ workspaceId, id: head.id }), head);
    const [low, high] = states.digest;
    const persisted = persistedDigest(workspaceId);
    const isSame = persisted?.[0] === low && persisted[1] === high;
    if (isSame && writer.hasAllVectors(index)) return states;
    for (const [key, state] of states.entries()) {
      if (scheduler.isDue) await scheduler.yieldIfDue();
      if (!(await this.#put(index, key, state))) states.delete(key);
    }
    return states;
  }

  /** Returns the states that are not archived, the oldest first. */
  async #readHeads(memory: Memory, workspaceId: string): Promise<StateHead[]> {
    const { scheduler } = this.#options;
    const heads: StateHead[] = [];
    for (const head of eachStateHead(memory, workspaceId)) {
      if (scheduler.isDue) await scheduler.yieldIfDue();
      if (!head.isArchived) heads.push(head);
    }
    return heads.sort((a, b) => newestFirst(b, a));
  }

  /** Resolves to false if the state cannot be read. */
  async #put(index: PersistentIndex, key: string, state: ListedState): Promise<boolean> {
    const { writer } = this.#options;
    const { entity, displayName } = state;
    if (this.#indexedNames.get(entity) === displayName) return true;
    const known = index.index.hashOf(key);
    const [low, high] = hashOf(state);
    if (known?.[0] !== low || known[1] !== high) {
      const named = state.read();
      if (!named) return false;
      await writer.put(index, documentOf(named));
    }
    if (writer.isMissingVectors(index, key)) this.#unembedded.set(key, state);
    this.#indexedNames.set(entity, displayName);
    return true;
  }
}

function listed(state: Named<State>): ListedState {
  const { entity, displayName } = state;
  return { entity, displayName, read: () => state };
}

function documentOf(state: Named<State>): SearchDocument {
  const { item, displayName } = state;
  return { ...stateDocument(item, displayName), key: stateKey(item), hash: hashOf(state) };
}
