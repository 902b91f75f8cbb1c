import { expect, it } from 'vitest';
import { createLocalIdentities } from '../../../src/obsidian/host/local-identities.js';
import type { WriterRecord } from '../../../src/storage/write/writer-identity.js';

const record = (writer: string): WriterRecord => ({
  writer,
  n: 3,
  hash: 'c85285bc0aedd8c9480ff44eaffd2d13',
  h: '2026-11-20T04:52:58.271Z.0001',
  path: `Savepoint/core/2026-11/20261120-${writer}-0001.jsonl`,
  number: 1,
  day: '20261120',
  size: 500,
  lines: 3,
  isSealed: false,
});

/** Local storage of a device, with values as JSON. */
function createStorage() {
  const kept = new Map<string, string>();
  return {
    kept,
    loadLocalStorage: (key: string): unknown => JSON.parse(kept.get(key) ?? 'null'),
    saveLocalStorage: (key: string, value: unknown) =>
      void (value === null ? kept.delete(key) : kept.set(key, JSON.stringify(value))),
  };
}

it('local identities return each writer once', async () => {
  const storage = createStorage();
  await createLocalIdentities(storage).release('core', record('aaaaaaaaaaaa'));
  const [one, other] = [createLocalIdentities(storage), createLocalIdentities(storage)];
  expect([await one.acquire('core'), await other.acquire('core')]).toEqual([
    record('aaaaaaaaaaaa'),
    undefined,
  ]);
  expect(storage.kept.size).toBe(0);
});

it('local identities keep lanes separate', async () => {
  const identities = createLocalIdentities(createStorage());
  await identities.release('trace', record('aaaaaaaaaaaa'));
  expect(await identities.acquire('core')).toBeUndefined();
});

it('local identities keep the four newest writers', async () => {
  const identities = createLocalIdentities(createStorage());
  for (const letter of 'abcdef') await identities.release('core', record(letter.repeat(12)));
  const taken = [];
  for (let next = await identities.acquire('core'); next; next = await identities.acquire('core'))
    taken.push(next.writer[0]);
  expect(taken).toEqual(['f', 'e', 'd', 'c']);
});

it('local identities ignore damaged records', async () => {
  const storage = createStorage();
  storage.saveLocalStorage('savepoint-writers-core', [{ writer: 7 }, 'x', null]);
  expect(await createLocalIdentities(storage).acquire('core')).toBeUndefined();
});
