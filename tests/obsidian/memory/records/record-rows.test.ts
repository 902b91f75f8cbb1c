import { describe, expect, it } from 'vitest';
import type { ProjectRecord } from '../../../../src/model/records/record.js';
import { isCheckable } from '../../../../src/model/records/lookup-record.js';
import {
  recordSection,
  recordsToDo,
  renumbered,
} from '../../../../src/obsidian/memory/records/record-rows.js';

function task(id: string, more: Partial<ProjectRecord> = {}): ProjectRecord {
  return {
    id,
    workspaceId: 'w1',
    kind: 'task',
    title: `Task ${id}`,
    needs: [],
    files: {},
    status: 'open',
    isArchived: false,
    createdAt: '2026-11-20T00:00:00.000Z',
    ...more,
  };
}

const tasks = (count: number) => Array.from({ length: count }, (_, index) => task(`${index}`));

function rowsOf(toDo: readonly ProjectRecord[], ...toggled: string[]) {
  const rows = recordSection(toDo, 0, new Set(toggled));
  return rows.map(({ key, level, at, of }) => `${level} ${at}/${of} ${key}`);
}

describe('what is to do in a workspace', () => {
  it('has no rows if there is nothing to do', () => {
    expect(rowsOf([])).toEqual([]);
  });

  it('is listed under a heading that starts expanded', () => {
    expect(rowsOf(tasks(2))).toEqual(['1 1/1 records', '2 1/2 record 0', '2 2/2 record 1']);
    expect(rowsOf(tasks(2), 'records')).toEqual(['1 1/1 records']);
  });

  it('is cut after three records until the user asks for more', () => {
    expect(rowsOf(tasks(4))).toHaveLength(5);
    const cut = rowsOf(tasks(5));
    expect(cut).toHaveLength(5);
    expect(cut.at(-1)).toBe('2 4/4 records more');
    expect(rowsOf(tasks(5), 'records more')).toHaveLength(6);
  });

  it('has no closed record, and a decision only if it is due', () => {
    const decision = { kind: 'decision' } as const;
    const records = [
      task('open'),
      task('done', { status: 'done' }),
      task('holds', decision),
      task('due', { ...decision, remindAt: '2026-11-20' }),
    ];
    expect(recordsToDo(records, Date.parse('2026-11-21')).map(({ id }) => id)).toEqual([
      'due',
      'open',
    ]);
  });
});

describe('a record', () => {
  it('can be checked unless it is a decision, dropped, superseded or archived', () => {
    expect(isCheckable(task('a'))).toBe(true);
    expect(isCheckable(task('a', { kind: 'question', status: 'done' }))).toBe(true);
    expect(isCheckable(task('a', { kind: 'decision' }))).toBe(false);
    expect(isCheckable(task('a', { status: 'dropped' }))).toBe(false);
    expect(isCheckable(task('a', { supersededBy: 'b' }))).toBe(false);
    expect(isCheckable(task('a', { status: 'done', isArchived: true }))).toBe(false);
  });
});

it('joined lists are numbered through on the first level', () => {
  const row = (level: number) => ({ key: 'k', level, at: 1, of: 1 });
  const numbers = renumbered([row(1), row(2), row(1)]).map(({ at, of }) => `${at}/${of}`);
  expect(numbers).toEqual(['1/2', '1/1', '2/2']);
});
