import { isJsonObject, type Json } from '../../model/event.js';
import type { VaultPath } from '../../model/paths.js';
import { Refusal } from '../../model/refusal.js';
import { estimateTokens } from '../../model/text/estimate-tokens.js';
import type { Clock } from '../../platform/clock.js';
import { withDeadline } from '../../platform/deadline.js';
import { runSliced } from '../../platform/run-sliced.js';
import type { Scheduler } from '../../platform/scheduler.js';
import { noteDocumentSteps, type NearestOptions, type SemanticScores } from '../../search/index.js';
import type { Embeddings, RemoteEmbedder } from './embedding-server.js';
import type { PersistentIndex } from '../persistence/persistent-index.js';
import {
  createEmbeddingRequest,
  estimateUsage,
  hashToText,
  truncateText,
  type EmbeddingRequest,
  type EmbeddingUsage,
} from './embedding-batch.js';
import type { NoteFile, VaultListing } from './note-source.js';

export interface RemoteEmbeddingsStatus {
  readonly phase: 'stopped' | 'working' | 'ready' | 'failed';
  /** Notes that have vectors, of `total`. */
  readonly done: number;
  readonly total: number;
  /** Sent since the program started. */
  readonly sent: EmbeddingUsage;
  /** Reason for `failed`, in words. Retries are automatic. */
  readonly error?: string | undefined;
}

export interface RemoteEmbeddingsOptions {
  readonly embedder: RemoteEmbedder;
  /** Opens the index with the vectors. */
  readonly open: (dimensions: number) => Promise<PersistentIndex>;
  readonly notes: {
    /** True if the index is up to date with every note. */
    readonly isReady: () => boolean;
    readonly open: () => Promise<PersistentIndex>;
    readonly listing: () => VaultListing;
    readonly read: (path: VaultPath) => Promise<string | undefined>;
  };
  /** Maximum size of all vectors. The newest notes are embedded first. */
  readonly maxVectorBytes: number;
  readonly scheduler: Scheduler;
  readonly clock: Clock;
  readonly onChange: () => void;
}

/** Texts in one request. */
const REQUEST_BATCH_SIZE = 64;
const PERSIST_INTERVAL_NOTES = 200;
/** Delay after a change, so that a note that is still being written is not sent repeatedly. */
const CHANGE_DEBOUNCE_MS = 10_000;
const MIN_RETRY_MS = 30_000;
const MAX_RETRY_MS = 600_000;
export const REQUEST_TIMEOUT_MS = 120_000;
/** Time that a search waits for the vector of its query. */
const QUERY_TIMEOUT_MS = 4000;
/** Searches use the vectors only while at most this share of the notes lacks vectors. */
const MAX_MISSING_SHARE = 0.05;

/** Vectors from a server that the user has set up: once for all notes, then for changed ones. */
export class RemoteEmbeddings {
  readonly #options: RemoteEmbeddingsOptions;
  /** Hash of the text that each note's vectors were computed from. */
  readonly #hashes = new Map<VaultPath, string>();
  #opening: Promise<PersistentIndex> | undefined;
  #dimensions = 0;
  #isOn = false;
  #working: Promise<void> | undefined;
  #abort = new AbortController();
  #cancelSchedule: (() => void) | undefined;
  #failures = 0;
  #error: string | undefined;
  /** True if enough notes have vectors for searches to use them. */
  #isComplete = false;
  #total = 0;
  #unpersistedNotes = 0;
  #sent: EmbeddingUsage = { notes: 0, texts: 0, tokens: 0 };

  constructor(options: RemoteEmbeddingsOptions) {
    this.#options = options;
  }

  /** Continues where it was stopped, and follows changes. */
  start(): void {
    this.#isOn = true;
    this.#scheduleWork();
  }

  /** Aborts the request in progress. The vectors received so far stay. */
  stop(): void {
    this.#isOn = false;
    this.#cancelSchedule?.();
    this.#cancelSchedule = undefined;
    this.#abort.abort();
    this.#options.onChange();
  }

