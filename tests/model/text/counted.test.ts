import { expect, it } from 'vitest';
import { counted } from '../../../src/model/text/counted.js';

it.each([
  [0, 'state', undefined, '0 states'],
  [1, 'state', undefined, '1 state'],
  [1234, 'state', undefined, '1,234 states'],
  [1, 'entry was', 'entries were', '1 entry was'],
  [2, 'entry was', 'entries were', '2 entries were'],
])('%i "%s" or "%s" is written as %j', (count, noun, plural, text) => {
  expect(counted(count, noun, plural)).toBe(text);
});
