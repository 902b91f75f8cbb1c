import { expect, it } from 'vitest';
import { runToEnd } from '../../../src/platform/run-sliced.js';
import { createEmbedderSource } from '../../../src/search/vectors/embedder-source.js';
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
