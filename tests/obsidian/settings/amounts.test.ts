import { expect, it } from 'vitest';
import { bytesText } from '../../../src/obsidian/settings/amounts.js';

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.0 KB'],
  [17_400, '17 KB'],
  [999_499, '999 KB'],
  [999_500, '1.0 MB'],
  [52_428_800, '52 MB'],
  [5e12, '5,000 GB'],
])('%d bytes are %s', (bytes, text) => {
  expect(bytesText(bytes)).toBe(text);
});
