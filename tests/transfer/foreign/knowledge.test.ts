import { expect, it } from 'vitest';
import { sections } from '../../../src/transfer/foreign/knowledge.js';

it('lists stand under their titles, an entry of several lines as one, and what is empty nowhere', () => {
  expect(
    sections([
      ['A', ['one', 'two\nlines']],
      ['B', []],
      ['C', ['three']],
    ]),
  ).toBe('A:\n- one\n- two\n  lines\n\nC:\n- three');
  expect(sections([['B', []]])).toBe('');
});
