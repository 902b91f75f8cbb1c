import { parseYaml, type App, type TFile } from 'obsidian';
import { entityOf, type Memory } from '../../../model/memory.js';
import type { VaultPath } from '../../../model/paths.js';
import { mapEntries } from '../../../model/persistent-map.js';
import type { Scheduler } from '../../../platform/scheduler.js';
import { mirrorNotes, type MirrorNote } from '../../../transfer/mirror-notes.js';
import {
  markId,
  mirrorText,
  readMirrorFile,
  type MirrorFile,
} from '../../../transfer/mirror-text.js';
import { removeBase, writeBase } from './base-file.js';
import { isAsKnown, knownNote, markedItem, withLinksOfApp, type KnownNote } from './known-note.js';
import { MirrorFiles, type EditedCopy } from './mirror-files.js';

/** Number of notes that may fail before a pass stops. */
const MAX_FAILURES = 5;

/**
 * Maximum number of copies of an edited note. After that, the note is left alone, because another
 * program probably changes it each time it is written.
 */
const MAX_COPIES_PER_NOTE = 3;

/** Input of a pass. */
interface MirrorPass {
  readonly memory: Memory;
  /** Folder of the notes. */
  readonly folder: VaultPath;
  /** Returns false once the pass should stop. */
  readonly isWanted: () => boolean;
}

interface MirrorPassResult {
  /** Undefined if the pass was stopped. */
  readonly counts: MirrorCounts | undefined;
  /** Edited notes that were renamed, even if the pass failed or was stopped. */
  readonly edited: readonly EditedCopy[];
  /** Why some notes could not be written. */
  readonly failures: readonly unknown[];
  /** True if a note was changed while it was to be written, so that another pass is due. */
  readonly isRepeatDue: boolean;
}

export interface MirrorCounts {
  readonly notes: number;
  /**
   * Number of paths that the user's own notes occupy; the notes of those states got other names.
   */
  readonly skipped: number;
  /** Number of edited notes that are left alone. */
  readonly leftAlone: number;
}

/** A note in the folder. */
interface PresentNote {
  readonly file: TFile;
  readonly content: string;
  /** Undefined for the user's own note. */
  readonly read: MirrorFile | undefined;
}

interface StaleNote {
  readonly note: MirrorNote;
  readonly present: PresentNote | undefined;
}

/** The notes that a memory has. */
interface WantedNotes {
  /** By lower-case path. */
  readonly byPath: Map<string, MirrorNote>;
  /** By the id in the mark. */
  readonly byId: Map<string, MirrorNote>;
}

interface Comparison {
  readonly notes: number;
  readonly leftAlone: number;
  readonly stale: readonly StaleNote[];
  /** Notes at paths that no state has. */
  readonly leftOver: readonly TFile[];
  /** Notes with additions of the user whose state now has another path. */
  readonly moves: ReadonlyMap<VaultPath, TFile>;
}

/**
 * Brings the mirror's notes up to date. Remembers what it wrote only until the plugin is closed;
 * later, the marks in the notes show it.
 */
export class MirrorWriter {
  readonly #files: MirrorFiles;
  readonly #scheduler: Scheduler;
  /** Notes known to be up to date, by lower-case path, because some disks ignore case. */
  readonly #known = new Map<string, KnownNote>();
  /** Paths of the user's own notes. */
  readonly #skipped = new Set<VaultPath>();
  /** Last known hash of each note that someone else has changed since, by lower-case path. */
  readonly #changed = new Map<string, string | undefined>();
  /** Number of copies made of edited notes, by lower-case path. */
  readonly #copies = new Map<string, number>();

  constructor(app: App, scheduler: Scheduler) {
    this.#files = new MirrorFiles(app);
    this.#scheduler = scheduler;
  }

  /** Forgets everything about the notes, so that the next pass reads them. */
  reset(): void {
    this.#known.clear();
    this.#skipped.clear();
    this.#changed.clear();
    this.#copies.clear();
  }

