import { isWithin, type VaultPath } from '../../model/paths.js';
import { runSliced } from '../../platform/run-sliced.js';
import type { Scheduler } from '../../platform/scheduler.js';
import { noteDocumentSteps } from '../../search/index.js';
import type { IndexProgress, IndexStage } from '../index-progress.js';
import type { PersistentIndex } from '../persistence/persistent-index.js';
import { EmbeddingQueue, type EmbeddingQueueOptions } from './embedding-queue.js';
import { NoteScanner, type NoteScannerOptions } from './note-scanner.js';
import type { NoteFile, VaultListing } from './note-source.js';

export interface NoteIndexOptions
  extends
    Omit<NoteScannerOptions, 'onRemove'>,
    Pick<EmbeddingQueueOptions, 'embedder' | 'maxVectors'> {
  readonly open: () => Promise<PersistentIndex>;
  /** Scheduler for work that searches wait for. */
  readonly foregroundScheduler: Scheduler;
  readonly onChange: () => void;
}

/** A note that is found by its name only. */
export interface UnreadNote {
  readonly path: VaultPath;
  readonly reason: string;
}

/** Notes read at a time. */
const READ_BATCH_SIZE = 8;
const MERGE_INTERVAL_NOTES = 1000;
/** Changes are persisted after this many notes and this share of all notes, or after this time. */
const PERSIST_INTERVAL_NOTES = 1000;
const PERSIST_INTERVAL_SHARE = 0.1;
const PERSIST_INTERVAL_MS = 20_000;
const PERSIST_DELAY_MS = 5000;

/** Search index of the notes of a vault; follows their changes. */
export class NoteIndex {
  readonly #options: NoteIndexOptions;
  readonly #scanner: NoteScanner;
  readonly #queue: EmbeddingQueue;
  readonly #waiters = new Set<() => void>();
  #opening: Promise<PersistentIndex> | undefined;
  #index: PersistentIndex | undefined;
  #working: Promise<void> | undefined;
  #clearing: Promise<number> | undefined;
  #isWanted = false;
  #isClosed = false;
  #unpersistedNotes = 0;
  #unmergedNotes = 0;
  #lastPersisted: number;
  #cancelPersist: (() => void) | undefined;

