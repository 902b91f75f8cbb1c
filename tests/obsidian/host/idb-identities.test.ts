import { expect, it } from 'vitest';
import {
  createIdbIdentities,
  type IdbIdentitiesOptions,
} from '../../../src/obsidian/host/idb-identities.js';
import { createWriterMirror } from '../../../src/obsidian/host/writer-mirror.js';
import { createLocalStorage } from '../../fakes/local-storage.js';
import { DeviceLocks } from '../../fakes/locks.js';
import { Phone } from '../../fakes/phone.js';

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

/** Returns options with new storage. A failure fails the test. */
function optionsWith(options: Partial<IdbIdentitiesOptions> = {}): IdbIdentitiesOptions {
  return {
    database: new Phone().openDatabase(),
    locks: new DeviceLocks().open().locks,
    mirror: createWriterMirror(createLocalStorage()),
    machine: Promise.resolve('here'),
    report: (error) => expect.fail(String(error)),
    ...options,
  };
}

it('hands out a writer once until it is released, also to the window that uses it', async () => {
  const options = optionsWith();
  const identities = createIdbIdentities(options);
  await identities.release('core', record);
  expect(await identities.acquire('core')).toMatchObject(record);
  expect(await identities.acquire('core')).toBeUndefined();
  await identities.release('core', record);
  expect(await identities.acquire('core')).toMatchObject(record);
  options.database.close();
});

it.each([
  ['another machine', 'there'],
  ['a machine that is not known', undefined],
])('hands out a writer of %s as sealed', async (_, machine) => {
  const options = optionsWith();
  await createIdbIdentities({ ...options, machine: Promise.resolve(machine) }).release(
    'core',
    record,
  );
  expect(await createIdbIdentities(options).acquire('core')).toMatchObject({
    ...record,
    isSealed: true,
  });
  options.database.close();
});

it('forgets a writer in the mirror, too', async () => {
  const options = optionsWith();
  const identities = createIdbIdentities(options);
  await identities.save!('core', record);
  await identities.forget!('core', record.writer);
  expect(options.mirror.load('core')).toEqual([]);
  options.database.close();
});

it('prefers what the mirror has to an older record in the database', async () => {
  const options = optionsWith();
  const identities = createIdbIdentities(options);
  await identities.release('core', record);
  options.mirror.put('core', { ...record, n: 4, machine: 'here' });
  expect(await identities.acquire('core')).toMatchObject({ ...record, n: 4 });
  options.database.close();
});

it('reports once that the database fails, and uses the mirror alone', async () => {
  const failures: unknown[] = [];
  const database = new Phone().openDatabase();
  database.close();
  const identities = createIdbIdentities(
    optionsWith({ database, report: (error) => failures.push(error) }),
  );
  await identities.save!('core', record);
  await identities.release('core', record);
  expect(await identities.acquire('core')).toMatchObject(record);
  expect(failures.map(String)).toEqual(['Refusal: Savepoint is closed.']);
});
