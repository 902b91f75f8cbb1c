import { expect, it } from 'vitest';
import { restoreRecordInLog } from '../../../../src/agents/shared/records/restore-record.js';
import { allRecords } from '../../../../src/model/records/lookup-record.js';
import { createTestVault } from '../../../fakes/test-vault.js';

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
