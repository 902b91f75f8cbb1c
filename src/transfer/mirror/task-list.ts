import { stampTime, versionKey, type Draft, type JsonObject } from '../../model/event.js';
import { entityOf, type Memory } from '../../model/memory.js';
import { mapGet } from '../../model/persistent-map.js';
import { allRecords, isCheckable, recordById } from '../../model/records/lookup-record.js';
import { recordData, type ProjectRecord } from '../../model/records/record.js';
import type { Version } from '../../model/register.js';
import type { SavedBy } from '../../model/states/provenance.js';
import { checksum, editedValues, writtenValues, type TaskValues } from './task-line.js';

/** Maximum number of done tasks that a note lists on its own, the newest ones. */
const MAX_DONE = 100;
const SHORT_ID_LENGTH = 8;

/** Days are stored as midnight in the user's zone. Rounding gives the same day on every device. */
const HALF_DAY_MS = 12 * 60 * 60 * 1000;

export interface NoteTask {
  readonly record: ProjectRecord;
  /** Values that its line shows. */
  readonly values: TaskValues;
  readonly title: Version;
  /** Other titles, by devices that did not know of this one. */
  readonly rivals: readonly Version[];
  /** The day on which it was said to be done, if it is. */
  readonly doneOn: string;
  /** False for a task that is archived, dropped or replaced. */
  readonly isListed: boolean;
  /** False for an old done task, whose line is not written unless it is there. */
  readonly isShown: boolean;
}

/** All tasks of a workspace by block id, the oldest first. */
export type NoteTasks = ReadonlyMap<string, NoteTask>;

/** A change of a task by its line. Without values, the task is archived; a new id creates one. */
export interface TaskChange {
  /** Id of the record. */
  readonly id: string;
  readonly values?: TaskValues;
  /** Values that note and memory agree on from then on, see `TaskBase`. */
  readonly seen?: readonly string[];
}

/** Returns the id that marks a task's line. */
export function blockId(recordId: string): string {
  return `sp-${recordId.slice(0, SHORT_ID_LENGTH)}`;
}

/** Returns a task that keeps a version of a title. It has one id, whichever devices create it. */
export function editedTask({ record }: NoteTask, { value, at }: Version): TaskChange {
  const source = [record.id, versionKey(at)];
  const hex = checksum(source) + checksum(source.reverse());
  const id = hex.replace(/[01]/gu, (digit) => (digit === '0' ? 'x' : 'z'));
  return { id, values: editedValues(typeof value === 'string' ? value : record.title) };
}

export function workspaceTasks(memory: Memory, workspaceId: string): NoteTasks {
  const records = allRecords(memory, workspaceId).filter(({ kind }) => kind === 'task');
  const done = records.filter((record) => record.status === 'done' && isCheckable(record));
  const hidden = new Set(done.slice(MAX_DONE));
  const tasks = new Map<string, NoteTask>();
  for (const record of records.reverse()) {
    const { id, status } = record;
    const { registers, created } = entityOf(memory, id);
    const set = mapGet(registers, '/status');
    const title = mapGet(registers, '/title') ?? { value: '', at: created!, rivals: [] };
    const other = `sp-${id.slice(-SHORT_ID_LENGTH)}`;
    tasks.set(tasks.has(blockId(id)) ? other : blockId(id), {
      record,
      values: lineValues(record),
      title: { value: record.title, at: title.at },
      rivals: title.rivals.filter(({ value }) => value !== title.value),
      doneOn: status === 'done' && set ? stampTime(set.at).slice(0, 10) : '',
      isListed: isCheckable(record),
      isShown: isCheckable(record) && !hidden.has(record),
    });
  }
  return tasks;
}

function lineValues({ title, status, remindAt }: ProjectRecord): TaskValues {
  const due = remindAt === undefined ? '' : dayOf(Date.parse(remindAt));
  return writtenValues([title, status === 'done' ? 'done' : 'open', due]);
}

function dayOf(time: number): string {
  return new Date(time + HALF_DAY_MS).toISOString().slice(0, 10);
}

/** Returns midnight in the user's zone or, if that rounds to another day, in UTC. */
function midnightOf(day: string): string | null {
  const times = [`${day}T00:00`, `${day}T00:00Z`].map((time) => Date.parse(time));
  const time = times.find((each) => day !== '' && dayOf(each) === day);
  return time === undefined ? null : new Date(time).toISOString();
}

/** Returns the events of changes in a note of tasks; days are in the user's zone. */
export function taskDrafts(
  memory: Memory,
  workspaceId: string,
  changes: readonly TaskChange[],
  by: SavedBy,
): Draft[] {
  return changes.flatMap(({ id, values }) => {
    if (!values) return [{ t: 'set', e: id, d: { '/isArchived': true } }];
    const record = recordById(memory, id);
    const [title, status, due] = values;
    const before = record ? lineValues(record) : [title, 'open', ''];
    const d: JsonObject = {
      ...(title !== before[0] && { '/title': title }),
      ...(status !== (record?.status ?? 'open') && { '/status': status }),
      ...(due !== before[2] && { '/remindAt': midnightOf(due) }),
      ...(record?.isArchived === true && { '/isArchived': false }),
    };
    const data = recordData(workspaceId, { kind: 'task', title }, { by });
    const created = record ? [] : [{ t: 'record.new', e: id, d: data }];
    return Object.keys(d).length > 0 ? [...created, { t: 'set', e: id, d }] : created;
  });
}
