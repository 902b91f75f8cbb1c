import type { App, EventRef, TAbstractFile } from 'obsidian';
import { isWithin, type VaultPath } from '../../../model/paths.js';
import { Refusal } from '../../../model/refusal.js';
import type { Clock } from '../../../platform/clock.js';
import { Mutex } from '../../../platform/mutex.js';
import { Scheduler } from '../../../platform/scheduler.js';
import { mirrorFolder } from '../../../transfer/mirror/mirror-notes.js';
import { noticeWithUndo } from '../../actions.js';
import type { Savepoint } from '../../savepoint.js';
import { createStore, type Store, type WritableStore } from '../../store.js';
import { text } from '../../i18n/index.js';
import type { EditedCopy } from './mirror-files.js';
import { MirrorWriter, type MirrorCounts } from './mirror-writer.js';

const KEY = 'savepoint-mirror';
const WRITE_DEBOUNCE_MS = 400;
/** Time after which a note of tasks in which something waits is looked at again. */
const LOOK_INTERVAL_MS = 1000;

export type MirrorStatus =
  | { readonly phase: 'off' | 'waiting' | 'writing' }
  | ({ readonly phase: 'done' } & MirrorCounts)
  | { readonly phase: 'failed'; readonly error: string };

export interface MirrorOptions {
  readonly app: App;
  readonly savepoint: Store<Savepoint | undefined>;
  readonly clock: Clock;
  readonly yieldToHost: () => Promise<void>;
  readonly report: (error: unknown) => void;
}

/** Writes states and records as notes if the user turned this on, and merges those of tasks. */
export class NoteMirror {
  readonly #app: App;
  readonly #savepoint: Store<Savepoint | undefined>;
  readonly #clock: Clock;
  readonly #report: (error: unknown) => void;
  readonly #writer: MirrorWriter;
  /** A pass, a removal and an undo exclude each other. */
  readonly #mutex = new Mutex();
  readonly #isOn: WritableStore<boolean>;
  readonly #status = createStore<MirrorStatus>({ phase: 'off' });
  #isStarted = false;
  #isDue = false;
  #cancel: () => void = () => undefined;
  #cancelLook: () => void = () => undefined;

  constructor({ app, savepoint, clock, yieldToHost, report }: MirrorOptions) {
    this.#app = app;
    this.#savepoint = savepoint;
    this.#clock = clock;
    this.#report = report;
    this.#writer = new MirrorWriter(app, clock, new Scheduler(clock, yieldToHost));
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
    if (!on) return;
    this.#writer.reset();
    if (this.#isStarted) this.#run();
  }

  /** Moves untouched notes to the trash and returns their number. The mirror must be off. */
  clear(): Promise<number> {
    return this.#mutex.run(async () => {
      const opened = this.#savepoint.get();
      if (!opened) return 0;
      const folder = mirrorFolder(opened.services.dataFolder);
      return this.#writer.removeAll({ memory: opened.memory.get(), folder });
    });
  }

  /** Resolves when nothing is being written. */
  whenIdle(): Promise<void> {
    return this.#mutex.run(() => Promise.resolve());
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
    let events: EventRef[] = [];
    let typing: EventRef | undefined;
    // Before, the app reports every file of the vault as created.
    this.#app.workspace.onLayoutReady(() => {
      if (!this.#isStarted) return;
      events = [
        vault.on('create', onChange),
        vault.on('modify', onChange),
        vault.on('delete', onChange),
        vault.on('rename', onChange),
      ];
      typing = this.#app.workspace.on('editor-change', (_, { file }) => {
        const opened = this.#savepoint.get();
        if (file && this.#isWanted(opened) && this.#writer.tasks.onTyped(file))
          this.#scheduleLook();
      });
    });
    return () => {
      this.#isStarted = false;
      this.#cancel();
      stopWatching();
      stopFollowing();
      for (const event of events) vault.offref(event);
      if (typing) this.#app.workspace.offref(typing);
      this.#cancelLook();
    };
  }

  #schedule(): void {
    this.#cancel();
    if (this.#isStarted && this.#isOn.get())
      this.#cancel = this.#clock.after(WRITE_DEBOUNCE_MS, () => this.#run());
  }

  #run(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    void this.#mutex.run(() => this.#runPass());
  }

  async #runPass(): Promise<void> {
    this.#isDue = false;
    const opened = this.#savepoint.get();
    if (!this.#isWanted(opened)) return;
    this.#status.set({ phase: 'writing' });
    const folder = mirrorFolder(opened.services.dataFolder);
    try {
      const { counts, edited, failures, isRepeatDue } = await this.#writer.run({
        memory: opened.memory.get(),
        folder,
        isWanted: () => this.#isWanted(opened),
      });
      this.#announce(opened, edited);
      await this.#mergeTasks();
      if (failures.length > 0) throw failures[0];
      if (counts) this.#status.set({ phase: 'done', ...counts });
      if (isRepeatDue) this.#schedule();
    } catch (error) {
      this.#report(error);
      const why = error instanceof Error ? error.message : String(error);
      this.#status.set({ phase: 'failed', error: text.settings.mirrorFailed(folder, why) });
    }
  }

  /** Merges the notes of tasks, and looks again as long as something waits. */
  async #mergeTasks(): Promise<void> {
    const opened = this.#savepoint.get();
    if (this.#isWanted(opened) && (await this.#writer.tasks.merge(opened))) this.#scheduleLook();
  }

  #scheduleLook(): void {
    this.#cancelLook();
    this.#cancelLook = this.#clock.after(LOOK_INTERVAL_MS, () => {
      this.#mutex.run(() => this.#mergeTasks()).catch(this.#report);
    });
  }

  /** Says where the edited notes are now, and offers to give them their names back. */
  #announce(opened: Savepoint, edited: readonly EditedCopy[]): void {
    const { kept, keptSeveral, notPutBack } = text.settings.mirror;
    const [first, ...others] = edited;
    if (!first) return;
    const copy = nameOf(first.copy);
    const message =
      others.length === 0 ? kept(nameOf(first.path), copy) : keptSeveral(copy, others.length);
    noticeWithUndo(opened, message, async () => {
      const [failed] = await this.#mutex.run(() => this.#putBack(edited));
      this.#schedule();
      if (failed) throw new Refusal(notPutBack(nameOf(failed.path), nameOf(failed.copy)));
    });
  }

  /** Returns the copies that could not be put back. */
  async #putBack(edited: readonly EditedCopy[]): Promise<EditedCopy[]> {
    const failed: EditedCopy[] = [];
    for (const each of edited) if (!(await this.#writer.putBack(each))) failed.push(each);
    return failed;
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

  /** Schedules another check of notes that someone else has changed. */
  #onFileEvent(file: TAbstractFile, oldPath?: string): void {
    const opened = this.#savepoint.get();
    if (!opened) return;
    const folder = mirrorFolder(opened.services.dataFolder);
    const paths = [file.path, ...(oldPath === undefined ? [] : [oldPath])];
    const changed = paths.filter((path) => isWithin(path, folder) && this.#writer.onChanged(path));
    if (changed.length > 0) this.#schedule();
  }

  #follow(): () => void {
    const opened = this.#savepoint.get();
    this.#writer.reset();
    if (!opened) return () => undefined;
    const stops = [opened.memoryStatus, opened.memory].map((store) =>
      store.subscribe(() => this.#schedule()),
    );
    this.#schedule();
    return () => stops.forEach((stop) => stop());
  }
}

/** Returns the name of a note without its extension. */
function nameOf(path: VaultPath): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/iu, '');
}
