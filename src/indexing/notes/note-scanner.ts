import type { Json } from '../../model/event.js';
import { isHidden, isWithin, type VaultPath } from '../../model/paths.js';
import { Refusal } from '../../model/refusal.js';
import type { Clock } from '../../platform/clock.js';
import { hasSettled } from '../../platform/files.js';
import type { Scheduler } from '../../platform/scheduler.js';
import type { SearchIndex } from '../../search/index.js';
import type { IndexStage } from '../index-progress.js';
import { recordsFromJson } from './note-records.js';
import {
  encodingProblem,
  isNote,
  type NoteFile,
  type NoteSource,
  type VaultListing,
} from './note-source.js';

export interface NoteScannerOptions {
  readonly source: NoteSource;
  /** Folders whose notes must not be read; called with each scan. */
  readonly skippedFolders: () => Promise<readonly VaultPath[]>;
  readonly scheduler: Scheduler;
  readonly clock: Clock;
  /** Notes larger than this are indexed by name only. */
  readonly maxNoteBytes: number;
  readonly warn: (message: string) => void;
  /** Called for each note that was deleted, or is now skipped. */
  readonly onRemove: (path: VaultPath) => void;
}

export interface NoteRecord {
  /** The file's, or `UNSETTLED` if the file may have changed since without a new one. */
  readonly mtime: number;
  readonly size: number;
  /** Number of the last scan that found the note. */
  lastScan: number;
}

/** A note whose text could not be read. */
interface Failure {
  readonly mtime: number;
  readonly reason: string;
}

/** Searches do not wait for scans that take longer than this; they use the index as it is. */
const SLOW_SCAN_MS = 250;
/** Differs from the time of every file, so that the note counts as changed when it is looked up. */
const UNSETTLED = -1;
const NO_LISTING: VaultListing = { notes: [], files: [], folders: [] };

/** Finds the notes that differ from the index, by scans of the vault and by file events. */
export class NoteScanner {
  readonly #options: NoteScannerOptions;
  readonly #records = new Map<VaultPath, NoteRecord>();
  readonly #pending = new Map<VaultPath, NoteFile>();
  /** Pending notes, the last is indexed first; paths that are no longer pending are skipped. */
  readonly #order: VaultPath[] = [];
  /** Notes that may have changed. */
  readonly #touched = new Set<VaultPath>();
  readonly #failures = new Map<VaultPath, Failure>();
  #listing = NO_LISTING;
  #skipped: readonly VaultPath[] = [];
  #scans = 0;
  #listedCount = 0;
  #lastScanMs = 0;
  /** Time at which the last batch was taken. */
  #readAt = 0;
  #hasScanned = false;
  #isStale = true;
  #isScanning = false;
  /** True while touched notes are looked up; they are then neither in `#touched` nor `#pending`. */
  #isRescanning = false;
  /** True if files may have been added or deleted since the listing. */
  #isListingStale = false;
  #stopWatching: (() => void) | undefined;

  constructor(options: NoteScannerOptions) {
    this.#options = options;
  }

  /** Contents of the vault at the last scan. */
  get listing(): VaultListing {
    return this.#listing;
  }

  get hasScanned(): boolean {
    return this.#hasScanned;
  }

  get isStale(): boolean {
    return this.#isStale;
  }

  get hasTouched(): boolean {
    return this.#touched.size > 0;
  }

  get pendingCount(): number {
    return this.#pending.size;
  }

  get indexedCount(): number {
    return this.#records.size;
  }

  /** Number of notes in the vault, as far as known. */
  get totalCount(): number {
    return Math.max(this.#listedCount, this.#records.size);
  }

  get records(): ReadonlyMap<VaultPath, NoteRecord> {
    return this.#records;
  }

  /** Follows file events. Calls `onTouched` for an event about a note. */
  watch(onTouched: () => void): void {
    this.#stopWatching ??= this.#options.source.watch?.start((path) =>
      this.#onFileEvent(path, onTouched),
    );
  }

  stopWatching(): void {
    this.#stopWatching?.();
  }

