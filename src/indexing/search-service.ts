import type { Named } from '../model/lookup.js';
import type { VaultPath } from '../model/paths.js';
import type { State } from '../model/state.js';
import type { Trace } from '../model/trace.js';
import type { Blobs } from '../platform/blobs.js';
import type { Clock } from '../platform/clock.js';
import type { Random } from '../platform/random.js';
import { runToEnd } from '../platform/run-sliced.js';
import { Scheduler } from '../platform/scheduler.js';
import type { EmbedderSource } from '../search/index.js';
import type { RemoteEmbedder } from './notes/embedding-server.js';
import type { IndexProgress, IndexStage } from './index-progress.js';
import { MemoryIndex, type MemoryLog } from './memory/memory-index.js';
import { MemorySearch } from './memory/memory-search.js';
import { NoteIndex } from './notes/note-index.js';
import { NoteSearch, type NoteHit, type SearchWaits } from './notes/note-search.js';
import { MAX_NOTE_BYTES, type NoteSource } from './notes/note-source.js';
import { RemoteEmbeddings } from './notes/remote-embeddings.js';
import { UNLIMITED } from './search-result.js';
import { openPersistentIndex, type PersistentIndex } from './persistence/persistent-index.js';

export interface SearchServiceOptions {
  readonly log: MemoryLog;
  readonly notes: NoteSource;
  /** Without it, the indexes are rebuilt after each start. */
  readonly blobs?: Blobs | undefined;
  /** Without it, there is only keyword search. */
  readonly embedder?: EmbedderSource | undefined;
  /** Folders whose notes must not be read, including the data folder. */
  readonly skippedFolders: () => Promise<readonly VaultPath[]>;
  readonly maxWaitMs: SearchWaits;
  readonly limits: SearchLimits;
  readonly clock: Clock;
  readonly random: Random;
  /** Resolves once the host has run its own tasks. Without it, work is never interrupted. */
  readonly yieldToHost?: (() => Promise<void>) | undefined;
  /** Like `yieldToHost`, for background work; by default the same. */
  readonly yieldToHostWhenIdle?: (() => Promise<void>) | undefined;
  readonly warn: (message: string) => void;
}

/** Limits that depend on the device. */
export interface SearchLimits {
  /** Notes larger than this are indexed by name only. */
  readonly maxNoteBytes: number;
  readonly maxVectors: number;
  /** Milliseconds of work between two yields to the host. */
  readonly sliceMs: number;
}

export const DESKTOP_LIMITS: SearchLimits = {
  maxNoteBytes: MAX_NOTE_BYTES,
  maxVectors: 600_000,
  sliceMs: 8,
};
export const PHONE_LIMITS: SearchLimits = {
  maxNoteBytes: 8_000_000,
  maxVectors: 100_000,
  sliceMs: 4,
};

/** Unreadable items never count as done, but the part can be ready without them. */
export interface IndexPartStatus extends IndexProgress {
  readonly ready: boolean;
}

export interface NoteAccess extends Pick<SearchServiceOptions, 'skippedFolders'> {
  readonly source: NoteSource;
  readonly maxNoteBytes: number;
  readonly scheduler: Scheduler;
}

export function createSearchService(options: SearchServiceOptions): SearchService {
  return new SearchService(options);
}

const alwaysRare = () => 1;
const BYTES_PER_VECTOR = 192;
/** Of the empty vector index; divisible by eight. */
const NO_EMBEDDER_DIMENSIONS = 8;
/** Time that `rebuildIndex` waits for the amount of work to be known. */
const REBUILD_WAIT_MS = 250;

/** A query that is being typed, for all that may be found by it. */
export interface GroupsQuery {
  readonly query: string;
  readonly workspaceIds: readonly string[];
  /** Searches only notes in this folder; empty for the whole vault. */
  readonly folder: VaultPath;
  readonly limits: Readonly<Record<'states' | 'notes' | 'calls', number>>;
  /** Returns true for a call to leave out. */
  readonly isHidden: (call: Trace) => boolean;
  /** Cancels the search, which then rejects with the signal's reason. */
  readonly signal: AbortSignal;
}

export interface FoundGroups {
  readonly states: readonly Named<State>[];
  readonly notes: readonly NoteHit[];
  readonly calls: readonly Trace[];
}

