import { properties, property } from '../../markdown/escape.js';
import type { Memory } from '../../model/memory.js';
import { noteText } from '../note-parts.js';
import { checksum, readBoxes, taskLine, valuesOf } from './task-line.js';
import { blockId, workspaceTasks, type NoteTasks } from './task-list.js';

export const TASKS_NOTE = 'Tasks';
export const DONE_HEADING = '## Done';

/** The workspace, and a checksum of the boxes as they were when a device last merged the note. */
const MARK =
  /^(---\r?\n(?:(?!---)[^\n]*\n)*?savepoint: )["']?([\w-]{1,64}) ([0-9a-f]{8})["']?(?=[ \t]*[\r\n])/u;

const NOTICE = `> [!info] Tasks of Savepoint
> Each box here is a task in the memory. Write a new one, change its words, tick it, or remove its line, which archives the task. Everything else that you write here is yours and stays.`;

/** Returns the id of the workspace whose tasks a note lists; undefined for any other note. */
export function workspaceOfTasks(text: string): string | undefined {
  return MARK.exec(text)?.[2];
}

/** Returns true for a note of a workspace's tasks, even if its mark was removed. */
export function isTasksNote(text: string, workspaceId: string, tasks: NoteTasks): boolean {
  const marked = workspaceOfTasks(text);
  if (marked !== undefined) return marked === workspaceId;
  return readBoxes(text.split(/\r?\n/u)).some(({ id }) => tasks.has(id ?? ''));
}

/** Returns the checksum in a note's mark, which shows from which version a text was made. */
export function markOf(text: string): string {
  return MARK.exec(text)?.[3] ?? '';
}

/** Returns true if nobody has changed a box since a device merged the note. */
export function isAsWritten(text: string): boolean {
  return markOf(text) === hashOf(text);
}

/** Returns the lines of a merged note with its mark. */
export function markMerged(out: readonly string[][], isBusy: (at: number) => boolean): string[][] {
  const text = out.flat().join('\n');
  const [marked = '', before = '', id = ''] = MARK.exec(text) ?? [];
  const at = before.split('\n').length - 1;
  const line = property('savepoint', `${id} ${hashOf(text)}`);
  const mayWrite = marked !== '' && !isBusy(at);
  return out.map((lines, each) => (mayWrite && each === at ? [line] : lines));
}

/** Returns a new note, which lists the open and then the newest done tasks. */
export function newTasksNote(workspaceId: string, tasks: NoteTasks): string {
  const listed = (status: string) =>
    [...tasks].flatMap(([id, { values, doneOn, isShown }]) =>
      isShown && values[1] === status ? [taskLine(id, values, doneOn)] : [],
    );
  const [open, done] = [listed('open').join('\n'), listed('done').join('\n')];
  const text = [`# ${TASKS_NOTE}`, open, ...(done === '' ? [] : [DONE_HEADING, done])];
  const body = noteText([NOTICE, ...text].filter((part) => part !== ''));
  return `${properties({ savepoint: `${workspaceId} ${hashOf(body)}` })}\n\n${body}`;
}

/** Returns true if a note of tasks has nothing but what Savepoint writes into it. */
export function isOwnTasksNote(text: string, memory: Memory): boolean {
  const id = workspaceOfTasks(text);
  const linesOf = (note: string) =>
    note.split(/\r?\n/u).filter((line) => line !== '' && line !== DONE_HEADING);
  const sorted = (note: string) => linesOf(note).sort().join('\n');
  return id !== undefined && sorted(text) === sorted(newTasksNote(id, workspaceTasks(memory, id)));
}

/** Returns a note without the lines of the tasks of these records. */
export function withoutTasks(text: string, ids: ReadonlySet<string>): string {
  const tasks = new Set([...ids].flatMap((id) => [blockId(id), `sp-${id.slice(-8)}`]));
  const lines = text.split('\n');
  for (const { at, id } of readBoxes(lines).reverse()) if (tasks.has(id ?? '')) lines.splice(at, 1);
  return lines.join('\n');
}

/** Returns the changes that turn lines into others for an editor; it keeps the cursor. */
export function lineChanges(lines: readonly string[], out: readonly (readonly string[])[]) {
  return lines.flatMap((line, at) => {
    const text = (out[at] ?? []).join('\n');
    // the last line stays as an empty one, so that no two changes overlap
    const isRemoved = out[at]?.length === 0 && at < lines.length - 1;
    const from = { line: at, ch: text.startsWith(line) ? line.length : 0 };
    const to = isRemoved ? { line: at + 1, ch: 0 } : { line: at, ch: line.length };
    return isRemoved || text !== line ? [{ from, to, text: text.slice(from.ch) }] : [];
  });
}

function hashOf(text: string): string {
  const boxes = readBoxes(text.split(/\r?\n/u));
  return checksum(boxes.map((box) => [box.id, ...valuesOf(box, box.mark)].join(' ')).sort());
}
