import type { Version } from '../../model/register.js';
import {
  checksum,
  isTitle,
  readBoxes,
  taskLine,
  valuesOf,
  type Box,
  type TaskValues,
} from './task-line.js';
import {
  blockId,
  editedTask,
  type NoteTask,
  type NoteTasks,
  type TaskChange,
} from './task-list.js';
import { DONE_HEADING } from './task-note.js';

/**
 * By block id, the title (its checksum), status and due day that note and memory last agreed on,
 * then those in the note when another device could last have got it, and the ones before. `''` is
 * the note's checksum and that in its mark.
 */
export type TaskBase = Readonly<Record<string, readonly string[]>>;

/** A task that was created for a line that has no id yet. */
export interface LineClaim {
  readonly id: string;
  raw: string;
}

interface TaskNote {
  readonly lines: readonly string[];
  readonly base: TaskBase;
  readonly tasks: NoteTasks;
  readonly claims: readonly LineClaim[];
  /** True for a note as a device wrote it: the memory decides, and the base does not count. */
  readonly isAsWritten: boolean;
  /** True if another device can have the note as it is. */
  readonly isShared: boolean;
  /** Returns true for a line that must not be written now. */
  readonly isBusy: (at: number) => boolean;
  /** Returns true if a line may become an event now; `id` is undefined for a new one. */
  readonly isDue: (at: number, id: string | undefined) => boolean;
  /** Returns true for a line whose id is of no task that can arrive on this device. */
  readonly isNew: (box: Box) => boolean;
  /** Returns true if a task was removed, whose line is missing. */
  readonly isRemoved: (id: string) => boolean;
  readonly createId: () => string;
}

/** Merges what a person did to a note of tasks with what happened to the tasks. */
export function mergeTasks(note: TaskNote): TaskMerge {
  const merge = new TaskMerge(note);
  for (const box of merge.boxes) merge.mergeBox(box);
  merge.mergeMissing();
  return merge;
}

export function baseOf([title, status, due]: TaskValues): string[] {
  return [checksum([title]), status, due];
}

function titleHash(box: Box): string | undefined {
  return baseOf(valuesOf(box, ''))[0];
}

function isSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.every((value, at) => value === b[at]);
}

export class TaskMerge {
  /** Lines in place of each line: none if it is removed, several if others follow it. */
  out: string[][];
  readonly changes: TaskChange[] = [];
  readonly claims: LineClaim[] = [];
  /** Titles that cannot be those of tasks. */
  readonly refused: string[] = [];
  readonly base: Record<string, readonly string[]>;
  /** True if something waits for a line to be left, or for the time to pass. */
  isPending = false;
  /** False if a line cannot be merged, and stays as it is. */
  isSettled = true;
  readonly boxes: readonly Box[];
  readonly #note: TaskNote;
  /** The line of each task: of a line and its copies, the one as it was before. */
  readonly #owners = new Map<string | undefined, Box>();
  readonly #merged = new Set<string>();

