import { describe, expect, it } from 'vitest';
import { createTestVault } from '../../fakes/test-vault.js';

describe('archiveRecord', () => {
  it('hides a record from the list of open ones, once', async () => {
    const vault = createTestVault();
    await vault.data('createRecord', { resource: 'phase', title: 'Launch' });
    await vault.data('archiveRecord', { title: 'launch' });
    expect(await vault.data('listRecords')).toEqual([]);
    expect(await vault.error('archiveRecord', { title: 'Launch' })).toBe(
      'The phase "Launch" is already archived. listRecords still shows it with status "all".',
    );
  });

  it('removes a dependency', async () => {
    const vault = createTestVault();
    for (const title of ['First', 'Second'])
      await vault.data('createRecord', { resource: 'issue', title });
    const edge = { resource: 'dependency', from: 'Second', to: 'First' };
    expect(await vault.error('archiveRecord', edge)).toBe(
      '"Second" does not need "First". Use listRecords with resource "dependency" to see what needs what.',
    );
    await vault.data('createRecord', edge);
    await vault.data('archiveRecord', edge);
    expect(await vault.data('listRecords', { resource: 'dependency' })).toEqual([]);
    expect(await vault.data('listRecords')).toHaveLength(2);
  });

  it('refuses parameters that are missing or do not fit', async () => {
    const vault = createTestVault();
    const advice =
      'Pass the title of the record to archive, or resource "dependency" with from and to.';
    const error = (params: object) => vault.error('archiveRecord', params);
    expect(await error({})).toBe(`"title" is missing. ${advice}`);
    expect(await error({ title: 'A', from: 'B' })).toBe(`"from" does not apply here. ${advice}`);
    expect(await error({ resource: 'dependency', from: 'A' })).toBe(`"to" is missing. ${advice}`);
    expect(await error({ resource: 'dependency', from: 'A', to: 'B', title: 'C' })).toBe(
      `"title" does not apply here. ${advice}`,
    );
  });
});
