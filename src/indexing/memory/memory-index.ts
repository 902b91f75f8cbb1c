import { eachStateHead } from '../../model/lookup.js';
import type { Memory } from '../../model/memory.js';
import type { State } from '../../model/state.js';
import type { Clock } from '../../platform/clock.js';
import { runSliced } from '../../platform/run-sliced.js';
import { Mutex } from '../../platform/mutex.js';
import type { Scheduler } from '../../platform/scheduler.js';
import type { EmbedderSource } from '../../search/index.js';
import type { Log } from '../../storage/index.js';
import type { IndexProgress } from '../index-progress.js';
import type { PersistentIndex } from '../persistence/persistent-index.js';
import { createCallIndexer, type CallIndexer } from './call-indexer.js';
import { callsByKey, type CallsByKey } from './call-list.js';
import {
  coverageFromJson,
  coverageToJson,
  indexedCount,
  entityCoverage,
  processedCount,
  type IndexCoverage,
} from './index-coverage.js';
import type { IndexedRecord } from './changed-entities.js';
import { EntityIndexer } from './entity-indexer.js';
import type { EntityList } from './entity-list.js';
import { RECORDS, STATES } from './indexed-kinds.js';
import { isTraceKey, workspaceIdIn } from './memory-keys.js';
import { createMemoryWriter, type MemoryWriter } from './memory-writer.js';

export type MemoryLog = Pick<Log, 'memory' | 'traceList' | 'tracesAt'>;

export interface MemoryIndexOptions {
  readonly log: MemoryLog;
  readonly open: () => Promise<PersistentIndex>;
  readonly embedder: EmbedderSource | undefined;
  /** Maximum number of vectors. The newest states and calls are embedded first. */
  readonly maxVectors: number;
  readonly scheduler: Scheduler;
  readonly clock: Clock;
}

/** Calls of a workspace, and the index, which may not contain all of them yet. */
export interface CallSnapshot {
  readonly index: PersistentIndex;
  /** Calls by their keys in the index. */
  readonly traces: CallsByKey;
  /** Calls that are not indexed yet; the oldest are indexed last. */
  readonly remaining: number;
}

/** Calls indexed between two merges, as long as more calls are missing. */
const MERGE_INTERVAL_CALLS = 10_000;
const PERSIST_DELAY_MS = 5000;
const CONTINUE_DELAY_MS = 50;

/** Search index of the states, records and calls of every workspace. */
export class MemoryIndex {
  readonly #options: MemoryIndexOptions;
  readonly #writer: MemoryWriter;
  readonly #states: EntityIndexer<State>;
  readonly #records: EntityIndexer<IndexedRecord>;
  readonly #calls: CallIndexer;
  readonly #turns = new Mutex();
  /** Workspaces that were swept: the log contains everything the index has of them. */
  readonly #swept = new Set<string>();
  /** Workspaces whose indexing continues in the background, each with what stops it. */
  readonly #continuing = new Map<string, AbortController>();
  #opening: Promise<PersistentIndex> | undefined;
  /** Persisted coverage of each workspace; ignored once the workspace is updated. */
  #persisted: ReadonlyMap<string, IndexCoverage> = new Map();
  #merging: Promise<void> | undefined;
  /** Calls that had been processed when the last merge began. */
  #mergedCalls = 0;
  #cancelPersist: (() => void) | undefined;
  #isClosed = false;

