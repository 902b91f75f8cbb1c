import { expect, it } from 'vitest';
import { runSteps } from '../../../src/platform/byte-writer.js';
import { createMeaningSource } from '../../../src/search/vectors/meaning-source.js';
import { packedTable } from '../../fakes/packed-table.js';

it('tells the dimensions of a table without reading it, and reads it once', () => {
  const source = createMeaningSource(packedTable());
  const opened = runSteps(source.openSteps());
  expect(opened.dimensions).toBe(source.dimensions);
  expect(runSteps(source.openSteps())).toBe(opened);
});

it('is read once for several who ask at the same time', () => {
  const source = createMeaningSource(packedTable());
  const [one, other] = [source.openSteps(), source.openSteps()];
  for (let turn = 0; turn < 50; turn++)
    for (const steps of [one, other]) expect(steps.next().done).toBe(false);
  const opened = runSteps(one);
  expect(other.next()).toEqual({ done: true, value: opened });
});

it('says each time that a table is damaged', () => {
  const source = createMeaningSource(packedTable().slice(0, -2));
  for (let time = 0; time < 2; time++)
    expect(() => runSteps(source.openSteps())).toThrow('This table of meaning is damaged.');
});

it('has another name for another table', () => {
  const packed = packedTable();
  const changed = `${packed.slice(0, -9)}${packed.at(-9) === '!' ? '#' : '!'}${packed.slice(-8)}`;
  expect(createMeaningSource(changed).id).not.toBe(createMeaningSource(packed).id);
});
