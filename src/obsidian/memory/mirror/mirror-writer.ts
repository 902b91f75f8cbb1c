import type { App, TFile } from 'obsidian';
import type { Memory } from '../../../model/memory.js';
import { mapEntries } from '../../../model/persistent-map.js';
import type { VaultPath } from '../../../model/paths.js';
import type { Clock } from '../../../platform/clock.js';
import type { Scheduler } from '../../../platform/scheduler.js';
import { markId, mirrorText } from '../../../transfer/mirror/mirror-text.js';
import { isOwnTasksNote } from '../../../transfer/mirror/task-note.js';
import { removeBase, writeBase } from './base-file.js';
import { KnownNotes } from './known-notes.js';
import { MirrorFiles, type EditedCopy } from './mirror-files.js';
import { TaskNotes } from './task-notes.js';
import { isReplaceable, NoteComparer, type MirrorPass, type StaleNote } from './note-comparer.js';

/** Number of notes that may fail before a pass stops. */
const MAX_FAILURES = 5;

interface MirrorPassResult {
  /** Undefined if the pass was stopped. */
  readonly counts: MirrorCounts | undefined;
  /** Edited notes that were renamed, even if the pass failed or was stopped. */
  readonly edited: readonly EditedCopy[];
  readonly failures: readonly unknown[];
  /** True if a note was changed while it was to be written, so that another pass is due. */
  readonly isRepeatDue: boolean;
}

export interface MirrorCounts {
  readonly notes: number;
  /** Number of paths occupied by the user's own notes; those states' notes got other names. */
  readonly skipped: number;
  /** Number of edited notes that are left alone. */
  readonly leftAlone: number;
}

/** Updates the mirror's notes. What it wrote is known until the plugin closes, then by marks. */
export class MirrorWriter {
  readonly #files: MirrorFiles;
  readonly #scheduler: Scheduler;
  readonly #known = new KnownNotes();
  readonly tasks: TaskNotes;
  readonly #comparer: NoteComparer;

  constructor(app: App, clock: Clock, scheduler: Scheduler) {
    this.#files = new MirrorFiles(app);
    this.tasks = new TaskNotes(app, this.#files, clock);
    this.#scheduler = scheduler;
    this.#comparer = new NoteComparer(this.#files, scheduler, this.#known);
  }

  /** Forgets everything about the notes, so that the next pass reads them. */
  reset(): void {
    this.#known.clear();
  }

  /** Records that a file was changed. Returns false if the mirror itself made the change. */
  onChanged(path: VaultPath): boolean {
    if (this.#files.isBusy(path)) return false;
    this.#files.onChanged(path);
    this.#known.setChanged(path);
    return true;
  }

  /** Writes outdated notes, renames edited ones, and removes untouched ones that no state needs. */
  async run(pass: MirrorPass): Promise<MirrorPassResult> {
    const edited: EditedCopy[] = [];
    const failures: unknown[] = [];
    let isRepeatDue = false;
    const found = await this.#comparer.compare(pass);
    const end = (counts?: MirrorCounts) => ({ counts, edited, failures, isRepeatDue });
    if (!found) return end();
    this.tasks.follow(found.tasks, this.#known.skipped);
    const attempt = (task: Promise<boolean>) =>
      task.catch((error: unknown) => {
        failures.push(error);
        return true;
      });
    for (const stale of found.stale) {
      await this.#scheduler.yieldIfDue();
      if (!pass.isWanted()) return end();
      if (!(await attempt(this.#write(stale, edited)))) isRepeatDue = true;
      if (failures.length >= MAX_FAILURES) break;
    }
    const created = found.stale.flatMap(({ note }) => (note.kind === 'tasks' ? [note] : []));
    this.tasks.follow([...found.tasks, ...created], this.#known.skipped);
    for (const file of found.leftOver) {
      if (!pass.isWanted()) return end();
      await attempt(this.#removeUntouched(file, pass.memory));
    }
    await attempt(this.#files.trashEmptyFolders(pass.folder).then(() => true));
    const [firstRecords] = mapEntries(pass.memory.records);
    if (firstRecords) await attempt(writeBase(this.#files, pass.folder));
    const { notes, leftAlone } = found;
    return end({ notes, leftAlone, skipped: this.#known.skipped.size });
  }

  /** Moves untouched notes and the base to the trash, and returns the number of notes. */
  async removeAll({ memory, folder }: Omit<MirrorPass, 'isWanted'>): Promise<number> {
    let removed = 0;
    await removeBase(this.#files, folder);
    for (const file of this.#files.list(folder).values())
      if (await this.#removeUntouched(file, memory)) removed++;
    await this.#files.trashEmptyFolders(folder);
    return removed;
  }

  /** Gives an edited note its name back as the user's own. Returns false if one has changed. */
  async putBack({ path, copy }: EditedCopy): Promise<boolean> {
    const file = this.#files.find(copy);
    const written = this.#files.find(path);
    if (!file) return false;
    if (written) {
      const { read, content } = await this.#comparer.read(written);
      if (read?.kind !== 'untouched' || this.#files.hasUnsavedText(written, content)) return false;
      await this.#files.trash(written);
    }
    await this.#files.putBack(file, path);
    this.#known.forget(path);
    return true;
  }

  /** Writes a note unless the user is typing in it; false if it changed since it was read. */
  async #write({ note, present }: StaleNote, edited: EditedCopy[]): Promise<boolean> {
    const { read } = present ?? {};
    const isOwnText = read !== undefined && read.kind !== 'edited';
    const additions = isOwnText && read.id === markId(note) ? read.additions : undefined;
    const { text, hash } = await mirrorText(note, additions);
    if (present && isOwnText) {
      // saving it starts the next pass
      if (this.#files.hasUnsavedText(present.file, present.content)) return true;
      if (!(await this.#files.replace(present.file, present.content, text))) return false;
    } else {
      if (present) edited.push(await this.#keepEdited(present.file));
      await this.#files.create(note.path, text);
    }
    this.#known.remember(note, hash);
    return true;
  }

  async #keepEdited(file: TFile): Promise<EditedCopy> {
    const { path } = file;
    const copy = await this.#files.keepEdited(file);
    this.#known.countCopy(path);
    return copy;
  }

  async #removeUntouched(file: TFile, memory: Memory): Promise<boolean> {
    await this.#scheduler.yieldIfDue();
    const { read, content } = await this.#comparer.read(file);
    const isOwn = read ? isReplaceable(read, memory) : isOwnTasksNote(content, memory);
    if (!isOwn) return false;
    if (this.#files.hasUnsavedText(file, content)) return false;
    const { path } = file;
    await this.#files.trash(file);
    this.#known.forget(path);
    return true;
  }
}