  constructor(note: TaskNote) {
    this.#note = note;
    this.out = note.lines.map((line) => [line]);
    this.base = { ...note.base };
    const isAsBefore = (box: Box) => titleHash(box) === note.base[box.id ?? '']?.[0];
    const boxes = readBoxes(note.lines);
    const ids = new Set(boxes.map(({ id }) => id));
    this.boxes = boxes.map((box) => this.#withOwnId(box, ids));
    for (const box of this.boxes) {
      const owner = this.#owners.get(box.id);
      if (!owner || (!isAsBefore(owner) && isAsBefore(box))) this.#owners.set(box.id, box);
    }
  }

  /** Returns a box with the id of the only missing task that it can be if its id was changed. */
  #withOwnId(box: Box, ids: ReadonlySet<string | undefined>): Box {
    const { tasks, base, isNew } = this.#note;
    const { id, raw } = box;
    if (id === undefined || tasks.has(id)) return box;
    if (this.#note.claims.some((claim) => claim.raw === raw)) return { ...box, id: undefined };
    const from = raw.indexOf(` ^${id}`) + 2;
    const tail = raw.slice(from).trimEnd();
    const head = readBoxes([raw.slice(0, from - 2)]);
    const missing = [...tasks.keys()].filter((each) => base[each] && !ids.has(each));
    const repairs = missing.flatMap((own) => {
      let [start, end] = [0, own.length];
      while (start < end && own[start] === tail[start]) start++;
      while (end > start && tail.slice(start).endsWith(own.slice(end - 1))) end--;
      const words = tail.slice(start, tail.length - own.length + end);
      const read = readBoxes([`${raw.slice(0, from)}${own} ${words}`]);
      const isTitled = [...head, ...read].some((each) => titleHash(each) === base[own]?.[0]);
      return read.map((each) => ({ ...each, isTitled: isTitled && start - end + own.length > 4 }));
    });
    const titled = repairs.filter(({ isTitled }) => isTitled);
    const cut = repairs.filter((each) => each.id?.startsWith(id));
    const [found, other] = titled.length > 0 ? titled : cut;
    if (found && !other) return { ...found, at: box.at, raw };
    return isNew(box) ? { ...box, id: undefined } : box;
  }

  mergeBox(box: Box): void {
    const { tasks, createId } = this.#note;
    // its task has yet to arrive on this device
    if (box.id !== undefined && !tasks.has(box.id)) {
      this.isSettled = false;
      return;
    }
    const isOwner = box.id !== undefined && this.#owners.get(box.id)?.at === box.at;
    const claim = isOwner ? undefined : this.#claimOf(box);
    const id = isOwner ? box.id : ((claim && blockId(claim.id)) ?? this.#adopt(box));
    const task = tasks.get(id ?? '');
    if (claim) this.claims.push(claim);
    if (id !== undefined && task) {
      this.#merged.add(id);
      return this.#mergeTask(box, id, task);
    }
    const created = claim ?? { id: createId(), raw: box.raw };
    const isTold = this.#tell(box, id, created.id, valuesOf(box, 'open'));
    if (isTold && !claim) this.claims.push(created);
  }

  /** Archives tasks whose lines were removed, and adds lines for tasks that have none. */
  mergeMissing(): void {
    const { tasks, lines, isAsWritten, isRemoved } = this.#note;
    for (const [id, task] of tasks) {
      const { isListed, isShown, record } = task;
      if (isListed) for (const title of task.rivals) this.#keepTitle(task, title);
      if (this.#merged.has(id)) continue;
      if (!isListed) delete this.base[id];
      else if (lines.some((line) => line.includes(` ^${id}`))) continue;
      else if (isAsWritten || !this.base[id]) {
        if (isShown) this.#insert(taskLine(id, task.values, task.doneOn), task.values[1]);
      } else if (isRemoved(id)) this.changes.push({ id: record.id });
      else this.isPending = true;
    }
  }

  #claimOf({ raw }: Box): LineClaim | undefined {
    return this.#note.claims.find((claim) => claim.raw === raw && !this.claims.includes(claim));
  }

  /** Returns the id of a task without a line that has the title of a box. */
  #adopt(box: Box): string | undefined {
    const [title] = valuesOf(box, '');
    const claimed = new Set(this.#note.claims.map((claim) => blockId(claim.id)));
    const isFree = (id: string) =>
      !this.#owners.has(id) && !this.#merged.has(id) && !claimed.has(id);
    const found = [...this.#note.tasks].find(
      ([id, { isListed, values }]) => isListed && values[0] === title && isFree(id),
    );
    return found?.[0];
  }

  #mergeTask(box: Box, id: string, task: NoteTask): void {
    const before = this.#note.base[id];
    const own = valuesOf(box, before?.[1] ?? task.values[1]);
    const [ownBase, taskBase] = [baseOf(own), baseOf(task.values)];
    const known = this.#note.isAsWritten ? ownBase : before;
    const isOwn = ownBase.map((value, field) => value !== known?.[field]);
    const recordId = task.record.id;
    if (!task.isListed) {
      if (!isOwn.includes(true)) this.#write(box, []);
      else if (task.record.supersededBy === undefined) this.#tell(box, id, recordId, own);
      else this.isSettled = false;
      return;
    }
    const [title, status, due] = task.values.map((value, field) =>
      isOwn[field] ? own[field] : value,
    );
    const values: TaskValues = [title ?? '', status ?? '', due ?? ''];
    const agreed = taskBase.map((value, at) => (value === ownBase[at] ? value : known?.[at]));
    const last = before?.slice(3) ?? [];
    const shared =
      this.#note.isShared && !isSame(ownBase, last) ? [...ownBase, ...last.slice(0, 3)] : last;
    if (!agreed.includes(undefined)) this.base[id] = [...(agreed as string[]), ...shared];
    const isTold = !isSame(values, task.values) && this.#tell(box, id, recordId, values, own);
    const isConflict = isOwn[0] && taskBase[0] !== known?.[0] && taskBase[0] !== ownBase[0];
    if (isTold && isConflict) this.#keepTitle(task, task.title);
    if (!box.raw.trimEnd().endsWith(` ^${id}`) || !isSame(values, own))
      this.#write(box, [taskLine(id, values, task.doneOn, { box, own })]);
  }

  /** Creates a task for a title by another device, unless a device has. */
  #keepTitle(task: NoteTask, version: Version): void {
    const created = editedTask(task, version);
    const isKnown = [...this.#note.tasks.values()].some(({ record }) => record.id === created.id);
    if (!isKnown) this.changes.push(created);
  }

  /** Returns false if the event has to wait, or cannot be one. */
  #tell({ at }: Box, line: string | undefined, id: string, values: TaskValues, own = values) {
    const mayBe = isTitle(values[0]);
    const isDue = this.#note.isDue(at, line);
    if (!mayBe) this.isSettled = false;
    if (!isDue) this.isPending = true;
    else if (mayBe) this.changes.push({ id, values, seen: baseOf(own) });
    else this.refused.push(values[0]);
    return isDue && mayBe;
  }

  #write({ at }: Box, lines: string[]): void {
    if (this.#note.isBusy(at)) this.isPending = true;
    else this.out[at] = lines;
  }

  /** Adds a line after the last task of its kind, and the lines that belong to that. */
  #insert(line: string, status: string): void {
    const { lines } = this.#note;
    const heading = lines.indexOf(DONE_HEADING);
    const end = status === 'done' || heading < 0 ? lines.length : heading;
    const last = readBoxes(lines.slice(0, end)).at(-1);
    let at = last?.at ?? lines.slice(0, end).findLastIndex((each) => each.trim() !== '');
    if (last) while (/^[ \t]+\S/u.test(lines[at + 1] ?? '')) at++;
    const place = this.out[at];
    if (!last && place?.length === 1) place.push('');
    place?.push(line);
  }
}
