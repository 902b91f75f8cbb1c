import { expect, it } from 'vitest';
import { titledLists } from '../../../src/transfer/foreign/knowledge.js';

it('titledLists formats lists under their titles, and omits empty ones', () => {
  expect(
    titledLists([
      ['A', ['one', 'two\nlines']],
      ['B', []],
      ['C', ['three']],
    ]),
  ).toBe('A:\n- one\n- two\n  lines\n\nC:\n- three');
  expect(titledLists([['B', []]])).toBe('');
});
