import { expect, it } from 'vitest';
import { createIdbIdentities } from '../../../src/obsidian/host/idb-identities.js';
import { DeviceLocks } from '../../fakes/locks.js';
import { Phone } from '../../fakes/phone.js';

it('hands out a writer once until it is released, also to the window that uses it', async () => {
  const database = new Phone().openDatabase();
  const { locks } = new DeviceLocks().open();
  const identities = createIdbIdentities(database, locks, (error) => expect.fail(String(error)));
  const record = {
    writer: 'aaaaaaaaaaaa',
    n: 3,
    hash: 'c85285bc0aedd8c9480ff44eaffd2d13',
    h: '2026-11-20T04:52:58.271Z.0001',
    path: 'Savepoint/core/2026-11/20261120-aaaaaaaaaaaa-0001.jsonl',
    number: 1,
    day: '20261120',
    size: 500,
    lines: 3,
    isSealed: false,
  };
  await identities.release('core', record);
  expect(await identities.acquire('core')).toEqual(record);
  expect(await identities.acquire('core')).toBeUndefined();
  await identities.release('core', record);
  expect(await identities.acquire('core')).toEqual(record);
  database.close();
});
