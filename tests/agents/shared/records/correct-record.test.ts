import { expect, it } from 'vitest';
import {
  correctRecordInLog,
  restoreRecordInLog,
} from '../../../../src/agents/shared/records/correct-record.js';
import { allRecords } from '../../../../src/model/records/lookup-record.js';
import { createTestVault } from '../../../fakes/test-vault.js';

async function vaultWith(...records: readonly object[]) {
  const vault = createTestVault();
  for (const record of records) await vault.data('createRecord', record);
  const { services } = vault.toolkit.host;
  const recordTitled = async (title: string) => {
    const all = allRecords(await vault.log.memory(), 'default');
    return all.find((record) => record.title === title)!;
  };
  return { vault, services, recordTitled };
}

const sow = { resource: 'issue', title: 'Sow the baens', body: 'In rows.' };

it('a corrected title is shown, found and searched, and the old one is still found', async () => {
  const { vault, services, recordTitled } = await vaultWith(sow);
  const { id } = await recordTitled('Sow the baens');
  await vault.data('searchMemory', { query: 'baens' });
  await correctRecordInLog(services, id, { title: 'Sow the beans', body: 'In rows.' });
  expect(await recordTitled('Sow the beans')).toMatchObject({ id, body: 'In rows.' });
  expect(JSON.stringify(await vault.data('searchMemory', { query: 'beans' }))).toContain(
    'Sow the beans',
  );
  expect(JSON.stringify(await vault.data('searchMemory', { query: 'baens' }))).not.toContain(
    'Sow the baens',
  );
  await vault.data('updateRecord', { title: 'Sow the baens', status: 'done' });
  expect((await recordTitled('Sow the beans')).status).toBe('done');
});

it('the body can be changed and removed, and a correction without a change writes nothing', async () => {
  const { vault, services, recordTitled } = await vaultWith(sow);
  const record = await recordTitled('Sow the baens');
  await correctRecordInLog(services, record.id, { title: record.title, body: '' });
  const after = await vault.log.memory();
  expect(await recordTitled('Sow the baens')).not.toHaveProperty('body');
  await correctRecordInLog(services, record.id, { title: record.title });
  expect(await vault.log.memory()).toBe(after);
});

it('a decision, an archived record and a taken title are refused', async () => {
  const { vault, services, recordTitled } = await vaultWith(
    sow,
    { resource: 'issue', title: 'Water' },
    { resource: 'decision', title: 'No peat' },
  );
  const correct = async (from: string, title: string) =>
    correctRecordInLog(services, (await recordTitled(from)).id, { title });
  await expect(correct('No peat', 'Peat')).rejects.toThrow(
    'A decision never changes. Replace it with a new one.',
  );
  await expect(correct('Water', 'sow the baens')).rejects.toThrow(
    'The open task "sow the baens" already exists. Choose another title.',
  );
  await correct('Water', 'water');
  await vault.data('archiveRecord', { title: 'water' });
  await expect(correct('water', 'Rain')).rejects.toThrow(
    'The task "water" is archived. Restore it first.',
  );
  await expect(correctRecordInLog(services, 'none', { title: 'Rain' })).rejects.toThrow(
    'The record does not exist on this device. Wait for sync.',
  );
});

it('a record is restored, unless it is not archived or not here', async () => {
  const vault = createTestVault();
  await vault.data('createRecord', { resource: 'issue', title: 'Sow' });
  await vault.data('archiveRecord', { title: 'Sow' });
  const { services } = vault.toolkit.host;
  const record = async () => allRecords(await vault.log.memory(), 'default')[0]!;
  const { id, isArchived } = await record();
  expect(isArchived).toBe(true);
  await restoreRecordInLog(services, id);
  expect((await record()).isArchived).toBe(false);
  await expect(restoreRecordInLog(services, id)).rejects.toThrow(
    'The task "Sow" is not archived. There is nothing to restore.',
  );
  await expect(restoreRecordInLog(services, 'none')).rejects.toThrow(
    'The record does not exist on this device. Wait for sync.',
  );
});
