import { describe, expect, it } from 'vitest';
import { createTestVault, garden, type TestVault } from '../../fakes/test-vault.js';

async function titles(vault: TestVault, params: object = {}): Promise<string[]> {
  const rows = (await vault.data('listRecords', params)) as { title: string }[];
  return rows.map(({ title }) => title);
}

/** Creates tasks with these titles, oldest first. */
async function vaultWith(...names: readonly string[]): Promise<TestVault> {
  const vault = createTestVault();
  for (const title of names) await vault.data('createRecord', { resource: 'issue', title });
  return vault;
}

describe('listRecords', () => {
  it('lists the open records of its workspace, newest first', async () => {
    const vault = await vaultWith('One', 'Two', 'Done', 'Dropped', 'Archived', 'Replaced');
    await vault.data('updateRecord', { title: 'Done', status: 'done' });
    await vault.data('updateRecord', { title: 'Dropped', status: 'dropped' });
    await vault.data('updateRecord', { title: 'Replaced', supersededBy: 'Two' });
    await vault.data('archiveRecord', { title: 'Archived' });
    expect(await titles(vault)).toEqual(['Two', 'One']);
    expect(await titles(vault, { status: 'done' })).toEqual(['Done']);
    expect(await titles(vault, { status: 'dropped' })).toEqual(['Dropped']);
    expect(await titles(vault, { status: 'all' })).toHaveLength(6);
    await vault.data('createWorkspace', garden);
    expect(await titles(vault)).toEqual([]);
  });

  it('shows what superseded a record, and that one is archived', async () => {
    const vault = await vaultWith('Old', 'New');
    await vault.data('updateRecord', { title: 'Old', supersededBy: 'New' });
    await vault.data('archiveRecord', { title: 'New' });
    expect(await vault.data('listRecords', { status: 'all' })).toMatchObject([
      { title: 'New', isArchived: true },
      { title: 'Old', supersededBy: 'New' },
    ]);
  });

  it('lists what is ready as needs are done', async () => {
    const vault = await vaultWith('First', 'Second', 'Third');
    for (const [from, to] of [
      ['Second', 'First'],
      ['Third', 'Second'],
    ])
      await vault.data('createRecord', { resource: 'dependency', from, to });
    expect(await titles(vault, { ready: true })).toEqual(['First']);
    await vault.data('updateRecord', { title: 'First', status: 'done' });
    expect(await titles(vault, { ready: true })).toEqual(['Second']);
  });

  it('filters by resource', async () => {
    const vault = await vaultWith('Task');
    await vault.data('createRecord', { resource: 'phase', title: 'Phase' });
    await vault.data('createRecord', { resource: 'decision', title: 'Decision' });
    await vault.data('createRecord', { resource: 'issue', kind: 'question', title: 'Question' });
    expect(await titles(vault, { resource: 'issue' })).toEqual(['Question', 'Task']);
    expect(await titles(vault, { resource: 'phase' })).toEqual(['Phase']);
    expect(await titles(vault, { resource: 'decision' })).toEqual(['Decision']);
    expect(await titles(vault, { resource: 'dependency' })).toEqual([]);
  });

  it('finds what is about a file, by path, link or name', async () => {
    const vault = createTestVault();
    const decide = (title: string, more: object) =>
      vault.data('createRecord', { resource: 'decision', title, ...more });
    await decide('Listed', { files: ['Book/Prologue.md'] });
    await decide('Linked', { body: 'See [[Prologue#Fire|the start]].' });
    await decide('Written', { body: 'Shorten Book/Prologue.md a bit.' });
    await decide('Other', { body: 'See [[Epilogue]] and Notes/Prologue.md.' });
    expect(await titles(vault, { file: 'Book/Prologue.md' })).toEqual([
      'Written',
      'Linked',
      'Listed',
    ]);
  });

  it('continues after the last record of a page', async () => {
    const vault = await vaultWith('One', 'Two', 'Three');
    const first = await vault.call('listRecords', { limit: 2 });
    expect(first).toMatchObject({
      more: { total: 3 },
      data: [{ title: 'Three' }, { title: 'Two' }],
    });
    const { after } = (first as unknown as { more: { after: string } }).more;
    expect(await titles(vault, { limit: 2, after })).toEqual(['One']);
    expect(await vault.error('listRecords', { after: 'none' })).toMatch(
      /^There is no record "none"/,
    );
  });
});
