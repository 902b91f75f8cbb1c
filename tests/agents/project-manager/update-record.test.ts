import { beforeEach, describe, expect, it } from 'vitest';
import { createTestVault, type TestVault } from '../../fakes/test-vault.js';

describe('updateRecord', () => {
  let vault: TestVault;
  const update = (title: string, more: object) => vault.data('updateRecord', { title, ...more });
  const error = (title: string, more: object) => vault.error('updateRecord', { title, ...more });
  const rowOf = async (title: string) => {
    const rows = await vault.data('listRecords', { status: 'all' });
    return (rows as { title: string }[]).find((row) => row.title === title);
  };

  beforeEach(async () => {
    vault = createTestVault();
    for (const title of ['Use cookies', 'Use JWT', 'Use passkeys'])
      await vault.data('createRecord', { resource: 'decision', title });
  });

  it('changes the status and back', async () => {
    await update('Use JWT', { status: 'dropped' });
    expect(await rowOf('Use JWT')).toMatchObject({ status: 'dropped' });
    await update('Use JWT', { status: 'open' });
    expect(await rowOf('Use JWT')).not.toHaveProperty('status');
  });

  it('supersedes a record, and undoes it', async () => {
    await update('Use cookies', { supersededBy: 'use jwt' });
    expect(await rowOf('Use cookies')).toMatchObject({ supersededBy: 'Use JWT' });
    await update('Use cookies', { supersededBy: '' });
    expect(await rowOf('Use cookies')).not.toHaveProperty('supersededBy');
  });

  it('sets a reminder, which becomes due, and removes it', async () => {
    await update('Use JWT', { remindAt: '2100-01-01' });
    expect(await rowOf('Use JWT')).toMatchObject({ remindAt: '2100-01-01T00:00:00.000Z' });
    expect(await rowOf('Use JWT')).not.toHaveProperty('isDue');
    await update('Use JWT', { remindAt: '2020-01-01T12:00:00Z' });
    expect(await rowOf('Use JWT')).toMatchObject({ isDue: true });
    await update('Use JWT', { remindAt: '' });
    expect(await rowOf('Use JWT')).not.toHaveProperty('remindAt');
  });

  it('refuses a record that supersedes itself, directly or through others', async () => {
    expect(await error('Use JWT', { supersededBy: 'Use JWT' })).toBe(
      '"Use JWT" cannot supersede itself. Pass the title or id of the record that replaces it.',
    );
    await update('Use cookies', { supersededBy: 'Use JWT' });
    await update('Use JWT', { supersededBy: 'Use passkeys' });
    expect(await error('Use passkeys', { supersededBy: 'Use cookies' })).toBe(
      '"Use cookies" is itself superseded by "Use passkeys". Undo that first: mark "Use cookies" as superseded by "".',
    );
  });

  it('refuses archived records on either side', async () => {
    await vault.data('archiveRecord', { title: 'Use cookies' });
    const refusal =
      'The decision "Use cookies" is archived. Use a record that is not; only the user can restore it, in Savepoint.';
    expect(await error('Use JWT', { supersededBy: 'Use cookies' })).toBe(refusal);
    expect(await error('Use cookies', { supersededBy: 'Use JWT' })).toBe(refusal);
    expect(await error('Use cookies', { status: 'done' })).toBe(refusal);
  });

  it('refuses an empty change, a wrong date and an unknown title, and writes nothing', async () => {
    expect(await error('Use JWT', {})).toBe(
      'There is nothing to update. Pass status, supersededBy or remindAt.',
    );
    expect(await error('Use JWT', { status: 'done', remindAt: 'soon' })).toMatch(
      /^remindAt "soon"/,
    );
    expect(await error('Use JVT', { status: 'done' })).toMatch(/Did you mean "Use JWT"\?$/);
    expect(await error('Use JWT', { resource: 'issue', status: 'done' })).toBe(
      'Record "Use JWT" not found. Use listRecords to see the records of this workspace.',
    );
    expect(await rowOf('Use JWT')).not.toHaveProperty('status');
  });
});