  constructor(options: NoteIndexOptions) {
    this.#options = options;
    this.#lastPersisted = options.clock.now();
    this.#scanner = new NoteScanner({
      ...options,
      onRemove: (path) => this.#removeFromIndex(path),
    });
    this.#queue = new EmbeddingQueue({
      ...options,
      scanner: this.#scanner,
      onEmbedded: () => this.#unpersistedNotes++,
      onProgress: () => this.#notify(),
    });
  }

  /** True if `catchUp` was called since the start, or since the last `clear`. */
  get isWanted(): boolean {
    return this.#isWanted;
  }

  /** Files and folders at the last scan. */
  get listing(): VaultListing {
    return this.#scanner.listing;
  }

  /** Starts to index changed notes. Scans the vault if no file events report changes. */
  catchUp(stage: IndexStage): void {
    this.#scanner.watch(() => this.#scheduleWork());
    this.#scanner.refresh(stage);
    this.#isWanted = true;
    this.#scheduleWork();
  }

  /** Scans again, because the skipped folders may have changed. */
  rescan(): void {
    this.#scanner.markStale();
    if (this.#scanner.hasScanned) this.#scheduleWork();
  }

  /** Returns true if a note is indexed as it is now. */
  isIndexed(note: NoteFile): boolean {
    return this.#scanner.isIndexed(note);
  }

  /** Returns the notes in a folder whose text could not be read, in the order of their paths. */
  unread(folder: VaultPath): UnreadNote[] {
    return [...this.#scanner.failures]
      .filter(([path]) => isWithin(path, folder))
      .map(([path, { reason }]) => ({ path, reason }))
      .sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  /** Returns the text that is searched, which is empty if there is only the name. */
  async read(path: VaultPath): Promise<string | undefined> {
    return this.#scanner.failures.has(path) ? '' : this.#options.source.read(path);
  }

  /** Looks a note up again, because a search has found it deleted or changed. */
  invalidate(path: VaultPath): void {
    this.#scanner.touch(path);
    if (this.#scanner.hasScanned) this.#scheduleWork();
  }

  /** Resolves when all is indexed up to `stage`, the signal is aborted, or the work has ended. */
  async ready(stage: IndexStage, signal?: AbortSignal): Promise<void> {
    const wake = () => this.#resolveWaiters();
    signal?.addEventListener('abort', wake);
    try {
      while ((this.#working ?? this.#clearing) && !signal?.aborted && !this.#isReady(stage))
        await new Promise<void>((resolve) => this.#waiters.add(resolve));
    } finally {
      signal?.removeEventListener('abort', wake);
    }
  }

  open(): Promise<PersistentIndex> {
    this.#opening ??= this.#options.open();
    return this.#opening;
  }

  /** Returns the progress of a stage; undefined when it is ready. */
  progress(stage: IndexStage): IndexProgress | undefined {
    if (this.#isReady(stage)) return undefined;
    const { hasScanned, pendingCount, totalCount: total } = this.#scanner;
    if (this.#clearing) return { done: 0, total };
    const isEmbedding = hasScanned && pendingCount === 0 && stage === 'embeddings';
    const left = isEmbedding ? this.#queue.remaining : pendingCount;
    return { done: Math.max(0, total - left), total };
  }

  /** Returns the numbers of indexed notes and of all notes. */
  total(): IndexProgress {
    return { done: this.#scanner.indexedCount, total: this.#scanner.totalCount };
  }

  /** Deletes the index and returns the number of bytes deleted. `catchUp` builds it again. */
  clear(): Promise<number> {
    this.#isWanted = false;
    this.#clearing ??= this.#clear().finally(() => {
      this.#clearing = undefined;
      if (this.#isWanted) this.#scheduleWork();
      this.#notify();
    });
    return this.#clearing;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#scanner.stopWatching();
    this.#cancelPersist?.();
    this.#notify();
    await this.#clearing?.catch(() => undefined); // reported to the caller of `clear`
    await this.#working;
    if (this.#index && this.#unpersistedNotes > 0) await this.#persist(this.#index);
  }

  #scheduleWork(): void {
    if (this.#isClosed || this.#working || this.#clearing) return;
    this.#working = this.#work().then(
      (hasWorked) => {
        this.#working = undefined;
        const { isStale, hasTouched, pendingCount } = this.#scanner;
        // a change arrived when the work was about to end
        if (isStale || hasTouched || pendingCount > 0) this.#scheduleWork();
        this.#resolveWaiters();
        if (hasWorked) this.#options.onChange();
      },
      (error: unknown) => {
        this.#working = undefined;
        this.#scanner.markStale(); // the next search scans again
        const reason = error instanceof Error ? error.message : String(error);
        this.#options.warn(`The notes cannot be read for the search: ${reason}`);
        this.#notify();
      },
    );
  }

  #resolveWaiters(): void {
    const waiters = [...this.#waiters];
    this.#waiters.clear();
    for (const resolve of waiters) resolve();
  }

  #notify(): void {
    this.#resolveWaiters();
    this.#options.onChange();
  }

  /** Works until nothing is left; what searches wait for comes first. True if there was work. */
  async #work(): Promise<boolean> {
    const index = (this.#index ??= await this.open());
    if (!this.#scanner.hasScanned) await this.#scanner.restore(index.index, index.metadata);
    let hasWorked = false;
    while (!this.#isStopped() && (await this.#workOnce(index))) {
      hasWorked = true;
      const { clock } = this.#options;
      const isLate =
        this.#unpersistedNotes > 0 && clock.now() - this.#lastPersisted > PERSIST_INTERVAL_MS;
      if (isLate || this.#unmergedNotes >= MERGE_INTERVAL_NOTES) await this.#merge(index);
      if (isLate || this.#unpersistedNotes >= this.#persistInterval()) await this.#persist(index);
    }
    await this.#merge(index);
    this.#schedulePersist();
    return hasWorked;
  }

  /** Resolves to false if there is nothing to do. */
  async #workOnce(index: PersistentIndex): Promise<boolean> {
    const scanner = this.#scanner;
    if (scanner.isStale) await this.#scan(index);
    else if (scanner.hasTouched) {
      await scanner.rescanChanged();
      this.#notify();
    } else if (scanner.pendingCount === 0) return this.#queue.embedNext(index);
    else if (this.#queue.isFull) await this.#queue.embedNext(index);
    else await this.#indexBatch(index);
    return true;
  }

  async #scan(index: PersistentIndex): Promise<void> {
    await this.#scanner.scan();
    await this.#queue.plan(index); // before searches resume, which would otherwise use words alone
    this.#notify();
  }

  async #indexBatch(index: PersistentIndex): Promise<void> {
    const scanner = this.#scanner;
    const batch = scanner.nextBatch(READ_BATCH_SIZE);
    const texts = await Promise.all(batch.map((note) => scanner.read(note)));
    for (const [at, note] of batch.entries()) {
      const text = texts[at];
      await this.#options.scheduler.yieldIfDue();
      if (!scanner.isPending(note)) continue;
      if (text !== undefined) await this.#indexNote(index, note, text);
      else if (!scanner.failures.has(note.path)) scanner.remove(note.path);
      scanner.settle(note.path); // not earlier, because searches wait for pending notes
    }
    this.#notify();
  }

  async #indexNote(
    { index, vectors }: PersistentIndex,
    note: NoteFile,
    text: string,
  ): Promise<void> {
    const { path, mtime } = note;
    const { scheduler } = this.#options;
    try {
      const document = await runSliced(noteDocumentSteps(path, text, mtime), { scheduler });
      if (await runSliced(index.putSteps(document), { scheduler })) {
        vectors.remove(path);
        this.#queue.add(document);
      }
      this.#scanner.markIndexed(note);
      this.#unpersistedNotes++;
      this.#unmergedNotes++;
    } catch (error) {
      this.#scanner.markUnreadable(note, error);
    }
  }

  #removeFromIndex(path: VaultPath): void {
    this.#index?.vectors.remove(path);
    if (this.#index?.index.remove(path)) this.#unpersistedNotes++;
  }

  async #merge({ index }: PersistentIndex): Promise<void> {
    this.#unmergedNotes = 0;
    for (const steps = index.mergeSteps(); !this.#isStopped() && !steps.next().done;)
      await this.#options.scheduler.yieldIfDue();
  }

  /** Grows with the number of notes, because persisting writes the records of all of them. */
  #persistInterval(): number {
    return Math.max(PERSIST_INTERVAL_NOTES, this.#scanner.indexedCount * PERSIST_INTERVAL_SHARE);
  }

  async #persist(index: PersistentIndex): Promise<void> {
    this.#cancelPersist?.();
    this.#cancelPersist = undefined;
    if (this.#unpersistedNotes > 0) {
      this.#unpersistedNotes = 0;
      await index.persist(() => this.#scanner.toJson());
    }
    this.#lastPersisted = this.#options.clock.now();
  }

  #schedulePersist(): void {
    if (this.#unpersistedNotes === 0 || this.#isClosed) return;
    this.#cancelPersist ??= this.#options.clock.after(PERSIST_DELAY_MS, () => {
      this.#cancelPersist = undefined;
      if (this.#index && !this.#working) void this.#persist(this.#index);
    });
  }

  async #clear(): Promise<number> {
    await this.#working;
    const index = await this.open();
    const bytes = index.persistedBytes();
    const empty = await index.reset();
    this.#cancelPersist?.();
    this.#cancelPersist = undefined;
    this.#scanner.clear();
    this.#queue.clear();
    this.#unpersistedNotes = 0;
    this.#index = empty;
    this.#opening = Promise.resolve(empty);
    return bytes;
  }

  #isStopped(): boolean {
    return this.#isClosed || this.#clearing !== undefined;
  }

  #isReady(stage: IndexStage): boolean {
    if (this.#clearing || !this.#scanner.isListed()) return false;
    if (stage === 'names') return true;
    if (!this.#scanner.isCaughtUp()) return false;
    return stage === 'words' || this.#queue.isReady();
  }
}
