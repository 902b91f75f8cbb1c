import { describe, expect, it } from 'vitest';
import type { ProjectRecord } from '../../../../src/model/records/record.js';
import {
  isCheckable,
  recordSection,
  renumbered,
  type ListedRecords,
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

function rowsOf(listed: Partial<ListedRecords>, ...toggled: string[]) {
  const rows = recordSection({ open: [], closed: [], dueCount: 0, ...listed }, new Set(toggled));
  return rows.map(({ key, level, at, of }) => `${level} ${at}/${of} ${key}`);
}

describe('the section of a workspace with records', () => {
  it('is empty without records', () => {
    expect(rowsOf({})).toEqual([]);
  });

  it('lists open records, and closed ones under a collapsed heading', () => {
    const listed = { open: tasks(2), closed: [task('old', { status: 'done' })] };
    const open = ['1 1/1 records', '2 1/3 record 0', '2 2/3 record 1'];
    expect(rowsOf(listed)).toEqual([...open, '2 3/3 records closed']);
    expect(rowsOf(listed, 'records closed').at(-1)).toBe('3 1/1 record old');
    expect(rowsOf(listed, 'records')).toEqual(['1 1/1 records']);
  });

  it('shows eight of many open records until the user asks for more', () => {
    expect(rowsOf({ open: tasks(9) })).toHaveLength(10);
    const cut = rowsOf({ open: tasks(10) });
    expect(cut).toHaveLength(10);
    expect(cut.at(-1)).toBe('2 9/9 records more');
    expect(rowsOf({ open: tasks(10) }, 'records more')).toHaveLength(11);
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
