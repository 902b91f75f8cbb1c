import { expect, it } from 'vitest';
import { createMeaningSource } from '../../../src/search/meaning/meaning-source.js';
import { packedTable } from '../../fakes/packed-table.js';

it('tells the dimensions of a table without reading it, and reads it once', () => {
  const source = createMeaningSource(packedTable());
  expect(source.open().dimensions).toBe(source.dimensions);
  expect(source.open()).toBe(source.open());
});

it('has another name for another table', () => {
  const packed = packedTable();
  const changed = `${packed.slice(0, -9)}${packed.at(-9) === '!' ? '#' : '!'}${packed.slice(-8)}`;
  expect(createMeaningSource(changed).id).not.toBe(createMeaningSource(packed).id);
});
