import { plainLine, properties } from '../../markdown/escape.js';
import { stampTime } from '../../model/event.js';
import type { Named } from '../../model/lookup.js';
import { entityOf, type Memory } from '../../model/memory.js';
import { mapGet } from '../../model/persistent-map.js';
import { allRecords, isCheckable, recordById } from '../../model/records/lookup-record.js';
import { listedTitle, type ProjectRecord } from '../../model/records/record.js';
import type { Workspace } from '../../model/workspace.js';
import { noteText } from '../note-parts.js';

export const TASKS_NOTE = 'Tasks';
/** Maximum number of done tasks that a note lists, the newest ones. */
const MAX_DONE = 100;

/** Days are stored as midnight in the user's zone. Rounding gives the same day on every device. */
const HALF_DAY_MS = 12 * 60 * 60 * 1000;

const DONE_HEADING = '## Done';
/** A task as the mirror writes it: its box, its text, the day it was done, and its id. */
const TASK = /^- \[([ xX])\]( .+?)( ✅ \d{4}-\d\d-\d\d)?( \^([\w-]{1,64}))$/u;

export interface TaskList {
  readonly open: readonly ListedTask[];
  readonly done: readonly ListedTask[];
}

interface ListedTask {
  readonly id: string;
  readonly title: string;
  /** The day that it is due or, if it is done, on which that was said; ISO dates. */
  readonly day: string | undefined;
}

/** A box that shows something else than the mirror wrote. */
export interface TickedBox {
  /** Id of the record. */
  readonly id: string;
  readonly isDone: boolean;
}

export interface TaskListProperties {
  readonly name: string;
  readonly workspace: string;
  readonly tags: readonly string[];
}

/** Returns the open and the newest done tasks, oldest first. Undefined for none. */
export function taskList(memory: Memory, workspaceId: string): TaskList | undefined {
  const tasks = allRecords(memory, workspaceId).filter(
    (record) => record.kind === 'task' && isCheckable(record),
  );
  if (tasks.length === 0) return undefined;
  const listed = (records: readonly ProjectRecord[]) =>
    records.map((record) => listedTask(memory, record)).reverse();
  return {
    open: listed(tasks.filter(({ status }) => status === 'open')),
    done: listed(tasks.filter(({ status }) => status === 'done').slice(0, MAX_DONE)),
  };
}

function listedTask(memory: Memory, record: ProjectRecord): ListedTask {
  const { id, status, remindAt } = record;
  const set = mapGet(entityOf(memory, id).registers, '/status');
  const due = remindAt && new Date(Date.parse(remindAt) + HALF_DAY_MS).toISOString();
  const time = status === 'done' ? set && stampTime(set.at) : due;
  return { id, title: listedTitle(record), day: time?.slice(0, 10) };
}

export function taskListPropertiesOf({ displayName }: Named<Workspace>): TaskListProperties {
  return { name: TASKS_NOTE, workspace: displayName, tags: [] };
}

export function taskListProperties({ name, workspace, tags }: TaskListProperties): string {
  return properties({ name, workspace, tags });
}

/** `intro` is Markdown. Writes tasks as Obsidian's Tasks and Dataview plugins read them. */
export function taskListNote(
  workspace: Named<Workspace>,
  { open, done }: TaskList,
  intro: string,
): string {
  return noteText([
    taskListProperties(taskListPropertiesOf(workspace)),
    intro,
    `# ${TASKS_NOTE}`,
    ...(open.length > 0 ? [open.map((task) => taskLine(task, ' ', '📅')).join('\n')] : []),
    ...(done.length > 0
      ? [DONE_HEADING, done.map((task) => taskLine(task, 'x', '✅')).join('\n')]
      : []),
  ]);
}

function taskLine({ id, title, day }: ListedTask, mark: string, sign: string): string {
  const parts = [`- [${mark}]`, plainLine(title)];
  if (day !== undefined) parts.push(`${sign} ${day}`);
  return [...parts, `^${id}`].join(' ');
}

/**
 * Returns a note with its boxes as the mirror wrote them, without the days that the Tasks plugin
 * adds, and the boxes that differ. A task above the heading of done ones was open.
 */
export function readBoxes(text: string): {
  readonly written: string;
  readonly ticked: readonly TickedBox[];
} {
  const ticked: TickedBox[] = [];
  let wasDone = false;
  const lines = text.split('\n').map((line) => {
    if (line === DONE_HEADING) wasDone = true;
    const [, box, title, , end, id] = TASK.exec(line) ?? [];
    if (box === undefined || title === undefined || end === undefined || id === undefined)
      return line;
    if ((box !== ' ') !== wasDone) ticked.push({ id, isDone: !wasDone });
    return `- [${wasDone ? 'x' : ' '}]${title}${end}`;
  });
  return { written: lines.join('\n'), ticked };
}

export function listedTasks(content: string): string[] {
  return content.split(/\r?\n/u).flatMap((line) => TASK.exec(line)?.[5] ?? []);
}

/** Returns boxes that the memory does not follow yet. `record` is undefined until it is synced. */
export function pendingBoxes(
  memory: Memory,
  ticked: readonly TickedBox[],
): { readonly box: TickedBox; readonly record: ProjectRecord | undefined }[] {
  return ticked.flatMap((box) => {
    const record = recordById(memory, box.id);
    const isAsTicked = record && (record.status === 'done') === box.isDone;
    return isAsTicked || (record && !isCheckable(record)) ? [] : [{ box, record }];
  });
}
