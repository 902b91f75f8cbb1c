import { expect, it } from 'vitest';
import { openPersistentIndex } from '../../../src/indexing/persistence/persistent-index.js';
import { hashText } from '../../../src/platform/bytes/hash.js';
import { createTestRandom } from '../../fakes/deterministic.js';
import { createMemoryBlobs } from '../../fakes/memory-blobs.js';

it('a persistent index saves metadata that matches the flushed index', async () => {
  const blobs = createMemoryBlobs();
  let whileReading: () => void = () => undefined;
  const load = (name: string) => {
    whileReading();
    return blobs.load(name);
  };
  const open = () =>
    openPersistentIndex({
      blobs: { ...blobs, load },
      name: 'notes',
      dimensions: 8,
      embedderId: '',
      random: createTestRandom(),
      warn: () => undefined,
    });
  const opened = await open();
  const { index } = opened;
  const put = (key: string) =>
    index.put({
      key,
      hash: hashText(key),
      time: 0,
      labels: [],
      passages: [[{ name: 'text', text: key, weight: 1 }]],
    });
  put('before');
  whileReading = () => {
    put('meanwhile');
  };
  await opened.persist(() => index.keys());
  whileReading = () => undefined;
  const reopened = await open();
  expect(reopened.index.keys()).toEqual(['before', 'meanwhile']);
  expect(reopened.metadata).toEqual(reopened.index.keys());
});
