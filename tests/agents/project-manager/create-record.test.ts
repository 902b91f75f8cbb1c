import { describe, expect, it } from 'vitest';
import { createTestVault, garden, type TestVault } from '../../fakes/test-vault.js';

interface Suggestion {
  readonly success: boolean;
  readonly data: { readonly mayReplace: { id: string; title: string; by: string }[] };
}

interface Row {
  readonly id: string;
  readonly title: string;
  readonly [field: string]: unknown;
}

async function rows(vault: TestVault, params: object = {}): Promise<Row[]> {
  return (await vault.data('listRecords', { status: 'all', ...params })) as Row[];
}

const issue = (title: string, more: object = {}) => ({ resource: 'issue', title, ...more });
const dependency = (from: string, to: string) => ({ resource: 'dependency', from, to });

describe('createRecord', () => {
  it('records each kind, and answers with success alone', async () => {
    const vault = createTestVault();
    const context = { workspaceId: 'default' };
    const launch = { resource: 'phase', title: 'Launch', context };
    expect(await vault.call('createRecord', launch)).toEqual({ success: true });
    await vault.data('createRecord', issue('Load tests', { phase: 'launch', body: 'With k6' }));
    await vault.data('createRecord', issue('Fast enough?', { kind: 'question' }));
    await vault.data('createRecord', { resource: 'decision', title: 'Use JWT' });
    expect(await rows(vault)).toMatchObject([
      { kind: 'decision', title: 'Use JWT' },
      { kind: 'question', title: 'Fast enough?' },
      { kind: 'task', title: 'Load tests', phase: 'Launch', body: 'With k6' },
      { kind: 'phase', title: 'Launch' },
    ]);
  });

  it('records files, needs and a reminder', async () => {
    const vault = createTestVault();
    vault.files.put('a.md', 'Text');
    await vault.data('createRecord', issue('First'));
    await vault.data(
      'createRecord',
      issue('Second', {
        needs: ['first', 'First'],
        files: ['a.md', 'b.md'],
        remindAt: '2026-01-01',
      }),
    );
    expect(await rows(vault)).toMatchObject([
      {
        title: 'Second',
        needs: ['First'],
        blockedBy: ['First'],
        files: ['a.md', 'b.md'],
        remindAt: '2026-01-01T00:00:00.000Z',
        isDue: true,
      },
      { title: 'First' },
    ]);
  });

  it('refuses what is missing or does not belong to the resource', async () => {
    const vault = createTestVault();
    const error = (params: object) => vault.error('createRecord', params);
    expect(await error({ resource: 'decision' })).toBe(
      '"title" is missing. The resource "decision" needs title.',
    );
    expect(await error({ resource: 'dependency', from: 'A' })).toBe(
      '"to" is missing. The resource "dependency" needs from and to.',
    );
    expect(await error({ resource: 'phase', title: 'P', kind: 'task' })).toBe(
      '"kind" does not apply to the resource "phase". Pass only title, body, files, needs, remindAt.',
    );
    expect(await error(issue('A', { remindAt: 'soon' }))).toBe(
      'remindAt "soon" is not a date. Use a format like "2026-11-20" or "2026-11-20T09:30:00Z".',
    );
    expect(await rows(vault)).toEqual([]);
  });

  it('stores a title of 2,000 characters whole, and names it by its beginning', async () => {
    const vault = createTestVault();
    const title = `Launch ${'the new shop '.repeat(200)}`.slice(0, 1999) + '.';
    const record = (resource: string, more: object) =>
      vault.call('createRecord', { resource, ...more });
    expect(await record('phase', { title })).toMatchObject({ success: true });
    expect(await record('phase', { title: `${title}x` })).toMatchObject({
      error: '"title" has 2001 characters; use at most 2000.',
    });
    const [row] = (await vault.data('listRecords')) as { title: string }[];
    expect(await record('issue', { title: 'One', phase: title, needs: [row!.title] })).toEqual({
      success: true,
      workspace: 'Default',
    });
    await record('issue', { title: 'Two', phase: row!.title });
    await vault.data('updateRecord', { title: 'Two', supersededBy: row!.title });
    expect(await vault.data('listRecords', { status: 'all' })).toMatchObject([
      { title: 'Two', phase: row!.title, supersededBy: row!.title },
      { title: 'One', phase: row!.title, needs: [row!.title], blockedBy: [row!.title] },
      { title: row!.title },
    ]);
    expect(await record('dependency', { from: title, to: 'One' })).toMatchObject({
      error: `This dependency would close a circle: "${row!.title}" needs "One", "One" needs "${row!.title}". Leave it out, or remove one of these dependencies with archiveRecord.`,
    });
  });

  it('refuses a title that an open record of its kind has', async () => {
    const vault = createTestVault();
    await vault.data('createRecord', issue('Ship it'));
    expect(await vault.error('createRecord', issue('ship  IT'))).toBe(
      'The open task "ship  IT" already exists. Change it with updateRecord, or choose another title.',
    );
    await vault.data('createRecord', { resource: 'decision', title: 'Ship it' });
    await vault.data('updateRecord', { resource: 'issue', title: 'Ship it', status: 'done' });
    await vault.data('createRecord', issue('Ship it'));
    expect(await rows(vault)).toHaveLength(3);
  });

  it('refuses a need that is unknown, archived, ambiguous or in another workspace', async () => {
    const vault = createTestVault();
    await vault.data('createRecord', issue('Old'));
    await vault.data('archiveRecord', { title: 'Old' });
    await vault.data('createRecord', issue('Twice'));
    await vault.data('createRecord', issue('Launch'));
    await vault.data('createRecord', { resource: 'phase', title: 'Twice' });
    await vault.data('createWorkspace', garden);
    await vault.data('createRecord', issue('Sow', { context: { workspaceId: 'Garden' } }));
    const error = (need: string) =>
      vault.error(
        'createRecord',
        issue('New', { needs: [need], context: { workspaceId: 'default' } }),
      );
    expect(await error('Lunch')).toBe(
      'Record "Lunch" not found. Use listRecords to see the records of this workspace. Did you mean "Launch"?',
    );
    expect(await error('Old')).toBe(
      'The task "Old" is archived. Use a record that is not; only the user can restore it, in Savepoint.',
    );
    expect(await error('Twice')).toMatch(
      /^Record "Twice" is ambiguous: \w{6} \(phase, 20..-..-..\), \w{6} \(task, 20..-..-..\)\. Pass one/,
    );
    expect(await error('Sow')).toBe(
      'The task "Sow" is in the workspace "Garden". Records refer only to records of their own workspace; pass that workspace as workspaceId in the context to work there.',
    );
  });

  it('accepts an id in place of a title', async () => {
    const vault = createTestVault();
    await vault.data('createRecord', issue('Twice'));
    const [task] = await rows(vault);
    await vault.data('createRecord', { resource: 'phase', title: 'Twice' });
    await vault.data('createRecord', issue('New', { needs: [task!.id] }));
    expect((await rows(vault))[0]).toMatchObject({ title: 'New', needs: ['Twice'] });
  });

  it('refuses a phase that is none', async () => {
    const vault = createTestVault();
    await vault.data('createRecord', issue('Ship it'));
    expect(await vault.error('createRecord', issue('New', { phase: 'Ship it' }))).toBe(
      '"Ship it" is a task, not a phase. Pass the title of a phase, or create it first.',
    );
  });

  it('adds a dependency once, and refuses a circle by name', async () => {
    const vault = createTestVault();
    for (const title of ['A1', 'B2', 'C3']) await vault.data('createRecord', issue(title));
    for (const [from, to] of [
      ['A1', 'B2'],
      ['B2', 'C3'],
      ['A1', 'B2'],
    ] as const)
      await vault.data('createRecord', dependency(from, to));
    expect(await vault.error('createRecord', dependency('C3', 'A1'))).toBe(
      'This dependency would close a circle: "C3" needs "A1", "A1" needs "B2", "B2" needs "C3". Leave it out, or remove one of these dependencies with archiveRecord.',
    );
    expect(await vault.error('createRecord', dependency('A1', 'A1'))).toBe(
      'This dependency would close a circle: "A1" needs "A1". Leave it out, or remove one of these dependencies with archiveRecord.',
    );
    expect(await rows(vault, { resource: 'dependency' })).toMatchObject([
      { title: 'B2', needs: ['C3'] },
      { title: 'A1', needs: ['B2'] },
    ]);
  });

  it('names open decisions that are related to a new one, by ids that can be used', async () => {
    const vault = createTestVault();
    const decide = (title: string, more: object = {}) =>
      vault.call('createRecord', { resource: 'decision', title, ...more });
    expect(await decide('Use session cookies for auth')).not.toHaveProperty('data');
    expect(await decide('Show the newest notes first')).not.toHaveProperty('data');
    const { success, data } = (await decide('Use JWT for auth')) as unknown as Suggestion;
    expect(success).toBe(true);
    const [{ id, title, by } = { id: '', title: '', by: '' }] = data.mayReplace;
    expect(title).toBe('Use session cookies for auth');
    await vault.data('updateRecord', { title: id, supersededBy: by });
    const next = (await decide('Use passkeys for auth')) as unknown as Suggestion;
    expect(next.data.mayReplace.map((each) => each.title)).toEqual(['Use JWT for auth']);
    const files = { files: ['Book/Prologue.md'] };
    expect(await decide('Start calmly', files)).not.toHaveProperty('data');
    expect(await decide('Fire on page one', files)).not.toHaveProperty('data');
    expect(await rows(vault)).toHaveLength(6);
  });

  it('takes effect once if it is repeated with the same key', async () => {
    const vault = createTestVault();
    for (let time = 0; time < 2; time++)
      expect(await vault.call('createRecord', issue('Ship it'), { key: 'k1' })).toMatchObject({
        success: true,
      });
    expect(await rows(vault)).toHaveLength(1);
  });
});
