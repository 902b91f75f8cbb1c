import { IDBFactory } from 'fake-indexeddb';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import 'fake-indexeddb/auto';
import { Refusal } from '../../../src/model/refusal.js';
import { createDatabase } from '../../../src/obsidian/host/idb.js';
import { createIdbBlobs } from '../../../src/obsidian/host/idb-blobs.js';
import { blobsContract } from '../../contracts/blobs.js';
import { createTestClock } from '../../fakes/deterministic.js';

beforeEach(() => void vi.stubGlobal('indexedDB', new IDBFactory()));

const open = (device = 'k3v9q2m7x4tbk3v9') =>
  createIdbBlobs(createDatabase(device, createTestClock()));

describe('IdbBlobs', () => {
  blobsContract(open);

  it('are separate for each vault', async () => {
    await open('one').save([{ name: 'a', bytes: new Uint8Array(3) }]);
    expect([await open('one').names(), await open('two').names()]).toEqual([['a'], []]);
  });

  it('report data of a newer version', async () => {
    await new Promise(
      (resolve) =>
        (indexedDB.open('savepoint-one', 99).onsuccess = ({ target }) =>
          resolve((target as IDBOpenDBRequest).result.close())),
    );
    await expect(open('one').names()).rejects.toThrow(Refusal);
    await expect(open('one').save([])).rejects.toThrow(
      'The data on this device is from a newer version of Savepoint.',
    );
  });
});