  /** Requires a scan before `stage` is ready, unless file events keep the listing current. */
  refresh(stage: IndexStage): void {
    if (!this.#options.source.watch || (stage === 'names' && this.#isListingStale))
      this.#isStale = true;
  }

  markStale(): void {
    this.#isStale = true;
  }

  /** Requires that a note is looked up again. */
  touch(path: VaultPath): void {
    this.#touched.add(path);
  }

  /** True if the vault has been listed and no scan is due that a search should wait for. */
  isListed(): boolean {
    const isScanDue = (this.#isStale || this.#isScanning) && this.#lastScanMs < SLOW_SCAN_MS;
    return this.#hasScanned && !isScanDue;
  }

  /** True if every note known to have changed is indexed. */
  isCaughtUp(): boolean {
    return this.#touched.size === 0 && !this.#isRescanning && this.#pending.size === 0;
  }

  /** Restores the persisted records, and removes documents without a record from the index. */
  async restore(
    index: Pick<SearchIndex, 'keys' | 'remove' | 'size'>,
    metadata: Json,
  ): Promise<void> {
    const notes = recordsFromJson(metadata);
    // Both are persisted and changed together, so equal numbers mean equal notes.
    const unnamed = notes.length === index.size() ? undefined : new Set(index.keys());
    for (const { path, mtime, size } of notes) {
      if (!unnamed || unnamed.delete(path))
        this.#records.set(path, { mtime, size, lastScan: this.#scans });
      if (this.#options.scheduler.isDue) await this.#options.scheduler.yieldIfDue();
    }
    for (const path of unnamed ?? []) index.remove(path);
  }

  /** Lists the vault. Changed notes become pending. */
  async scan(): Promise<void> {
    const { source, clock, skippedFolders } = this.#options;
    this.#isStale = false;
    this.#isListingStale = false;
    this.#isScanning = true;
    this.#touched.clear(); // later changes are reported again
    try {
      const start = clock.now();
      this.#skipped = await skippedFolders();
      this.#listing = await source.list((folder) => this.#isSkipped(folder));
      this.#lastScanMs = clock.now() - start;
      const changed = await this.#findChanged();
      for (const [path, { lastScan }] of this.#records)
        if (lastScan !== this.#scans) this.remove(path);
      this.#pending.clear(); // notes that are still to be indexed are among the changed ones
      for (const note of changed.sort((a, b) => a.mtime - b.mtime)) this.#expect(note);
      for (const path of this.#failures.keys())
        if (this.#isSkipped(path) || !this.#listing.notes.some((note) => note.path === path))
          this.#failures.delete(path);
      this.#hasScanned = true;
    } finally {
      this.#isScanning = false;
    }
  }

  /** Looks up touched notes. Changed ones become pending; deleted or skipped ones are removed. */
  async rescanChanged(): Promise<void> {
    const paths = [...this.#touched];
    this.#touched.clear();
    this.#isRescanning = true;
    try {
      for (const path of paths) {
        const note = this.#isSkipped(path) ? undefined : await this.#options.source.stat(path);
        if (!note) {
          this.#isListingStale = true;
          this.remove(path);
        } else if (this.#hasChanged(note, this.#records.get(path))) this.#expect(note);
      }
    } finally {
      this.#isRescanning = false;
    }
  }

  /** Takes the next pending notes; they stay pending until `settle`. */
  nextBatch(limit: number): NoteFile[] {
    const batch: NoteFile[] = [];
    this.#readAt = this.#options.clock.now();
    while (batch.length < limit && this.#order.length > 0) {
      const note = this.#pending.get(this.#order.pop()!);
      if (note && !batch.includes(note)) batch.push(note);
    }
    return batch;
  }

  /** Returns true if a note is indexed as it is now. */
  isIndexed({ path, mtime, size }: NoteFile): boolean {
    const record = this.#records.get(path);
    return record?.mtime === mtime && record.size === size;
  }

  /** Returns false if the note has changed again or was deleted. */
  isPending(note: NoteFile): boolean {
    return this.#pending.get(note.path) === note;
  }

  /** Notes whose text could not be read. */
  get failures(): ReadonlyMap<VaultPath, Failure> {
    return this.#failures;
  }

  /** Returns the text: empty if it is not searched, undefined if it is gone or unreadable. */
  async read(note: NoteFile): Promise<string | undefined> {
    const { maxNoteBytes, source } = this.#options;
    try {
      const isLarge = note.size > maxNoteBytes;
      const text = isLarge ? '' : await source.read(note.path);
      const problem = isLarge
        ? `larger than ${maxNoteBytes / 1e6} MB`
        : encodingProblem(text ?? '');
      if (problem === undefined) this.#failures.delete(note.path);
      else this.#failures.set(note.path, { mtime: note.mtime, reason: problem });
      return problem === undefined ? text : '';
    } catch (error) {
      this.markUnreadable(note, error);
      return undefined;
    }
  }

  markIndexed({ path, mtime, size }: NoteFile): void {
    const known = hasSettled(mtime, this.#readAt) ? mtime : UNSETTLED;
    this.#records.set(path, { mtime: known, size, lastScan: this.#scans });
  }

  /** Warns once, and leaves the note out until it changes. */
  markUnreadable({ path, mtime }: NoteFile, error: unknown): void {
    const reason = error instanceof Refusal ? error.message : String(error);
    if (!this.#failures.has(path))
      this.#options.warn(`"${path}" is left out of the search: ${reason}`);
    this.#failures.set(path, { mtime, reason });
  }

  /** Removes a note from the pending ones: searches no longer wait for it. */
  settle(path: VaultPath): void {
    this.#pending.delete(path);
  }

  /** Counts a note as not indexed until it is looked up again. */
  forgetRecord(path: VaultPath): void {
    this.#records.delete(path);
  }

  remove(path: VaultPath): void {
    this.#failures.delete(path);
    this.#pending.delete(path);
    this.#options.onRemove(path);
    this.#records.delete(path);
  }

  /** Forgets every note; the next work begins with a scan. */
  clear(): void {
    for (const notes of [this.#records, this.#pending, this.#failures, this.#touched])
      notes.clear();
    this.#order.length = 0;
    this.#listedCount = 0;
    this.#hasScanned = false;
    this.#isStale = true;
  }

  toJson(): Json {
    const all = [...this.#records];
    return {
      paths: all.map(([path]) => path),
      mtimes: all.map(([path, { mtime }]) => (this.#failures.has(path) ? UNSETTLED : mtime)),
      sizes: all.map(([, { size }]) => size),
    };
  }

  #onFileEvent(path: VaultPath | undefined, onTouched: () => void): void {
    if (path === undefined) {
      this.#isStale = true;
      return;
    }
    if (!this.#records.has(path)) this.#isListingStale = true;
    if (!isNote(path)) return;
    this.#touched.add(path);
    if (this.#hasScanned) onTouched();
  }

  async #findChanged(): Promise<NoteFile[]> {
    const { scheduler } = this.#options;
    this.#scans++;
    let count = 0;
    const changed: NoteFile[] = [];
    for (const note of this.#listing.notes) {
      if (scheduler.isDue) await scheduler.yieldIfDue();
      if (this.#isSkipped(note.path)) continue;
      count++;
      const record = this.#records.get(note.path);
      if (record) record.lastScan = this.#scans;
      if (this.#hasChanged(note, record)) changed.push(note);
    }
    this.#listedCount = count;
    return changed;
  }

  #hasChanged({ path, mtime, size }: NoteFile, record: NoteRecord | undefined): boolean {
    if (this.#failures.get(path)?.mtime === mtime) return false;
    return record?.mtime !== mtime || record.size !== size;
  }

  #expect(note: NoteFile): void {
    this.#pending.set(note.path, note);
    this.#order.push(note.path);
  }

  #isSkipped(path: VaultPath): boolean {
    return isHidden(path) || this.#skipped.some((folder) => isWithin(path, folder));
  }
}