  /** Checks for changed notes after `CHANGE_DEBOUNCE_MS`. */
  onNotesChanged(): void {
    if (!this.#working) this.#scheduleWorkIn(CHANGE_DEBOUNCE_MS);
  }

  status(): RemoteEmbeddingsStatus {
    return {
      phase: this.#phase(),
      done: Math.min(this.#total, this.#hashes.size),
      total: this.#total,
      sent: this.#sent,
      error: this.#error,
    };
  }

  /** Estimates what is still to be sent for all notes. */
  async estimate(): Promise<EmbeddingUsage> {
    const missing = await this.#findMissing(undefined);
    return estimateUsage(missing.map(({ size }) => size));
  }

  /** Returns undefined if too many notes lack vectors, or the server does not respond. */
  async nearest(query: string, options: NearestOptions): Promise<SemanticScores | undefined> {
    if (!this.#isOn || !this.#isComplete || !this.#opening) return undefined;
    const { vectors } = await this.#opening;
    const { embedder, clock } = this.#options;
    const embeddings = await withDeadline(
      (signal) => embedder.embed([truncateText(query)], signal),
      { clock, ms: QUERY_TIMEOUT_MS },
    ).catch(() => undefined); // the built-in embedder is used instead
    const vector = embeddings?.vectors[0];
    return vector?.length === this.#dimensions
      ? runSliced(vectors.nearestSteps(vector, options), this.#options)
      : undefined;
  }

  async close(): Promise<void> {
    this.stop();
    await this.#working;
  }

  #phase(): RemoteEmbeddingsStatus['phase'] {
    if (!this.#isOn) return 'stopped';
    if (this.#working) return 'working';
    return this.#error === undefined ? 'ready' : 'failed';
  }

  #scheduleWork(): void {
    if (!this.#isOn || this.#working) return;
    this.#cancelSchedule?.();
    this.#cancelSchedule = undefined;
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    this.#error = undefined;
    this.#working = this.#work(signal)
      .catch((reason: unknown) => {
        if (!this.#isOn) return;
        this.#error = reason instanceof Refusal ? reason.message : String(reason);
        this.#scheduleWorkIn(Math.min(MAX_RETRY_MS, MIN_RETRY_MS * 2 ** this.#failures++));
      })
      .finally(() => {
        this.#working = undefined;
        if (signal.aborted) this.#scheduleWork(); // it was restarted before it had ended
        this.#options.onChange();
      });
    this.#options.onChange();
  }

  #scheduleWorkIn(ms: number): void {
    if (!this.#isOn) return;
    this.#cancelSchedule ??= this.#options.clock.after(ms, () => {
      this.#cancelSchedule = undefined;
      this.#scheduleWork();
    });
  }

  async #work(signal: AbortSignal): Promise<void> {
    const { notes, maxVectorBytes, onChange } = this.#options;
    const store = await this.#open(signal);
    if (!notes.isReady()) return this.#scheduleWorkIn(CHANGE_DEBOUNCE_MS);
    const missing = await this.#findMissing(store);
    this.#isComplete = missing.length <= this.#total * MAX_MISSING_SHARE;
    try {
      while (missing.length > 0 && store.vectors.size() * this.#dimensions < maxVectorBytes) {
        await this.#send(store, await this.#nextBatch(missing), signal);
        this.#failures = 0;
        if (this.#unpersistedNotes >= PERSIST_INTERVAL_NOTES) await this.#persist(store);
        onChange();
      }
      this.#isComplete = true;
    } finally {
      await this.#persist(store);
    }
  }

  /** Opens the index after requesting one vector, to learn the number of dimensions. */
  async #open(signal: AbortSignal): Promise<PersistentIndex> {
    if (!this.#opening) {
      const { vectors } = await this.#embed(['length'], signal);
      this.#dimensions = vectors[0]?.length ?? 0;
      this.#opening = this.#options.open(this.#dimensions).then((store) => {
        for (const [path, hash] of hashesFromJson(store.metadata))
          if (store.vectors.has(path)) this.#hashes.set(path, hash);
        return store;
      });
    }
    return this.#opening;
  }

  /** Returns notes without current vectors, the newest last. Drops those of deleted notes. */
  async #findMissing(store: PersistentIndex | undefined): Promise<NoteFile[]> {
    const { notes, scheduler } = this.#options;
    const { index } = await notes.open();
    const missing: NoteFile[] = [];
    const present = new Set<VaultPath>();
    for (const note of notes.listing().notes) {
      if (scheduler.isDue) await scheduler.yieldIfDue();
      const hash = hashToText(index.hashOf(note.path));
      if (hash === undefined) continue;
      present.add(note.path);
      if (this.#hashes.get(note.path) !== hash) missing.push(note);
    }
    if (store && notes.isReady())
      for (const path of [...this.#hashes.keys()])
        if (!present.has(path)) this.#remove(store, path);
    this.#total = present.size;
    return missing.sort((a, b) => a.mtime - b.mtime);
  }

  #remove({ vectors }: PersistentIndex, path: VaultPath): void {
    vectors.remove(path);
    this.#hashes.delete(path);
    this.#unpersistedNotes++;
  }

  /** Takes the last of `missing`, as many as fill one request. */
  async #nextBatch(missing: NoteFile[]): Promise<EmbeddingRequest[]> {
    const { notes, scheduler } = this.#options;
    const { index } = await notes.open();
    const batch: EmbeddingRequest[] = [];
    for (let texts = 0; texts < REQUEST_BATCH_SIZE && missing.length > 0;) {
      const { path, mtime } = missing.pop()!;
      const text = await notes.read(path).catch(() => undefined); // the note index reports it
      await scheduler.yieldIfDue();
      if (text === undefined) continue;
      const document = await runSliced(noteDocumentSteps(path, text, mtime), { scheduler });
      const hash = hashToText(document.hash);
      // it has changed, and is found again after the debounce
      if (hash === undefined || hash !== hashToText(index.hashOf(path))) continue;
      const request = createEmbeddingRequest(path, hash, document);
      batch.push(request);
      texts += request.texts.length;
    }
    return batch;
  }

  async #send(
    store: PersistentIndex,
    batch: readonly EmbeddingRequest[],
    signal: AbortSignal,
  ): Promise<void> {
    const all = batch.flatMap((request) => request.texts.map((text) => ({ request, text })));
    for (let from = 0; from < all.length; from += REQUEST_BATCH_SIZE) {
      const part = all.slice(from, from + REQUEST_BATCH_SIZE);
      const texts = part.map(({ text }) => text);
      const { vectors, tokens = estimateTokens(texts.join('\n')) } = await this.#embed(
        texts,
        signal,
      );
      signal.throwIfAborted();
      if (vectors.some((vector) => vector.length !== this.#dimensions))
        throw new Refusal('The embeddings model returned vectors of another length.');
      part.forEach(({ request }, at) => request.vectors.push(vectors[at]!));
      this.#addUsage({ notes: 0, texts: texts.length, tokens });
    }
    for (const { path, hash, vectors } of batch) {
      store.vectors.put(path, vectors);
      this.#hashes.set(path, hash);
      this.#unpersistedNotes++;
    }
    this.#addUsage({ notes: batch.length, texts: 0, tokens: 0 });
  }

  #addUsage({ notes, texts, tokens }: EmbeddingUsage): void {
    this.#sent = {
      notes: this.#sent.notes + notes,
      texts: this.#sent.texts + texts,
      tokens: this.#sent.tokens + tokens,
    };
  }

  /** Rejects with the reason of `signal`, or with a `Refusal` if the server is too slow. */
  async #embed(texts: readonly string[], signal: AbortSignal): Promise<Embeddings> {
    const { embedder, clock } = this.#options;
    let isLate = (): boolean => false;
    const request = (deadline: AbortSignal) => {
      isLate = () => deadline.aborted;
      return embedder.embed(texts, deadline);
    };
    try {
      return await withDeadline(request, { clock, ms: REQUEST_TIMEOUT_MS, signal });
    } catch (reason) {
      signal.throwIfAborted();
      if (!isLate()) throw reason;
      const seconds = REQUEST_TIMEOUT_MS / 1000;
      throw new Refusal(`The embeddings server did not respond within ${seconds} seconds.`);
    }
  }

  async #persist(store: PersistentIndex): Promise<void> {
    if (this.#unpersistedNotes === 0) return;
    this.#unpersistedNotes = 0;
    await store.persist(() => ({
      paths: [...this.#hashes.keys()],
      hashes: [...this.#hashes.values()],
    }));
  }
}

function hashesFromJson(metadata: Json): [VaultPath, string][] {
  if (!isJsonObject(metadata)) return [];
  const { paths, hashes } = metadata;
  if (!Array.isArray(paths) || !Array.isArray(hashes)) return [];
  return paths.flatMap((path, at): [VaultPath, string][] => {
    const hash = hashes[at];
    return typeof path === 'string' && typeof hash === 'string' ? [[path, hash]] : [];
  });
}
