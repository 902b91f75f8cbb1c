import { expect, it, onTestFinished } from 'vitest';
import { bytesText } from '../../../src/obsidian/settings/amounts.js';
import { chooseLanguage } from '../../../src/obsidian/i18n/index.js';

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.0 KB'],
  [17_400, '17 KB'],
  [999_499, '999 KB'],
  [999_500, '1.0 MB'],
  [52_428_800, '52 MB'],
  [5e12, '5,000 GB'],
])('bytesText formats %d bytes as %s', (bytes, text) => {
  expect(bytesText(bytes)).toBe(text);
});

it('bytesText formats numbers in the language of the app', () => {
  onTestFinished(() => chooseLanguage('en'));
  chooseLanguage('de');
  expect(bytesText(1500)).toBe('1,5 KB');
  expect(bytesText(5e12)).toBe('5.000 GB');
});