  /** Records that a file was changed. Returns false if the mirror itself made the change. */
  onChanged(path: VaultPath): boolean {
    if (this.#files.isBusy(path)) return false;
    const key = path.toLowerCase();
    this.#changed.set(key, this.#known.get(key)?.hash ?? this.#changed.get(key));
    this.#known.delete(key);
    this.#skipped.delete(path);
    return true;
  }

  /**
   * Writes outdated notes, keeps edited ones under another name, and removes untouched ones that no
   * state needs.
   */
  async run(pass: MirrorPass): Promise<MirrorPassResult> {
    const edited: EditedCopy[] = [];
    const failures: unknown[] = [];
    let isRepeatDue = false;
    const end = (counts?: MirrorCounts) => ({ counts, edited, failures, isRepeatDue });
    const found = await this.#compare(pass);
    if (!found) return end();
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
    for (const file of found.leftOver) {
      if (!pass.isWanted()) return end();
      await attempt(this.#removeUntouched(file, pass.memory));
    }
    const [firstRecords] = mapEntries(pass.memory.records);
    if (firstRecords) await attempt(writeBase(this.#files, pass.folder));
    const { notes, leftAlone } = found;
    return end({ notes, leftAlone, skipped: this.#skipped.size });
  }

  /** Moves untouched notes and the base to the trash, and returns the number of notes. */
  async removeAll({ memory, folder }: Omit<MirrorPass, 'isWanted'>): Promise<number> {
    let removed = 0;
    await removeBase(this.#files, folder);
    for (const file of this.#files.list(folder).values())
      if (await this.#removeUntouched(file, memory)) removed++;
    return removed;
  }

  /**
   * Gives an edited note its name back and makes it the user's own. The mirror's note with that
   * name goes to the trash. Returns false, without changing anything, if the edited note was moved
   * or the mirror's note was changed since.
   */
  async putBack({ path, copy }: EditedCopy): Promise<boolean> {
    const file = this.#files.find(copy);
    const written = this.#files.find(path);
    if (!file) return false;
    if (written) {
      const { read, content } = await this.#read(written);
      if (read?.kind !== 'untouched' || this.#files.hasUnsavedText(written, content)) return false;
      await this.#files.trash(written);
    }
    await this.#files.putBack(file, path);
    this.#known.delete(path.toLowerCase());
    return true;
  }

  /**
   * Compares every note with its expected text. Moves a note with additions of the user if its
   * state now has another path. If the user's own note occupies the path of a state, gives the
   * state's note another name. Returns undefined if the pass was stopped.
   */
  async #compare(pass: MirrorPass): Promise<Comparison | undefined> {
    for (;;) {
      const skippedBefore = this.#skipped.size;
      const wanted = await this.#collect(pass);
      const found = wanted && (await this.#compareWith(wanted, pass));
      if (!found) return undefined;
      for (const [path, file] of found.moves) {
        this.#known.delete(file.path.toLowerCase());
        await this.#files.move(file, path);
      }
      if (found.moves.size === 0 && this.#skipped.size === skippedBefore) return found;
    }
  }

  async #collect({ memory, folder, isWanted }: MirrorPass): Promise<WantedNotes | undefined> {
    const wanted: WantedNotes = { byPath: new Map(), byId: new Map() };
    for (const note of mirrorNotes(memory, folder, this.#skipped)) {
      await this.#scheduler.yieldIfDue();
      if (!isWanted()) return undefined;
      if (!note) continue;
      wanted.byPath.set(note.path.toLowerCase(), note);
      wanted.byId.set(markId(note), note);
    }
    return wanted;
  }

  async #compareWith(
    { byPath, byId }: WantedNotes,
    { memory, folder, isWanted }: MirrorPass,
  ): Promise<Comparison | undefined> {
    const files = this.#files.list(folder);
    const stale: StaleNote[] = [];
    const leftOver: TFile[] = [];
    const moves = new Map<VaultPath, TFile>();
    let leftAlone = 0;
    for (const [key, file] of files) {
      await this.#scheduler.yieldIfDue();
      if (!isWanted()) return undefined;
      const note = byPath.get(key);
      if (note && (await this.#isCurrent(note, file))) continue;
      const present = await this.#read(file, byId, note);
      const place = present.read?.kind === 'extended' ? byId.get(present.read.id) : undefined;
      if (place && place !== note && !files.has(place.path.toLowerCase()))
        moves.set(place.path, file);
      else if (!note) leftOver.push(file);
      else if (this.#isLeftAlone(note, present)) leftAlone++;
      else if (await this.#isStale(note, present, memory)) stale.push({ note, present });
    }
    for (const [key, note] of byPath) if (!files.has(key)) stale.push({ note, present: undefined });
    return { notes: byPath.size - leftAlone, leftAlone, stale, leftOver, moves };
  }

  /**
   * Returns true if the note has exactly the expected text. Most notes do, and this check is faster
   * than parsing the note.
   */
  async #isCurrent(note: MirrorNote, file: TFile): Promise<boolean> {
    if (isAsKnown(this.#known.get(note.path.toLowerCase()), note)) return true;
    const { text, hash } = await mirrorText(note);
    if (text !== (await this.#files.read(file))) return false;
    this.#remember(note, hash);
    return true;
  }

  async #read(file: TFile, byId?: WantedNotes['byId'], note?: MirrorNote): Promise<PresentNote> {
    const content = await this.#files.read(file);
    const read = await readMirrorFile(
      content,
      (yaml): unknown => parseYaml(yaml),
      (id) => markedItem(byId?.get(id)),
    );
    return { file, content, read: note ? await withLinksOfApp(note, content, read) : read };
  }

  #isLeftAlone(note: MirrorNote, { read }: PresentNote): boolean {
    const copies = this.#copies.get(note.path.toLowerCase()) ?? 0;
    return read?.kind === 'edited' && read.id === markId(note) && copies >= MAX_COPIES_PER_NOTE;
  }

  /**
   * Returns true if the note must be written again. If the mirror must not change it, skips its
   * path from now on.
   */
  async #isStale(note: MirrorNote, { read }: PresentNote, memory: Memory): Promise<boolean> {
    const isOfState = read?.id === markId(note);
    if (!read || (!isOfState && !isReplaceable(read, memory))) {
      this.#skipped.add(note.path);
      return false;
    }
    if (!isOfState || read.kind === 'edited') return true;
    const { hash } = await mirrorText(note);
    if (read.hash !== hash && !this.#isByAnotherDevice(read, note)) return true;
    this.#remember(note, read.hash);
    return false;
  }

  /**
   * Returns true if another device wrote the note. That device may know more or less than this one,
   * so the two would overwrite the note forever.
   */
  #isByAnotherDevice({ hash }: MirrorFile, { path }: MirrorNote): boolean {
    const key = path.toLowerCase();
    return this.#changed.has(key) && this.#changed.get(key) !== hash;
  }

  #remember(note: MirrorNote, hash: string): void {
    const key = note.path.toLowerCase();
    this.#changed.delete(key);
    this.#known.set(key, knownNote(note, hash));
  }

  /**
   * Writes a note, unless the user is typing in it. Resolves with false if it was changed since it
   * was read.
   */
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
    this.#remember(note, hash);
    return true;
  }

  async #keepEdited(file: TFile): Promise<EditedCopy> {
    const key = file.path.toLowerCase();
    const copy = await this.#files.keepEdited(file);
    this.#known.delete(key);
    this.#copies.set(key, (this.#copies.get(key) ?? 0) + 1);
    return copy;
  }

  async #removeUntouched(file: TFile, memory: Memory): Promise<boolean> {
    await this.#scheduler.yieldIfDue();
    const { read, content } = await this.#read(file);
    if (!read || !isReplaceable(read, memory)) return false;
    if (this.#files.hasUnsavedText(file, content)) return false;
    const key = file.path.toLowerCase();
    await this.#files.trash(file);
    this.#known.delete(key);
    return true;
  }
}

/**
 * Returns true for an untouched note whose state is in the memory, because it can be written again.
 * If the log does not know the state, the note may be its last copy.
 */
function isReplaceable({ id, kind }: MirrorFile, memory: Memory): boolean {
  return kind === 'untouched' && entityOf(memory, id).created !== undefined;
}
