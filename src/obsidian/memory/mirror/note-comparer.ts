import { parseYaml, type TFile } from 'obsidian';
import { entityOf, type Memory } from '../../../model/memory.js';
import type { VaultPath } from '../../../model/paths.js';
import type { Scheduler } from '../../../platform/scheduler.js';
import {
  mirrorNotes,
  type MirrorNote,
  type TasksNote,
} from '../../../transfer/mirror/mirror-notes.js';
import {
  markId,
  mirrorText,
  readMirrorFile,
  type MirrorFile,
} from '../../../transfer/mirror/mirror-text.js';
import { isTasksNote, workspaceOfTasks } from '../../../transfer/mirror/task-note.js';
import { markedItem, withLinksOfApp } from './known-note.js';
import type { KnownNotes } from './known-notes.js';
import type { MirrorFiles } from './mirror-files.js';

export interface MirrorPass {
  readonly memory: Memory;
  readonly folder: VaultPath;
  /** Returns false once the pass should stop. */
  readonly isWanted: () => boolean;
}

export interface PresentNote {
  readonly file: TFile;
  readonly content: string;
  /** Undefined for the user's own note. */
  readonly read: MirrorFile | undefined;
}

export interface StaleNote {
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
  /** Notes of tasks that are there, and are merged. */
  readonly tasks: readonly TasksNote[];
}

/** Compares the notes in the mirror's folder with the memory. */
export class NoteComparer {
  readonly #files: MirrorFiles;
  readonly #scheduler: Scheduler;
  readonly #known: KnownNotes;

  constructor(files: MirrorFiles, scheduler: Scheduler, known: KnownNotes) {
    this.#files = files;
    this.#scheduler = scheduler;
    this.#known = known;
  }

  /** Compares each note with its text, and moves notes. Returns undefined if it was stopped. */
  async compare(pass: MirrorPass): Promise<Comparison | undefined> {
    for (;;) {
      const skippedBefore = this.#known.skipped.size;
      const wanted = await this.#collect(pass);
      const found = wanted && (await this.#compareWith(wanted, pass));
      if (!found) return found;
      for (const [path, file] of found.moves) {
        this.#known.forget(file.path);
        await this.#files.move(file, path);
      }
      if (found.moves.size === 0 && this.#known.skipped.size === skippedBefore) return found;
    }
  }

  async #collect({ memory, folder, isWanted }: MirrorPass): Promise<WantedNotes | undefined> {
    const wanted: WantedNotes = { byPath: new Map(), byId: new Map() };
    for (const note of mirrorNotes(memory, folder, this.#known.skipped)) {
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
    const tasks: TasksNote[] = [];
    let leftAlone = 0;
    for (const [key, file] of files) {
      await this.#scheduler.yieldIfDue();
      if (!isWanted()) return undefined;
      const note = byPath.get(key);
      if (note?.kind === 'tasks') {
        const content = await this.#files.read(file);
        const isOpen = this.#files.view(file)?.isOpen ?? false;
        if (isOpen || content.trim() === '' || isTasksNote(content, markId(note), note.tasks))
          tasks.push(note);
        else this.#known.skip(note.path);
        continue;
      }
      if (note && (await this.#isCurrent(note, file))) continue;
      const present = await this.read(file, byId, note);
      const { read, content } = present;
      const id = read?.kind === 'extended' ? read.id : workspaceOfTasks(content);
      const place = byId.get(id ?? '');
      if (place && place !== note && !files.has(place.path.toLowerCase()))
        moves.set(place.path, file);
      else if (!note) leftOver.push(file);
      else if (this.#known.isLeftAlone(note, read)) leftAlone++;
      else if (await this.#isStale(note, present, memory)) stale.push({ note, present });
    }
    for (const [key, note] of byPath)
      if (note.kind === 'tasks' && !files.has(key) && !hasListed(note)) byPath.delete(key);
      else if (!files.has(key)) stale.push({ note, present: undefined });
    return { notes: byPath.size - leftAlone, leftAlone, stale, leftOver, moves, tasks };
  }

  /** Returns true if the note has the expected text, as most do. Faster than parsing the note. */
  async #isCurrent(note: MirrorNote, file: TFile): Promise<boolean> {
    if (this.#known.has(note)) return true;
    const { text, hash } = await mirrorText(note);
    if (text !== (await this.#files.read(file))) return false;
    this.#known.remember(note, hash);
    return true;
  }

  async read(file: TFile, byId?: WantedNotes['byId'], note?: MirrorNote): Promise<PresentNote> {
    const content = await this.#files.read(file);
    const read = await readMirrorFile(
      content,
      (yaml): unknown => parseYaml(yaml),
      (id) => markedItem(byId?.get(id)),
    );
    return { file, content, read: note ? await withLinksOfApp(note, content, read) : read };
  }

  /** Returns true if the note must be written again. Skips its path if it must not be changed. */
  async #isStale(note: MirrorNote, { read }: PresentNote, memory: Memory): Promise<boolean> {
    const isOfState = read?.id === markId(note);
    if (!read || (!isOfState && !isReplaceable(read, memory))) {
      this.#known.skip(note.path);
      return false;
    }
    if (!isOfState || read.kind === 'edited') return true;
    const { hash } = await mirrorText(note);
    if (read.hash !== hash && !this.#known.isByAnotherDevice(read, note)) return true;
    this.#known.remember(note, read.hash);
    return false;
  }
}

function hasListed({ tasks }: TasksNote): boolean {
  return [...tasks.values()].some(({ isListed }) => isListed);
}

/** Returns true for an untouched note whose item the memory has: it can be written again. */
export function isReplaceable({ id, kind }: MirrorFile, memory: Memory): boolean {
  return kind === 'untouched' && entityOf(memory, id).created !== undefined;
}