/** Search in notes and memory. Indexing begins with the first search, or with `start`. */
export class SearchService {
  readonly notes: NoteSearch;
  readonly memory: MemorySearch;
  readonly access: NoteAccess;
  readonly #options: SearchServiceOptions;
  readonly #idleScheduler: Scheduler;
  readonly #noteIndex: NoteIndex;
  readonly #memoryIndex: MemoryIndex;
  readonly #listeners = new Set<() => void>();
  #remoteEmbeddings: RemoteEmbeddings | undefined;
  #rebuilding: Promise<void> | undefined;

  constructor(options: SearchServiceOptions) {
    const { clock, limits, yieldToHost, skippedFolders } = options;
    const scheduler = new Scheduler(clock, yieldToHost, limits.sliceMs);
    const yieldWhenIdle = options.yieldToHostWhenIdle ?? yieldToHost;
    this.#options = options;
    this.#idleScheduler = new Scheduler(clock, yieldWhenIdle, limits.sliceMs);
    this.#noteIndex = this.#createNoteIndex(scheduler);
    const shared = { embedder: options.embedder, scheduler, clock };
    this.#memoryIndex = new MemoryIndex({
      ...shared,
      log: options.log,
      open: () => this.#openIndex('memory'),
      maxVectors: limits.maxVectors,
    });
    this.notes = new NoteSearch({
      ...shared,
      index: this.#noteIndex,
      source: options.notes,
      skippedFolders,
      remoteEmbeddings: () => this.#remoteEmbeddings,
      maxWaitMs: options.maxWaitMs,
    });
    this.memory = new MemorySearch({ ...shared, index: this.#memoryIndex, log: options.log });
    const { maxNoteBytes } = limits;
    this.access = { source: options.notes, skippedFolders, maxNoteBytes, scheduler };
  }

  /** Searches one kind after the other, and yields each: states, notes, calls. */
  async *searchGroups(groups: GroupsQuery): AsyncGenerator<Partial<FoundGroups>> {
    const { query, workspaceIds, folder, limits, isHidden, signal } = groups;
    const inMemory = { query, workspaceIds, range: UNLIMITED };
    const stateQuery = { ...inMemory, limit: limits.states };
    const { found: entities } = await this.memory.searchEntities(stateQuery, ['state']);
    signal.throwIfAborted();
    yield { states: entities.flatMap(({ item }) => ('state' in item ? [item.state] : [])) };
    const noteQuery = { query, folder, tags: [], range: UNLIMITED, limit: limits.notes, signal };
    const notes = await this.notes.search({ ...noteQuery, mode: 'hybrid', isTyping: true });
    signal.throwIfAborted();
    yield { notes: 'problem' in notes ? [] : notes.found };
    const callQuery = { ...inMemory, limit: limits.calls };
    const { found: calls } = await this.memory.searchTraces(callQuery, { isHidden });
    yield { calls: calls.map(({ item }) => item) };
  }

  /** `Embedder.rarityOf` if the embedder is open, else always 1. */
  get rarityOf(): (word: string) => number {
    const { embedder } = this.#options;
    return embedder?.isOpen() === true ? runToEnd(embedder.openSteps()).rarityOf : alwaysRare;
  }

  start(): void {
    this.#noteIndex.catchUp('words');
  }

  /** Scans the vault again; to be called when excluded folders have changed. */
  rescan(): void {
    this.#noteIndex.rescan();
  }

  /** Progress of the notes; undefined if they are all indexed, or if indexing has not begun. */
  progress(): IndexProgress | undefined {
    return this.#noteIndex.isWanted ? this.#noteIndex.progress('words') : undefined;
  }

  /** Calls the listener when the progress may have changed. Returns a function that removes it. */
  onProgress(listener: () => void): () => void {
    const own = () => listener();
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  /** Returns the progress of all parts; `memory` is that of one workspace. Indexes nothing. */
  async indexStatus(workspaceId: string) {
    const [memory, memoryBytes, noteIndex] = await Promise.all([
      this.#memoryIndex.progress(workspaceId),
      this.#memoryIndex.persistedBytes(),
      this.#noteIndex.open(),
    ]);
    return {
      /** True once indexing of the notes has begun; false again after the index is cleared. */
      hasBegun: this.#noteIndex.isWanted,
      notes: this.#statusOf('words'),
      /** Undefined if there is only keyword search. */
      embeddings: this.#options.embedder && this.#statusOf('embeddings'),
      memory: { ready: memory.done === memory.total, ...memory },
      skippedFolders: await this.#options.skippedFolders(),
      unread: this.#noteIndex.unread(''),
      /** Size of the indexes on this device. */
      persistedBytes: noteIndex.persistedBytes() + memoryBytes,
    };
  }

  /** Starts a rebuild unless one runs. Returns the progress so far (usually near zero). */
  async rebuildIndex(workspaceId: string): Promise<IndexPartStatus> {
    this.#rebuilding ??= this.#rebuild(workspaceId);
    const { clock } = this.#options;
    let cancel: () => void = () => undefined;
    const timeout = new Promise<void>((resolve) => {
      cancel = clock.after(REBUILD_WAIT_MS, resolve);
    });
    await Promise.race([this.#rebuilding, timeout]).finally(cancel);
    return this.#statusOf('words');
  }

  /** Deletes the indexes and returns the number of bytes; the next search builds them again. */
  async clearIndex(): Promise<number> {
    const cleared = [this.#noteIndex.clear(), this.#memoryIndex.clear()];
    const bytes = await Promise.all(cleared);
    return bytes.reduce((sum, count) => sum + count, 0);
  }

  /** Replaces or removes the user's remote embedder. The result embeds nothing before `start`. */
  async useEmbedder(embedder: RemoteEmbedder | undefined): Promise<RemoteEmbeddings | undefined> {
    const before = this.#remoteEmbeddings;
    this.#remoteEmbeddings = undefined;
    await before?.close();
    this.#remoteEmbeddings = embedder && this.#createRemoteEmbeddings(embedder);
    return this.#remoteEmbeddings;
  }

  /** Persists the indexes. No method may be called afterwards. */
  async close(): Promise<void> {
    await Promise.all([
      this.#remoteEmbeddings?.close(),
      this.#noteIndex.close(),
      this.#memoryIndex.close(),
    ]);
  }

  /** Resolves once the amount of work is known. */
  async #rebuild(workspaceId: string): Promise<void> {
    try {
      await this.clearIndex();
    } catch (error) {
      this.#rebuilding = undefined;
      throw error;
    }
    this.start();
    this.#memoryIndex.catchUp(workspaceId).catch(() => undefined); // the next search reports it
    void this.#noteIndex.ready('words').then(() => {
      this.#rebuilding = undefined;
    });
    await this.#noteIndex.ready('names');
  }

  #statusOf(stage: IndexStage): IndexPartStatus {
    const progress = this.#noteIndex.progress(stage);
    return { ready: progress === undefined, ...(progress ?? this.#noteIndex.total()) };
  }

  #notify(): void {
    this.#listeners.forEach((listener) => listener());
  }

  #createNoteIndex(scheduler: Scheduler): NoteIndex {
    const { notes, embedder, skippedFolders, clock, warn, limits } = this.#options;
    return new NoteIndex({
      source: notes,
      open: () => this.#openIndex('notes'),
      embedder,
      skippedFolders,
      clock,
      warn,
      scheduler: this.#idleScheduler,
      foregroundScheduler: scheduler,
      maxNoteBytes: limits.maxNoteBytes,
      maxVectors: limits.maxVectors,
      onChange: () => {
        this.#notify();
        this.#remoteEmbeddings?.onNotesChanged();
      },
    });
  }

  #createRemoteEmbeddings(embedder: RemoteEmbedder): RemoteEmbeddings {
    const { clock, limits } = this.#options;
    const index = this.#noteIndex;
    return new RemoteEmbeddings({
      embedder,
      scheduler: this.#idleScheduler,
      clock,
      maxVectorBytes: limits.maxVectors * BYTES_PER_VECTOR,
      onChange: () => this.#notify(),
      open: (dimensions) => this.#openIndex('own', { dimensions, id: embedder.id }),
      notes: {
        isReady: () => index.progress('words') === undefined,
        open: () => index.open(),
        listing: () => index.listing,
        read: (path) => index.read(path),
      },
    });
  }

  async #openIndex(
    name: 'notes' | 'memory' | 'own',
    embedder: Pick<EmbedderSource, 'dimensions' | 'id'> | undefined = this.#options.embedder,
  ): Promise<PersistentIndex> {
    const { blobs, random, warn } = this.#options;
    if (blobs) await this.#options.embedder?.restore(blobs);
    const dimensions = embedder?.dimensions ?? NO_EMBEDDER_DIMENSIONS;
    return openPersistentIndex({
      blobs,
      name,
      random,
      warn,
      dimensions,
      embedderId: embedder?.id ?? '',
    });
  }
}
