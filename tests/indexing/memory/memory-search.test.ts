import { expect, it } from 'vitest';
import { createEmbedderSource } from '../../../src/search/vectors/embedder-source.js';
import { packedTable } from '../../fakes/packed-table.js';
import { createTestClock } from '../../fakes/deterministic.js';
import { createMemoryBlobs } from '../../fakes/memory-blobs.js';
import { createTestVault, stateNamed } from '../../fakes/test-vault.js';

it('searches by words at first if the embedder takes long to open, and says so', async () => {
  const clock = createTestClock();
  const source = createEmbedderSource(packedTable());
  const vault = createTestVault({
    clock,
    embedder: {
      ...source,
      *openSteps() {
        for (const steps = source.openSteps(); ;) {
          const step = steps.next();
          if (step.done) return step.value;
          clock.advance(10);
          yield;
        }
      },
    },
  });
  await vault.data(
    'createState',
    stateNamed('Car', { activeTask: 'Replace the automobile tyres' }),
  );
  const memory = vault.toolkit.host.services.search.memory;
  const query = {
    query: 'tyres',
    workspaceIds: ['default'],
    range: { from: -Infinity, to: Infinity },
    limit: 5,
  };
  const first = await memory.searchEntities(query, ['state']);
  expect([first.isByWordsOnly, first.found.length]).toEqual([true, 1]);
  await expect.poll(() => source.isOpen()).toBe(true);
  expect((await memory.searchEntities(query, ['state'])).isByWordsOnly).toBe(false);
});

it('opens the embedder from this device without unpacking it again', async () => {
  const blobs = createMemoryBlobs();
  const source = createEmbedderSource(packedTable());
  await source.restore(blobs);
  for (const steps = source.openSteps(); !steps.next().done;);
  await expect.poll(() => blobs.names()).toHaveLength(1);
  const own = createEmbedderSource(packedTable());
  let steps = 0;
  const vault = createTestVault({
    blobs,
    embedder: {
      ...own,
      *openSteps() {
        for (const opening = own.openSteps(); ; steps++) {
          const step = opening.next();
          if (step.done) return step.value;
          yield;
        }
      },
    },
  });
  const memory = vault.toolkit.host.services.search.memory;
  const query = {
    query: 'tyres',
    workspaceIds: ['default'],
    range: { from: -Infinity, to: Infinity },
    limit: 5,
  };
  expect((await memory.searchEntities(query, ['state'])).isByWordsOnly).toBe(false);
  expect(steps).toBe(0);
});
