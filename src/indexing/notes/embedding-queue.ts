import type { VaultPath } from '../../model/paths.js';
import { isSameHash } from '../../platform/bytes/hash.js';
import { runSliced } from '../../platform/run-sliced.js';
import type { Scheduler } from '../../platform/scheduler.js';
import {
  embedDocumentSteps,
  noteDocumentSteps,
  type EmbedderSource,
  type SearchDocument,
} from '../../search/index.js';
import type { PersistentIndex } from '../persistence/persistent-index.js';
import type { NoteRecord, NoteScanner } from './note-scanner.js';

export interface EmbeddingQueueOptions {
  /** Undefined to embed nothing. */
  readonly embedder: EmbedderSource | undefined;
  readonly scanner: NoteScanner;
  readonly scheduler: Scheduler;
  /** Opens the embedder without waiting for an idle host: every semantic search needs it. */
  readonly foregroundScheduler: Scheduler;
  /** Maximum number of vectors. The newest notes are embedded first. */
  readonly maxVectors: number;
  readonly onEmbedded: () => void;
  /** Called every `PROGRESS_INTERVAL_NOTES` notes, and when the queue is first empty. */
  readonly onProgress: () => void;
}

const PROGRESS_INTERVAL_NOTES = 100;

/** Above this many code units, notes are embedded before more are indexed, to limit memory. */
const MAX_WAITING_LENGTH = 8_000_000;

export class EmbeddingQueue {
  readonly #options: EmbeddingQueueOptions;
  /** Notes to embed; the last is embedded first. */
  #backlog: VaultPath[] = [];
  /** Notes that were indexed since the backlog was planned, the newest first. */
  #recent: VaultPath[] = [];
  /** Documents of indexed notes, so that these are not read again. */
  readonly #documents = new Map<VaultPath, SearchDocument>();
  #waitingLength = 0;
  #hasCompleted = false;

  constructor(options: EmbeddingQueueOptions) {
    this.#options = options;
  }

  get remaining(): number {
    return this.#backlog.length + this.#recent.length;
  }

  /** Returns true if every note is embedded, or there is no embedder. */
  isReady(): boolean {
    return !this.#options.embedder || (this.#hasCompleted && this.remaining === 0);
  }

  /** True if notes should be embedded before more of them are added. */
  get isFull(): boolean {
    return this.#waitingLength > MAX_WAITING_LENGTH;
  }

  add(document: SearchDocument): void {
    this.#recent.push(document.key);
    if (!this.#options.embedder) return;
    this.#takeDocument(document.key);
    this.#documents.set(document.key, document);
    this.#waitingLength += lengthOf(document);
  }

  /** Queues every indexed note without vectors; the newest is embedded first. */
  async plan({ vectors }: PersistentIndex): Promise<void> {
    const { embedder, scanner, scheduler } = this.#options;
    if (!embedder) return;
    const missing: [VaultPath, NoteRecord][] = [];
    for (const entry of scanner.records) {
      if (scheduler.isDue) await scheduler.yieldIfDue();
      if (!vectors.has(entry[0])) missing.push(entry);
    }
    this.#backlog = missing.sort(([, a], [, b]) => a.mtime - b.mtime).map(([path]) => path);
    this.#recent = [];
    const waiting = new Set(this.#backlog);
    for (const path of this.#documents.keys()) if (!waiting.has(path)) this.#takeDocument(path);
  }

  /** Embeds the next note. Resolves to false if there is none, or no room for more vectors. */
  async embedNext(persistent: PersistentIndex): Promise<boolean> {
    const { embedder, scanner, maxVectors, onProgress } = this.#options;
    for (const recent of this.#recent.reverse()) this.#backlog.push(recent);
    this.#recent = [];
    const path = this.#backlog.at(-1);
    if (!embedder || path === undefined || persistent.vectors.size() >= maxVectors) {
      this.#backlog = [];
      this.#dropDocuments();
      if (!this.#hasCompleted) onProgress();
      this.#hasCompleted = true;
      return false;
    }
    this.#backlog.pop();
    const document = this.#takeDocument(path);
    const record = scanner.records.get(path);
    if (record && !persistent.vectors.has(path))
      await this.#embedNote(persistent, embedder, { path, record, document });
    return true;
  }

  clear(): void {
    this.#backlog = [];
    this.#recent = [];
    this.#dropDocuments();
    this.#hasCompleted = false;
  }

  async #embedNote(
    { index, vectors }: PersistentIndex,
    embedder: EmbedderSource,
    { path, record, document: indexed }: QueuedNote,
  ): Promise<void> {
    const { scanner, onEmbedded, onProgress } = this.#options;
    const document = indexed ?? (await this.#readDocument(path, record));
    if (!document || !isSameHash(document.hash, index.hashOf(path))) {
      scanner.touch(path);
      if (!document) scanner.forgetRecord(path);
      return;
    }
    const passages = await this.#embed(document, embedder);
    if (scanner.records.get(path) === record) vectors.put(path, passages);
    onEmbedded();
    if (this.#backlog.length % PROGRESS_INTERVAL_NOTES === 0) onProgress();
  }

  #takeDocument(path: VaultPath): SearchDocument | undefined {
    const document = this.#documents.get(path);
    if (!document) return undefined;
    this.#documents.delete(path);
    this.#waitingLength -= lengthOf(document);
    return document;
  }

  #dropDocuments(): void {
    this.#documents.clear();
    this.#waitingLength = 0;
  }

  async #readDocument(
    path: VaultPath,
    { mtime, size }: NoteRecord,
  ): Promise<SearchDocument | undefined> {
    const { scanner, scheduler } = this.#options;
    const text = await scanner.read({ path, mtime, size });
    return text === undefined
      ? undefined
      : runSliced(noteDocumentSteps(path, text, mtime), { scheduler });
  }

  async #embed(document: SearchDocument, embedder: EmbedderSource): Promise<Int8Array[]> {
    const { scheduler, foregroundScheduler } = this.#options;
    await runSliced(embedder.openSteps(), { scheduler: foregroundScheduler });
    await scheduler.yieldIfDue();
    return runSliced(embedDocumentSteps(embedder, document), { scheduler });
  }
}

interface QueuedNote {
  readonly path: VaultPath;
  readonly record: NoteRecord;
  /** Undefined if the note has to be read again. */
  readonly document: SearchDocument | undefined;
}

function lengthOf({ passages }: SearchDocument): number {
  return passages.flat().reduce((sum, { text }) => sum + text.length, 0);
}
