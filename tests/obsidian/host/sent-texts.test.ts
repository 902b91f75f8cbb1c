import { expect, it } from 'vitest';
import { createSentTexts } from '../../../src/obsidian/host/sent-texts.js';
import { createTestClock } from '../../fakes/deterministic.js';
import { createMemoryBlobs } from '../../fakes/memory-blobs.js';

function open() {
  const clock = createTestClock();
  const blobs = createMemoryBlobs();
  return { clock, blobs, texts: createSentTexts(blobs, clock) };
}

it('keeps the texts of a conversation by hash, with a byte order mark', async () => {
  const { texts } = open();
  await texts.save('one', 'aa', '\uFEFFBeds');
  await texts.save('one', 'bb', 'Turnips');
  await texts.save('two', 'aa', 'Other');
  expect([...(await texts.load('one'))].sort()).toEqual([
    ['aa', '\uFEFFBeds'],
    ['bb', 'Turnips'],
  ]);
  expect(await texts.load('three')).toEqual(new Map());
});

it('stores a text once', async () => {
  const { texts, blobs, clock } = open();
  await texts.save('one', 'aa', 'Beds');
  clock.advance(5);
  await texts.save('one', 'aa', 'Beds');
  expect(blobs.records.size).toBe(1);
});

it('removes the oldest texts above 20 MB, and nothing of the search index', async () => {
  const { texts, blobs, clock } = open();
  await blobs.save([{ name: 'notes-1', bytes: new Uint8Array(30 * 1024 * 1024) }]);
  for (let at = 0; at < 6; at++) {
    await texts.save(`c${at}`, 'aa', 'x'.repeat(4 * 1024 * 1024));
    clock.advance(1);
  }
  const kept = [...blobs.records.keys()].map((name) => name.split('.')[2]);
  expect(kept).toEqual([undefined, 'c1', 'c2', 'c3', 'c4', 'c5']);
});

it('removes the texts of deleted conversations only', async () => {
  const { texts, blobs } = open();
  await blobs.save([{ name: 'notes-1', bytes: Uint8Array.of(1) }]);
  await texts.save('one', 'aa', 'Beds');
  await texts.save('two', 'aa', 'Beds');
  await texts.remove((id) => id === 'one');
  expect([...(await texts.load('two')).keys()]).toEqual(['aa']);
  expect(blobs.records.size).toBe(2);
});
