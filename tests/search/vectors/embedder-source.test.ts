import { expect, it, vi } from 'vitest';
import { runToEnd } from '../../../src/platform/run-sliced.js';
import { createEmbedderSource } from '../../../src/search/vectors/embedder-source.js';
import { createMemoryBlobs } from '../../fakes/memory-blobs.js';
import { packedTable } from '../../fakes/packed-table.js';

it('an embedder source has its dimensions before it reads the table once', () => {
  const source = createEmbedderSource(packedTable());
  const opened = runToEnd(source.openSteps());
  expect(opened.dimensions).toBe(source.dimensions);
  expect(runToEnd(source.openSteps())).toBe(opened);
});

it('an embedder source reads the table once for concurrent callers', () => {
  const source = createEmbedderSource(packedTable());
  const one = source.openSteps();
  const other = source.openSteps();
  for (let turn = 0; turn < 50; turn++)
    for (const steps of [one, other]) expect(steps.next().done).toBe(false);
  const opened = runToEnd(one);
  expect(other.next()).toEqual({ done: true, value: opened });
});

it('an embedder source reports a damaged table each time', () => {
  const source = createEmbedderSource(packedTable().slice(0, -2));
  for (let time = 0; time < 2; time++)
    expect(() => runToEnd(source.openSteps())).toThrow('The embedding table is damaged.');
});

it('an embedder source has another id for another table', () => {
  const packed = packedTable();
  const changed = `${packed.slice(0, -9)}${packed.at(-9) === '!' ? '#' : '!'}${packed.slice(-8)}`;
  expect(createEmbedderSource(changed).id).not.toBe(createEmbedderSource(packed).id);
});

it('keeps the unpacked table in the records of the device, and drops an older one', async () => {
  const blobs = createMemoryBlobs();
  await blobs.save([{ name: 'embedding-table-old', bytes: new Uint8Array(8) }]);
  const first = createEmbedderSource(packedTable());
  await first.restore(blobs);
  expect(first.isOpen()).toBe(false);
  const vector = runToEnd(first.openSteps()).vectorOf('the garden');
  await vi.waitFor(() =>
    expect([...blobs.records.keys()]).toEqual([`embedding-table-${first.id}`]),
  );
  const second = createEmbedderSource(packedTable());
  await second.restore(blobs);
  expect(second.isOpen()).toBe(true);
  expect(runToEnd(second.openSteps()).vectorOf('the garden')).toEqual(vector);
});

it('unpacks the table if its record is damaged or cannot be read', async () => {
  const blobs = createMemoryBlobs();
  const source = createEmbedderSource(packedTable());
  await blobs.save([{ name: `embedding-table-${source.id}`, bytes: new Uint8Array(40) }]);
  await source.restore(blobs);
  expect(source.isOpen()).toBe(false);
  const failing = createEmbedderSource(packedTable());
  await failing.restore({ ...blobs, load: () => Promise.reject(new Error('no disk')) });
  expect(runToEnd(failing.openSteps()).dimensions).toBe(failing.dimensions);
});