  constructor(options: MemoryIndexOptions) {
    const { log, scheduler } = options;
    this.#options = options;
    this.#writer = createMemoryWriter(options);
    const shared = { writer: this.#writer, scheduler };
    this.#states = new EntityIndexer({
      ...shared,
      kind: STATES,
      persistedDigest: (workspaceId) => this.#persisted.get(workspaceId)?.states.digest,
    });
    this.#records = new EntityIndexer({
      ...shared,
      kind: RECORDS,
      persistedDigest: (workspaceId) => this.#persisted.get(workspaceId)?.records.digest,
    });
    this.#calls = createCallIndexer({
      log,
      writer: this.#writer,
      scheduler,
      persistedRuns: (workspaceId) => this.#persisted.get(workspaceId)?.runs ?? [],
    });
  }

  /** Indexes new states and records, and the newest calls; older calls follow in the background. */
  catchUp(workspaceId: string, given?: Memory): Promise<CallSnapshot> {
    return this.#turns.run(() => this.#catchUp(workspaceId, given));
  }

  /**
   * Indexes new states and records. Returns the index and those not archived, one list per
   * workspace. Reads the memory unless given.
   */
  catchUpEntities(workspaceIds: readonly string[], given?: Memory) {
    return this.#turns.run(async () => {
      const index = await this.open();
      const memory = given ?? (await this.#options.log.memory());
      const states: EntityList<State>[] = [];
      const records: EntityList<IndexedRecord>[] = [];
      for (const id of workspaceIds) {
        states.push(await this.#states.update(index, id, memory));
        records.push(await this.#records.update(index, id, memory));
      }
      await this.#embedEntities(index);
      if (this.#writer.isChanged()) this.#schedulePersist();
      if (this.#isMissingVectors) for (const id of workspaceIds) this.#scheduleMore(id);
      return { index, states, records };
    });
  }

  /** Returns the number of processed states and calls, and of all. Indexes nothing. */
  progress(workspaceId: string): Promise<IndexProgress> {
    return this.#turns.run(() => this.#progress(workspaceId));
  }

  /** Returns the size of the index's records on this device. */
  async persistedBytes(): Promise<number> {
    return (await this.open()).persistedBytes();
  }

  /** Deletes the index and returns the number of bytes deleted. `catchUp` builds it again. */
  clear(): Promise<number> {
    return this.#turns.run(() => this.#clear());
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopContinuing();
    this.#cancelPersist?.();
    await this.#merge().finally(() => this.#turns.run(() => this.#persist()));
  }

  /** Opens the index, and with it the embedder if this device has its unpacked table. */
  open(): Promise<PersistentIndex> {
    this.#opening ??= this.#openIndex();
    return this.#opening;
  }

  /** Opens the index. Empties it if it has no vectors (another embedder) or no valid coverage. */
  async #openIndex(): Promise<PersistentIndex> {
    const { open, embedder } = this.#options;
    const opened = await open();
    const coverage = coverageFromJson(opened.metadata);
    const hasVectors = !embedder || opened.vectors.size() > 0;
    if (coverage && hasVectors) this.#persisted = coverage;
    else for (const key of opened.index.keys()) opened.index.remove(key);
    return opened;
  }

  async #catchUp(workspaceId: string, given?: Memory): Promise<CallSnapshot> {
    const index = await this.open();
    const memory = given ?? (await this.#options.log.memory());
    await this.#states.update(index, workspaceId, memory);
    await this.#records.update(index, workspaceId, memory);
    await this.#embedEntities(index);
    const calls = await this.#calls.update(index, workspaceId);
    const remaining = calls.missing;
    if (remaining === 0) await this.#sweep(index, workspaceId);
    if (this.#writer.isChanged()) this.#schedulePersist();
    if (remaining > 0 || this.#isMissingVectors) this.#scheduleMore(workspaceId);
    return { index, traces: callsByKey(workspaceId, calls), remaining };
  }

  get #isMissingVectors(): boolean {
    return this.#states.isMissingVectors || this.#records.isMissingVectors;
  }

  /** Embeds some states and records, unless a search would have to wait for the embedder. */
  async #embedEntities(index: PersistentIndex): Promise<void> {
    if (this.#options.embedder?.isOpen() !== true) return;
    await this.#states.embed(index);
    await this.#records.embed(index);
  }

  /** Schedules the rest for after the current search: older calls, and entries to embed. */
  #scheduleMore(workspaceId: string): void {
    if (this.#isClosed || this.#continuing.has(workspaceId)) return;
    const stop = new AbortController();
    const cancel = this.#options.clock.after(CONTINUE_DELAY_MS, () => {
      this.#continue(workspaceId, stop.signal).catch(() => undefined); // the next search reports it
    });
    stop.signal.addEventListener('abort', cancel);
    this.#continuing.set(workspaceId, stop);
  }

  async #continue(workspaceId: string, signal: AbortSignal): Promise<void> {
    // Merge first: while calls are indexed it gets little time, and more segments slow lookups.
    const isMergeDue =
      this.#merging !== undefined ||
      this.#calls.processedCount() >= this.#mergedCalls + MERGE_INTERVAL_CALLS;
    if (isMergeDue) await this.#merge().catch(() => undefined);
    const { embedder, scheduler } = this.#options;
    try {
      if (embedder) await runSliced(embedder.openSteps(), { scheduler });
    } finally {
      if (!signal.aborted) this.#continuing.delete(workspaceId);
    }
    if (signal.aborted) return;
    await this.catchUp(workspaceId);
  }

  #stopContinuing(): void {
    for (const stop of this.#continuing.values()) stop.abort();
  }

  /** Removes entries whose state or call was no longer in the log when the index was opened. */
  async #sweep(index: PersistentIndex, workspaceId: string): Promise<void> {
    if (this.#swept.has(workspaceId)) return;
    const { scheduler } = this.#options;
    const expected = [...this.#coverage().values()].reduce(
      (sum, coverage) => sum + indexedCount(coverage),
      0,
    );
    if (index.index.size() > expected) {
      for (const key of index.index.keys()) {
        if (workspaceIdIn(key) === workspaceId && !this.#isInLog(workspaceId, key))
          this.#writer.remove(index, key);
        if (scheduler.isDue) await scheduler.yieldIfDue();
      }
    }
    this.#swept.add(workspaceId);
  }

  #isInLog(workspaceId: string, key: string): boolean {
    if (!isTraceKey(key))
      return [this.#states, this.#records].some(
        (indexer) => indexer.entriesOf(workspaceId)?.has(key) === true,
      );
    const calls = this.#calls.listOf(workspaceId);
    return calls !== undefined && callsByKey(workspaceId, calls).has(key);
  }

  /** Merges small segments between other work; one merge at a time. */
  #merge(): Promise<void> {
    this.#mergedCalls = this.#calls.processedCount();
    this.#merging ??= this.#mergeSegments().finally(() => {
      this.#merging = undefined;
    });
    return this.#merging;
  }

  async #mergeSegments(): Promise<void> {
    const opened = await this.#opening;
    if (!opened) return;
    for (const steps = opened.index.mergeSteps(); !steps.next().done;)
      await this.#options.scheduler.yieldIfDue();
  }

  /** Persists after a delay. If that fails, the next search that indexes, or `close`, retries. */
  #schedulePersist(): void {
    this.#cancelPersist ??= this.#options.clock.after(PERSIST_DELAY_MS, () => {
      this.#cancelPersist = undefined;
      this.#merge()
        .then(() => this.#turns.run(() => this.#persist()))
        .catch(() => undefined);
    });
  }

  async #persist(): Promise<void> {
    this.#cancelPersist?.();
    this.#cancelPersist = undefined;
    const index = await this.#opening;
    if (!index || !this.#writer.takeChanged()) return;
    await index.persist(() => coverageToJson(this.#coverage()));
  }

  #coverage(): Map<string, IndexCoverage> {
    const coverage = new Map(this.#persisted);
    for (const id of this.#states.workspaces) coverage.set(id, this.#coverageOf(id));
    return coverage;
  }

  #coverageOf(workspaceId: string): IndexCoverage {
    const persisted = this.#persisted.get(workspaceId);
    return {
      states: entityCoverage(this.#states.entriesOf(workspaceId), persisted?.states),
      records: entityCoverage(this.#records.entriesOf(workspaceId), persisted?.records),
      runs: this.#calls.listOf(workspaceId)?.runs() ?? persisted?.runs ?? [],
    };
  }

  async #progress(workspaceId: string): Promise<IndexProgress> {
    const { log, scheduler } = this.#options;
    await this.open();
    const memory = await log.memory();
    let total = 0;
    for (const { isArchived } of eachStateHead(memory, workspaceId)) {
      if (!isArchived) total++;
      if (scheduler.isDue) await scheduler.yieldIfDue();
    }
    total += (await log.traceList(workspaceId)).count;
    return { done: Math.min(total, processedCount(this.#coverageOf(workspaceId))), total };
  }

  async #clear(): Promise<number> {
    const index = await this.open();
    const bytes = index.persistedBytes();
    this.#opening = Promise.resolve(await index.reset());
    this.#stopContinuing();
    const indexed = [this.#states, this.#records, this.#calls];
    for (const memory of [this.#continuing, this.#swept, ...indexed]) memory.clear();
    this.#persisted = new Map();
    this.#cancelPersist?.();
    this.#cancelPersist = undefined;
    this.#writer.takeChanged();
    return bytes;
  }
}
