import { TFile, TFolder, type App, type EventRef, type TAbstractFile } from 'obsidian';
import type { Named } from '../../model/lookup.js';
import type { Memory } from '../../model/memory.js';
import { isWithin, type VaultPath } from '../../model/paths.js';
import type { State } from '../../model/state.js';
import type { Clock } from '../../platform/clock.js';
import {
  isStaleNote,
  mirrorFolder,
  mirrorNotes,
  mirrorText,
  readMark,
  type MirrorMark,
  type MirrorNote,
} from '../../transfer/mirror-notes.js';
import { Scheduler } from '../../platform/scheduler.js';
import type { Savepoint } from '../savepoint.js';
import { createStore, type Store, type WritableStore } from '../store.js';
import { text } from '../i18n/index.js';

const KEY = 'savepoint-mirror';
const WRITE_DEBOUNCE_MS = 400;

/** Number of notes that may fail before a pass stops. */
const MAX_FAILURES = 5;

export type MirrorStatus =
  | { readonly phase: 'off' | 'waiting' | 'writing' }
  /** `skipped` is the number of paths taken by the user's own notes; the states there got other names. */
  | { readonly phase: 'done'; readonly notes: number; readonly skipped: number }
  | { readonly phase: 'failed'; readonly error: string };

export interface MirrorOptions {
  readonly app: App;
  readonly savepoint: Store<Savepoint | undefined>;
  readonly clock: Clock;
  readonly yieldToHost: () => Promise<void>;
  readonly report: (error: unknown) => void;
}

/** The values that a note was written from when it was last known to be up to date. */
type KnownNote = Pick<MirrorNote, 'workspaceName'> & Pick<Named<State>, 'entity' | 'displayName'>;

interface Comparison {
  readonly present: ReadonlyMap<string, TFile>;
  readonly wanted: ReadonlySet<string>;
  readonly stale: readonly { readonly note: MirrorNote; readonly file: TFile | undefined }[];
}

/**
 * Writes the states as notes into the vault, so that its graph, search and bases include them, if the user has turned this on for
 * the device. The notes are never read back into the memory.
 */
export class NoteMirror {
  readonly #app: App;
  readonly #savepoint: Store<Savepoint | undefined>;
  readonly #clock: Clock;
  readonly #report: (error: unknown) => void;
  readonly #scheduler: Scheduler;
  readonly #isOn: WritableStore<boolean>;
  readonly #status = createStore<MirrorStatus>({ phase: 'off' });
  /** Notes known to be up to date, by lower-case path, because some disks ignore case. */
  readonly #known = new Map<string, KnownNote>();
  /** Paths of the user's own notes. */
  readonly #skipped = new Set<VaultPath>();
  /** Paths that this mirror is writing. */
  readonly #writing = new Set<VaultPath>();
  /** Lower-case paths of notes that someone else has changed since they were last known to be up to date. */
  readonly #changed = new Set<string>();
  #isStarted = false;
  #isDue = false;
  #running: Promise<void> | undefined;
  #cancel: () => void = () => undefined;

  constructor({ app, savepoint, clock, yieldToHost, report }: MirrorOptions) {
    this.#app = app;
    this.#savepoint = savepoint;
    this.#clock = clock;
    this.#report = report;
    this.#scheduler = new Scheduler(clock, yieldToHost);
    this.#isOn = createStore(app.loadLocalStorage(KEY) === true);
  }

  get isOn(): Store<boolean> {
    return this.#isOn;
  }

  get status(): Store<MirrorStatus> {
    return this.#status;
  }

