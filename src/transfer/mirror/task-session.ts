import { readBoxes } from './task-line.js';
import { blockId, type NoteTasks, type TaskChange } from './task-list.js';
import { mergeTasks, type LineClaim, type TaskBase, type TaskMerge } from './task-merge.js';
import { isAsWritten, markMerged } from './task-note.js';

/** Time without typing after which a line counts although the cursor is in it. */
const QUIET_MS = 10_000;
const MINUTE_MS = 60_000;

/** A note of tasks as it is seen here. */
export interface NoteView {
  readonly text: string;
  /** First and last line of the selection; undefined if the note is not being edited. */
  readonly cursor: readonly [from: number, to: number] | undefined;
  /** True if a tab shows the note. */
  readonly isOpen: boolean;
}

/** Decides when a line of one note of tasks counts. Times are in milliseconds. */
export class TaskNoteSession {
  #base: TaskBase;
  #claims: readonly LineClaim[] = [];
  #text: string | undefined;
  #wasOpen = false;
  #changedAt = -Infinity;
  /** Time of the last event of each task, by block id. */
  readonly #toldAt = new Map<string, number>();
  #missingSince: ReadonlyMap<string, number> = new Map();

  constructor(base: TaskBase = {}) {
    this.#base = base;
  }

  get base(): TaskBase {
    return this.#base;
  }

  /** Looks at the note after each change, so that a new line is known while it is being typed. */
  see({ text, cursor, isOpen }: NoteView, now: number): void {
    if (this.#wasOpen && !isOpen) this.#changedAt = -Infinity;
    this.#wasOpen = isOpen;
    if (text === this.#text) return;
    if (this.#text !== undefined) this.#changedAt = now;
    this.#text = text;
    const boxes = readBoxes(text.split(/\r?\n/u));
    for (const claim of this.#claims) {
      const isThere = boxes.some(({ raw }) => raw === claim.raw);
      const typed = boxes.find(({ at, raw }) => {
        const isHere = cursor && at >= cursor[0] && at <= cursor[1];
        return isHere && !this.#claims.some((other) => other.raw === raw);
      });
      if (!isThere && typed) claim.raw = typed.raw;
    }
  }

  /** Merges the note with the tasks of its workspace. */
  look(view: NoteView, tasks: NoteTasks, now: number, createId: () => string): TaskMerge {
    this.see(view, now);
    const { text, cursor, isOpen } = view;
    const isQuiet = now - this.#changedAt >= QUIET_MS;
    const isHere = (at: number) => cursor !== undefined && at >= cursor[0] && at <= cursor[1];
    const mayTell = (id: string) => now - (this.#toldAt.get(id) ?? -Infinity) >= MINUTE_MS;
    const missing = new Map<string, number>();
    const merged = mergeTasks({
      lines: text.split(/\r?\n/u),
      base: this.#base,
      tasks,
      claims: this.#claims,
      isAsWritten: cursor === undefined && isAsWritten(text),
      isBusy: (at) => (isOpen ? isHere(at) : !isQuiet),
      isDue: (at, id) => (isQuiet || (isOpen && !isHere(at))) && (id === undefined || mayTell(id)),
      isRemoved: (id) => {
        const since = this.#missingSince.get(id) ?? now;
        missing.set(id, since);
        return ((!isOpen && isQuiet) || now - since >= MINUTE_MS) && mayTell(id);
      },
      createId,
    });
    this.#missingSince = missing;
    this.#base = merged.base;
    this.#claims = merged.claims;
    // in an open note, each undo would only take the mark back
    if (!isOpen && !merged.isPending && merged.isSettled && merged.changes.length === 0)
      merged.out = markMerged(merged.out, isHere);
    return merged;
  }

  /** Records that events were written. */
  onTold(changes: readonly TaskChange[], now: number): void {
    for (const { id, seen } of changes) {
      this.#toldAt.set(blockId(id), now);
      if (seen) this.#base = { ...this.#base, [blockId(id)]: seen };
    }
  }

  /** Records that the note was written here, which is not typing. */
  onWritten(text: string): void {
    this.#text = text;
  }
}
