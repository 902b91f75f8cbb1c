import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/model/event.js';
import { allRecords } from '../../../../src/model/records/lookup-record.js';
import { createReadStats } from '../../../../src/transfer/foreign/foreign-memory.js';
import { readNexus } from '../../../../src/transfer/foreign/nexus/nexus.js';
import { createVault } from '../../../storage/helpers.js';
import { bringIn, rememberedIn } from '../importing.js';
import { nexusLine, shardsOf, workspaceCreated, type NexusLine } from '../nexus-vault.js';

const T = Date.UTC(2026, 4, 1);

const taskLine = (at: number, fields: JsonObject) => nexusLine('tasks/w1', at, fields);
const project = (id: string, data: JsonObject = {}) =>
  taskLine(T, {
    type: 'project_created',
    data: { id, workspaceId: 'w1', name: `Project ${id}`, status: 'active', created: T, ...data },
  });
const task = (id: string, data: JsonObject = {}) =>
  taskLine(T + 1, {
    type: 'task_created',
    data: {
      id,
      projectId: 'p1',
      workspaceId: 'w1',
      title: `Task ${id}`,
      status: 'todo',
      created: T + 1,
      ...data,
    },
  });
const updated = (taskId: string, at: number, data: JsonObject) =>
  taskLine(at, { type: 'task_updated', taskId, data });

async function read(...lines: NexusLine[]) {
  const stats = createReadStats();
  const { records, workspaces } = await readNexus(shardsOf(lines), [], stats);
  return { records, workspaces, leftOut: Object.fromEntries(stats.leftOut) };
}

describe('projects and tasks of Nexus', () => {
  it('become phases and tasks with their latest texts', async () => {
    const { records } = await read(
      project('p1', { description: 'All of it' }),
      task('t1', { description: 'Dig', priority: 'high', assignee: 'Ann', dueDate: T + 9 }),
      updated('t1', T + 2, { title: 'Dig the bed', status: 'in_progress' }),
      taskLine(T + 3, { type: 'task_note_linked', taskId: 't1', notePath: 'Beds.md' }),
      taskLine(T + 3, { type: 'task_note_linked', taskId: 't1', notePath: 'Old.md' }),
      taskLine(T + 4, { type: 'task_note_unlinked', taskId: 't1', notePath: 'Old.md' }),
    );
    expect(records).toMatchObject([
      { kind: 'phase', title: 'Project p1', body: 'All of it', workspace: 'w1', changes: [] },
      {
        kind: 'task',
        title: 'Dig the bed',
        body: 'Dig\n\nPriority: high\n\nAssignee: Ann',
        files: ['Beds.md'],
        phase: 'project p1',
        changes: [{ remindAt: new Date(T + 9).toISOString() }, { at: T + 2, status: 'open' }],
      },
    ]);
  });

  it('without a creation are left out, and their workspace is made up', async () => {
    const { records, workspaces, leftOut } = await read(task('t1'), updated('t9', T + 2, {}));
    expect(records).toHaveLength(1);
    expect(workspaces).toMatchObject([{ key: 'w1', isGuessed: true }]);
    expect(leftOut).toEqual({ orphans: 1 });
  });

  it('are imported with status, dependencies and subtasks, once', async () => {
    const sources = shardsOf([
      workspaceCreated('w1', T, { name: 'Garden' }),
      project('p1', { status: 'completed' }),
      task('t1'),
      task('t2', { parentTaskId: 't1' }),
      task('t3'),
      task('t4', { title: 'x'.repeat(300) }),
      taskLine(T + 2, { type: 'task_dependency_added', taskId: 't3', dependsOnTaskId: 't1' }),
      taskLine(T + 2, { type: 'task_dependency_added', taskId: 't3', dependsOnTaskId: 't2' }),
      taskLine(T + 3, { type: 'task_dependency_removed', taskId: 't3', dependsOnTaskId: 't2' }),
      updated('t2', T + 4, { status: 'done' }),
      updated('t3', T + 4, { status: 'cancelled' }),
      taskLine(T + 5, { type: 'task_deleted', taskId: 't4' }),
    ]);
    const vault = createVault();
    const report = await bringIn(vault.files, 'nexus', sources);
    expect(report.kinds.records).toEqual({ added: 5, known: 0 });
    expect(report).toMatchObject({ archived: 1, troubles: [], leftOut: [] });
    const { workspaces } = await rememberedIn(vault);
    const memory = await vault.open().memory();
    const records = allRecords(memory, workspaces.get('Garden')!.id);
    const named = new Map(records.map((record) => [record.title, record]));
    const idOf = (title: string) => named.get(title)?.id;
    expect(named.get('Project p1')).toMatchObject({ kind: 'phase', status: 'done' });
    expect(named.get('Task t1')).toMatchObject({
      status: 'open',
      phaseId: idOf('Project p1'),
      needs: [idOf('Task t2')],
    });
    expect(named.get('Task t2')).toMatchObject({ status: 'done', needs: [] });
    expect(named.get('Task t3')).toMatchObject({ status: 'dropped', needs: [idOf('Task t1')] });
    const long = records.find(({ isArchived }) => isArchived);
    expect(long?.title).toHaveLength(200);
    expect(long?.body).toContain('x'.repeat(300));
    const again = await bringIn(vault.files, 'nexus', sources);
    expect(again.kinds.records).toEqual({ added: 0, known: 5 });
    expect(again.files).toEqual([]);
  });
});