  /** Turns the mirror on or off on this device. Existing notes stay when it is turned off. */
  turn(on: boolean): void {
    this.#app.saveLocalStorage(KEY, on ? true : null);
    this.#isOn.set(on);
    this.#cancel();
    this.#status.set({ phase: on ? 'waiting' : 'off' });
    if (on && this.#isStarted) this.#run();
  }

  /** Moves the mirror's unedited notes to the trash and returns their number. Call it only while the mirror is off. */
  async clear(): Promise<number> {
    await this.#running;
    const opened = this.#savepoint.get();
    if (!opened) return 0;
    let removed = 0;
    const memory = opened.memory.get();
    const folder = this.#app.vault.getFolderByPath(mirrorFolder(opened.services.dataFolder));
    for (const file of notesIn(folder).values())
      if (await this.#removeLeftOver(file, memory)) removed++;
    return removed;
  }

  /** Resolves when nothing is being written. */
  whenIdle(): Promise<void> {
    return this.#running ?? Promise.resolve();
  }

  /** Starts following the memory and the notes; returns a function that stops. */
  start(): () => void {
    const { vault } = this.#app;
    this.#isStarted = true;
    if (this.#isOn.get()) this.#status.set({ phase: 'waiting' });
    let stopFollowing = this.#follow();
    const stopWatching = this.#savepoint.subscribe(() => {
      stopFollowing();
      stopFollowing = this.#follow();
    });
    const onChange = (file: TAbstractFile, oldPath?: string) => this.#onFileEvent(file, oldPath);
    const events: EventRef[] = [
      vault.on('create', onChange),
      vault.on('modify', onChange),
      vault.on('delete', onChange),
      vault.on('rename', onChange),
    ];
    return () => {
      this.#isStarted = false;
      this.#cancel();
      stopWatching();
      stopFollowing();
      for (const event of events) vault.offref(event);
    };
  }

  #schedule(): void {
    this.#cancel();
    if (this.#isStarted && this.#isOn.get())
      this.#cancel = this.#clock.after(WRITE_DEBOUNCE_MS, () => this.#run());
  }

  #run(): void {
    this.#isDue = true;
    this.#running ??= this.#runPasses().finally(() => {
      this.#running = undefined;
    });
  }

  /** Runs one pass at a time; changes during a pass are left for the next one. */
  async #runPasses(): Promise<void> {
    while (this.#isDue) {
      this.#isDue = false;
      const opened = this.#savepoint.get();
      if (!this.#isWanted(opened)) return;
      this.#status.set({ phase: 'writing' });
      try {
        const notes = await this.#pass(opened);
        if (notes !== undefined)
          this.#status.set({ phase: 'done', notes, skipped: this.#skipped.size });
      } catch (error) {
        this.#report(error);
        const why = error instanceof Error ? error.message : String(error);
        this.#status.set({
          phase: 'failed',
          error: text.settings.mirrorFailed(mirrorFolder(opened.services.dataFolder), why),
        });
      }
    }
  }

  #isWanted(opened: Savepoint | undefined): opened is Savepoint {
    return (
      this.#isStarted &&
      this.#isOn.get() &&
      opened !== undefined &&
      opened === this.#savepoint.get() &&
      opened.memoryStatus.get().phase === 'ready'
    );
  }

  /** Writes outdated notes and removes leftover ones. Returns the number of notes; undefined if the pass was stopped. */
  async #pass(opened: Savepoint): Promise<number | undefined> {
    const folder = mirrorFolder(opened.services.dataFolder);
    const memory = opened.memory.get();
    const found = await this.#compare(opened, memory, folder);
    if (!found) return undefined;
    const failures: unknown[] = [];
    for (const { note, file } of found.stale) {
      await this.#scheduler.yieldIfDue();
      if (!this.#isWanted(opened)) return undefined;
      await this.#write(note, file).catch((error: unknown) => failures.push(error));
      if (failures.length >= MAX_FAILURES) break;
    }
    for (const [key, file] of found.present) {
      if (!this.#isWanted(opened)) return undefined;
      if (!found.wanted.has(key)) await this.#removeLeftOver(file, memory);
    }
    if (failures.length > 0) throw failures[0];
    return found.wanted.size;
  }

  /**
   * Compares every note with its expected text. If the user's own notes occupy some paths, assigns new names that avoid them.
   * Returns undefined if the pass was stopped.
   */
  async #compare(
    opened: Savepoint,
    memory: Memory,
    folder: VaultPath,
  ): Promise<Comparison | undefined> {
    for (;;) {
      const present = notesIn(this.#app.vault.getFolderByPath(folder));
      const wanted = new Set<string>();
      const stale: Comparison['stale'][number][] = [];
      const skippedBefore = this.#skipped.size;
      for (const note of mirrorNotes(memory, folder, this.#skipped)) {
        await this.#scheduler.yieldIfDue();
        if (!this.#isWanted(opened)) return undefined;
        if (!note) continue;
        const key = note.path.toLowerCase();
        const file = present.get(key);
        wanted.add(key);
        if (file && isAsKnown(this.#known.get(key), note)) continue;
        if (await this.#isStale(note, file)) stale.push({ note, file });
      }
      if (this.#skipped.size === skippedBefore) return { present, wanted, stale };
    }
  }

  async #isStale(note: MirrorNote, file: TFile | undefined): Promise<boolean> {
    if (!file) return true;
    const content = await this.#app.vault.read(file);
    const mark = readMark(content);
    if (!mark) {
      this.#skipped.add(note.path);
      return false;
    }
    if (content !== mirrorText(note) && !this.#isByAnotherDevice(mark, note)) return true;
    this.#remember(note);
    return false;
  }

  /** Returns true for a note that another device wrote. It may know more or less than this one; they would overwrite each other forever. */
  #isByAnotherDevice({ id, isUntouched }: MirrorMark, { path, state }: MirrorNote): boolean {
    return this.#changed.has(path.toLowerCase()) && isUntouched && id === state.item.id;
  }

  #remember({ path, state: { entity, displayName }, workspaceName }: MirrorNote): void {
    const key = path.toLowerCase();
    this.#changed.delete(key);
    this.#known.set(key, { entity, displayName, workspaceName });
  }

  async #write(note: MirrorNote, file: TFile | undefined): Promise<void> {
    const path = file?.path ?? note.path;
    this.#writing.add(path);
    try {
      if (file)
        await this.#app.vault.process(file, (content) =>
          readMark(content) ? mirrorText(note) : content,
        );
      else await this.#create(path, mirrorText(note));
      this.#remember(note);
    } finally {
      this.#writing.delete(path);
    }
  }

  async #create(path: VaultPath, content: string): Promise<void> {
    const { vault } = this.#app;
    const folder = path.slice(0, path.lastIndexOf('/'));
    // The app may not know yet about a folder that another program created.
    if (!vault.getFolderByPath(folder) && !(await vault.adapter.exists(folder)))
      await vault.createFolder(folder);
    await vault.create(path, content);
  }

  /** Moves a note to the trash if it is unedited and its state is known, and then its folder if that is empty. */
  async #removeLeftOver(file: TFile, memory: Memory): Promise<boolean> {
    const { vault, fileManager } = this.#app;
    await this.#scheduler.yieldIfDue();
    if (!isStaleNote(await vault.read(file), memory)) return false;
    const { parent } = file;
    await fileManager.trashFile(file);
    this.#known.delete(file.path.toLowerCase());
    if (parent?.children.length === 0) await fileManager.trashFile(parent);
    return true;
  }

  /** Schedules another check of notes that someone else has changed. */
  #onFileEvent(file: TAbstractFile, oldPath?: string): void {
    const opened = this.#savepoint.get();
    if (!opened || this.#writing.has(file.path)) return;
    const folder = mirrorFolder(opened.services.dataFolder);
    const paths = [file.path, ...(oldPath === undefined ? [] : [oldPath])].filter((path) =>
      isWithin(path, folder),
    );
    for (const path of paths) {
      const key = path.toLowerCase();
      this.#known.delete(key);
      this.#changed.add(key);
      this.#skipped.delete(path);
    }
    if (paths.length > 0) this.#schedule();
  }

  #follow(): () => void {
    const opened = this.#savepoint.get();
    this.#known.clear();
    this.#skipped.clear();
    if (!opened) return () => undefined;
    const stops = [opened.memoryStatus, opened.memory].map((store) =>
      store.subscribe(() => this.#schedule()),
    );
    this.#schedule();
    return () => stops.forEach((stop) => stop());
  }
}

function isAsKnown(known: KnownNote | undefined, { state, workspaceName }: MirrorNote): boolean {
  return (
    known?.entity === state.entity &&
    known.displayName === state.displayName &&
    known.workspaceName === workspaceName
  );
}

/** Returns every note below a folder by its lower-case path. */
function notesIn(folder: TFolder | null): Map<string, TFile> {
  const found = new Map<string, TFile>();
  const folders = folder ? [folder] : [];
  for (const each of folders) {
    for (const child of each.children) {
      if (child instanceof TFolder) folders.push(child);
      else if (child instanceof TFile && child.extension === 'md')
        found.set(child.path.toLowerCase(), child);
    }
  }
  return found;
}
