import { expect, test } from 'vitest';
import { addToList } from '../../src/platform/lists.js';

test('a value is added to the list at its key, in order', () => {
  const lists = new Map([['a', [1]]]);
  addToList(lists, 'a', 2);
  addToList(lists, 'b', 3);
  expect([...lists]).toEqual([
    ['a', [1, 2]],
    ['b', [3]],
  ]);
});
