import { compareText } from '../../model/event.js';
import { changedStates, eachState, type Named } from '../../model/lookup.js';
import type { Entity, Memory } from '../../model/memory.js';
import type { State } from '../../model/state.js';
import { hashText } from '../../platform/bytes/hash.js';
import type { Scheduler } from '../../platform/scheduler.js';
import type { SearchDocument } from '../../search/documents/documents.js';
import { stateDocument } from '../../search/documents/memory-documents.js';
import type { Log } from '../../storage/log.js';
import type { PersistentIndex } from '../persistence/persistent-index.js';
import { stateKey } from './memory-keys.js';
import type { MemoryWriter } from './memory-writer.js';

/** The states of a workspace that are not archived, by their keys in the index. */
export type IndexedStates = ReadonlyMap<string, Named<State>>;

export interface StateIndexerOptions {
  readonly log: Pick<Log, 'memory'>;
  readonly writer: MemoryWriter;
  readonly scheduler: Scheduler;
}

/** Maximum number of states that are embedded before a search continues. Every state can already be found by its words. */
const EMBED_BATCH_SIZE = 100;

/** Indexes the states of workspaces. */
export class StateIndexer {
  readonly #options: StateIndexerOptions;
  /** The states of each workspace at the last update, and the memory that they were read from. */
  readonly #updates = new Map<
    string,
    { readonly memory: Memory; readonly states: IndexedStates }
  >();
  /** States without vectors by their keys; the newest come last. */
  readonly #unembedded = new Map<string, Named<State>>();
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
  statesOf(workspaceId: string): IndexedStates | undefined {
    return this.#updates.get(workspaceId)?.states;
  }

  /** Indexes the states of a workspace that have changed. Returns all states that are not archived. */
  async update(index: PersistentIndex, workspaceId: string): Promise<IndexedStates> {
    const memory = await this.#options.log.memory();
    const before = this.#updates.get(workspaceId);
    if (before?.memory === memory) return before.states;
    const states = new Map(before?.states);
    if (before)
      await this.#indexChanges(index, workspaceId, { before: before.memory, memory, states });
    else await this.#indexAll(index, workspaceId, memory, states);
    this.#updates.set(workspaceId, { memory, states });
    return states;
  }

  /** Embeds up to `EMBED_BATCH_SIZE` states that are not embedded yet, the newest first. */
  async embed(index: PersistentIndex): Promise<void> {
    for (const [key, state] of [...this.#unembedded].slice(-EMBED_BATCH_SIZE).reverse()) {
      await this.#options.writer.embed(index, documentOf(state));
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
    {
      before,
      memory,
      states,
    }: { before: Memory; memory: Memory; states: Map<string, Named<State>> },
  ): Promise<void> {
    const { scheduler, writer } = this.#options;
    for (const [id, state] of changedStates(before, memory, workspaceId)) {
      if (scheduler.isDue) await scheduler.yieldIfDue();
      const key = stateKey({ workspaceId, id });
      states.delete(key);
      if (state && !state.item.isArchived) {
        states.set(key, state);
        await this.#put(index, state);
      } else {
        this.#unembedded.delete(key);
        writer.remove(index, key);
      }
    }
  }

  async #indexAll(
    index: PersistentIndex,
    workspaceId: string,
    memory: Memory,
    states: Map<string, Named<State>>,
  ): Promise<void> {
    const { scheduler } = this.#options;
    for (const state of await this.#readStates(memory, workspaceId)) {
      if (scheduler.isDue) await scheduler.yieldIfDue();
      states.set(stateKey(state.item), state);
      await this.#put(index, state);
    }
  }

  /** Returns the states that are not archived, the oldest first. */
  async #readStates(memory: Memory, workspaceId: string): Promise<Named<State>[]> {
    const { scheduler } = this.#options;
    const states: Named<State>[] = [];
    for (const state of eachState(memory, workspaceId)) {
      if (scheduler.isDue) await scheduler.yieldIfDue();
      if (!state.item.isArchived) states.push(state);
    }
    return states.sort((a, b) => compareText(a.item.createdAt, b.item.createdAt));
  }

  async #put(index: PersistentIndex, state: Named<State>): Promise<void> {
    const { writer } = this.#options;
    const key = stateKey(state.item);
    if (this.#indexedNames.get(state.entity) === state.displayName) return;
    const known = index.index.hashOf(key);
    const [low, high] = hashOf(state);
    if (known?.[0] !== low || known[1] !== high) await writer.put(index, documentOf(state));
    if (writer.isMissingVectors(index, key)) this.#unembedded.set(key, state);
    this.#indexedNames.set(state.entity, state.displayName);
  }
}

function documentOf(state: Named<State>): SearchDocument {
  const { item, displayName } = state;
  return { ...stateDocument(item, displayName), key: stateKey(item), hash: hashOf(state) };
}

/** Hashes what identifies the content of a state, so that the texts of all states need not be read to see that none has changed. */
function hashOf({ entity: { created }, displayName }: Named<State>): readonly [number, number] {
  return hashText(`${created?.w} ${created?.n} ${created?.c} ${displayName}`);
}
