import { checksum, editedValues, isTitle, readBoxes, valuesOf } from './task-line.js';
import { blockId, type NoteTasks, type TaskChange } from './task-list.js';
import { baseOf, mergeTasks, type LineClaim, type TaskBase, type TaskMerge } from './task-merge.js';
import { isAsWritten, markMerged, markOf } from './task-note.js';

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
  /** The lines of the note as it came from outside, before anything was typed here. */
  #received: ReadonlySet<string> = new Set();
  /** Tasks for words that were typed here, and then replaced from outside. */
  #rescued: readonly TaskChange[] = [];
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

  /** Looks at the note after each change that is typed here, so that new lines are known. */
  see({ text, cursor }: NoteView, now: number): void {
    this.#wasOpen = true;
    if (text === this.#text) return;
    this.#changedAt = now;
    this.#text = text;
    const boxes = readBoxes(text.split('\n'));
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
  look(
    view: NoteView,
    tasks: NoteTasks,
    now: number,
    createId: () => string,
    isElsewhere: (id: string) => boolean = () => false,
  ): TaskMerge {
    const { cursor, isOpen } = view;
    const lines = view.text.split(/\r?\n/u);
    const text = lines.join('\n');
    const hash = checksum([text]);
    const isOutside = text !== this.#text && (this.#text ?? this.#base['']?.[0]) !== hash;
    if (this.#text !== undefined && text !== this.#text) this.#changedAt = now;
    if (this.#wasOpen && !isOpen) this.#changedAt = -Infinity;
    this.#wasOpen = isOpen;
    if (isOutside) this.#receive(text, tasks, createId);
    this.#text = text;
    const isQuiet = now - this.#changedAt >= QUIET_MS;
    const isHere = (at: number) => cursor !== undefined && at >= cursor[0] && at <= cursor[1];
    const mayTell = (id: string) => now - (this.#toldAt.get(id) ?? -Infinity) >= MINUTE_MS;
    const missing = new Map<string, number>();
    const merged = mergeTasks({
      lines,
      base: this.#base,
      tasks,
      claims: this.#claims,
      isAsWritten: cursor === undefined && isAsWritten(text),
      isShared: isOutside || isAsWritten(text),
      isBusy: (at) => (isOpen ? isHere(at) : !isQuiet),
      isDue: (at, id) => (isQuiet || (isOpen && !isHere(at))) && (id === undefined || mayTell(id)),
      isNew: ({ raw, id = '' }) => !this.#received.has(raw) || isElsewhere(id),
      isRemoved: (id) => {
        const since = this.#missingSince.get(id) ?? now;
        missing.set(id, since);
        return ((!isOpen && isQuiet) || now - since >= MINUTE_MS) && mayTell(id);
      },
      createId,
    });
    for (const change of this.#rescued) merged.changes.push(change);
    this.#missingSince = missing;
    this.#base = { ...merged.base, '': [hash, markOf(text)] };
    this.#claims = merged.claims;
    // in an open note, each undo would only take the mark back
    if (!isOpen && !merged.isPending && merged.isSettled && merged.changes.length === 0)
      merged.out = markMerged(merged.out, isHere);
    return merged;
  }

  /** Records that events were written. */
  onTold(changes: readonly TaskChange[], now: number): void {
    this.#rescued = [];
    for (const { id, seen } of changes) {
      const line = blockId(id);
      const shared = this.#base[line]?.slice(seen?.length) ?? [];
      this.#toldAt.set(line, now);
      if (seen) this.#base = { ...this.#base, [line]: [...seen, ...shared] };
    }
  }

  /** Records that the note was written here, which is not typing. */
  onWritten(text: string): void {
    this.#text = text.replaceAll('\r\n', '\n');
    this.#base = { ...this.#base, '': [checksum([this.#text]), markOf(this.#text)] };
  }

  /** Accepts a text from outside, whose author may not know what the note had here meanwhile. */
  #receive(text: string, tasks: NoteTasks, createId: () => string): void {
    this.#rescued = this.#untold(text, tasks, createId);
    const isFromHere = markOf(text) === this.#base['']?.[1];
    const boxes = readBoxes(text.split('\n'));
    const titles = new Map(boxes.map((box) => [box.id, baseOf(valuesOf(box, ''))[0]]));
    const shared = Object.entries(this.#base).flatMap(([id, base]) => {
      const isOlder = !isFromHere && base[6] !== undefined && base[6] === titles.get(id);
      const known = isOlder ? base.slice(6, 9) : base.slice(3, 6);
      return known.length > 0 ? [[id, [...known, ...known]] as const] : [];
    });
    this.#base = Object.fromEntries(shared);
    this.#received = new Set(text.split('\n'));
  }

  /** Returns tasks for words that were typed here, of which neither log nor note knows. */
  #untold(text: string, tasks: NoteTasks, createId: () => string): TaskChange[] {
    const kept = readBoxes(text.split('\n')).map((box) => valuesOf(box, '')[0]);
    const titles = new Set([...kept, ...[...tasks.values()].map(({ values }) => values[0])]);
    return readBoxes((this.#text ?? '').split('\n')).flatMap((box) => {
      const values = valuesOf(box, 'open');
      const [title] = values;
      const isTold = titles.has(title) || this.#base[box.id ?? '']?.[0] === baseOf(values)[0];
      if (isTold || this.#received.has(box.raw) || !isTitle(title)) return [];
      return [{ id: createId(), values: box.id ? editedValues(title) : values }];
    });
  }
}
