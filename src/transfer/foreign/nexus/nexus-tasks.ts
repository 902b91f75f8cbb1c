import type { RecordStatus } from '../../../model/records/record-kinds.js';
import { toVaultPath } from '../../../model/paths.js';
import { numberIn, textIn } from '../../../model/text/json-fields.js';
import {
  addLeftOut,
  type ForeignRecord,
  type ForeignRecordChange,
  type ReadStats,
} from '../foreign-memory.js';
import { groupByItem, type NexusEvent } from './nexus-events.js';

/** Reads projects as phases. A task needs its subtasks and what it depends on. */
export function readNexusTasks(events: readonly NexusEvent[], stats: ReadStats): ForeignRecord[] {
  const isProject = ({ type }: NexusEvent) => type.startsWith('project_');
  const projects = groupByItem(events.filter(isProject), 'project_created', 'projectId');
  const tasks = groupByItem(
    events.filter((event) => !isProject(event)),
    'task_created',
    'taskId',
  );
  const records = [
    ...[...projects].map(([key, group]) => phaseOf(key, group)),
    ...[...tasks].map(([key, group]) => taskOf(key, group, subtaskChanges(key, tasks))),
  ];
  const orphans = [...projects.values(), ...tasks.values()].filter((group) => !isComplete(group));
  addLeftOut(stats, 'orphans', orphans.flat().length);
  return records.filter((record) => record !== undefined);
}

/** Returns true for events that begin with a creation and name the workspace. */
function isComplete([first]: readonly NexusEvent[]): boolean {
  return (
    first?.type.endsWith('_created') === true && textIn(first.data, 'workspaceId') !== undefined
  );
}

/** Returns what projects and tasks have in common. */
function recordOf(group: readonly NexusEvent[], nameField: string) {
  const [first] = group;
  const workspace = textIn(first?.data, 'workspaceId');
  if (!first || !isComplete(group) || workspace === undefined) return undefined;
  return {
    at: numberIn(first.data, 'created') ?? first.at,
    location: first.location,
    workspace,
    title: lastText(group, nameField) ?? 'Untitled',
    body: bodyOf(group),
  };
}

function phaseOf(key: string, group: readonly NexusEvent[]): ForeignRecord | undefined {
  const record = recordOf(group, 'name');
  const changes = group.flatMap((event) => statusChanges(event));
  return record && { ...record, key: projectKey(key), kind: 'phase', files: [], changes };
}

function taskOf(
  key: string,
  group: readonly NexusEvent[],
  subtasks: readonly ForeignRecordChange[],
): ForeignRecord | undefined {
  const record = recordOf(group, 'title');
  if (!record) return undefined;
  const project = lastText(group, 'projectId');
  const own = group.flatMap((event) => [...statusChanges(event), ...dependencyChanges(event)]);
  return {
    ...record,
    key: taskKey(key),
    kind: 'task',
    files: linkedNotes(group),
    ...(project !== undefined && { phase: projectKey(project) }),
    changes: [...own, ...subtasks].sort((a, b) => a.at - b.at),
  };
}

/** A project and a task may have the same id. */
function projectKey(id: string): string {
  return `project ${id}`;
}

function taskKey(id: string): string {
  return `task ${id}`;
}

function lastText(group: readonly NexusEvent[], field: string): string | undefined {
  return group
    .flatMap(({ data }) => textIn(data, field) ?? [])
    .filter((text) => text.trim() !== '')
    .at(-1);
}

/** Returns the description, and what a record has no field for. */
function bodyOf(group: readonly NexusEvent[]): string | undefined {
  const parts = [
    lastText(group, 'description'),
    labelled('Priority', lastText(group, 'priority')),
    labelled('Assignee', lastText(group, 'assignee')),
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join('\n\n');
}

function labelled(label: string, text: string | undefined): string | undefined {
  return text === undefined ? undefined : `${label}: ${text}`;
}

const STATUSES: Readonly<Record<string, RecordStatus>> = {
  completed: 'done',
  done: 'done',
  cancelled: 'dropped',
  active: 'open',
  todo: 'open',
  in_progress: 'open',
};

function statusChanges({ type, at, data }: NexusEvent): ForeignRecordChange[] {
  if (type.endsWith('_deleted')) return [{ at, isArchived: true }];
  const given = textIn(data, 'status') ?? '';
  const status = Object.hasOwn(STATUSES, given) ? STATUSES[given] : undefined;
  const due = numberIn(data, 'dueDate');
  const isCreation = type.endsWith('_created');
  return [
    // A record is open from the start.
    ...(status === undefined || (isCreation && status === 'open') ? [] : [{ at, status }]),
    ...(given === 'archived' ? [{ at, isArchived: true }] : []),
    ...(due === undefined || Math.abs(due) > MAX_TIME_MS
      ? []
      : [{ at, remindAt: new Date(due).toISOString() }]),
  ];
}

const MAX_TIME_MS = 8.64e15;

function dependencyChanges({ type, at, value }: NexusEvent): ForeignRecordChange[] {
  const needed = textIn(value, 'dependsOnTaskId');
  if (needed === undefined || !type.startsWith('task_dependency_')) return [];
  return [{ at, need: { key: taskKey(needed), isNeeded: type === 'task_dependency_added' } }];
}

/** Returns the changes by which a task needs its subtasks. */
function subtaskChanges(
  key: string,
  tasks: ReadonlyMap<string, readonly NexusEvent[]>,
): ForeignRecordChange[] {
  const changes: ForeignRecordChange[] = [];
  for (const [child, group] of tasks) {
    let parent: string | undefined;
    for (const { at, data } of group) {
      if (!('parentTaskId' in data)) continue;
      const next = textIn(data, 'parentTaskId');
      if (next !== parent && (next === key || parent === key))
        changes.push({ at, need: { key: taskKey(child), isNeeded: next === key } });
      parent = next;
    }
  }
  return changes;
}

function linkedNotes(group: readonly NexusEvent[]): string[] {
  const paths = new Set<string>();
  for (const { type, value } of group) {
    const path = toVaultPath(textIn(value, 'notePath') ?? '');
    if (!path) continue;
    if (type === 'task_note_linked') paths.add(path);
    else if (type === 'task_note_unlinked') paths.delete(path);
  }
  return [...paths];
}
