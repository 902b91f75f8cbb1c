import { expect, it } from 'vitest';
import { openKeptIndex } from '../../src/indexing/persistent-index.js';
import { hashText } from '../../src/platform/byte-writer.js';
import { createTestRandom } from '../fakes/deterministic.js';
import { createMemoryBlobs } from '../fakes/memory-blobs.js';

it('keeps beside the index what is true at the moment in which the index is kept', async () => {
  const kept = createMemoryBlobs();
  let whileReading = () => undefined as unknown;
  const load = (name: string) => (whileReading(), kept.load(name));
  const open = () =>
    openKeptIndex({
      blobs: { ...kept, load },
      name: 'notes',
      dimensions: 8,
      meaningId: '',
      random: createTestRandom(),
      warn: () => undefined,
    });
  const { index, keep } = await open();
  const put = (key: string) =>
    index.put({
      key,
      hash: hashText(key),
      time: 0,
      labels: [],
      passages: [[{ name: 'text', text: key, weight: 1 }]],
    });
  put('before');
  whileReading = () => put('meanwhile');
  await keep(() => index.keys());
  whileReading = () => undefined;
  const reopened = await open();
  expect(reopened.index.keys()).toEqual(['before', 'meanwhile']);
  expect(reopened.beside).toEqual(reopened.index.keys());
});
