import { describe, expect, it } from 'vitest';
import { revertChange } from '../../../src/acp/changes/revert-change.js';

const revert = (before: string, after: string, current: string) => {
  const { text, isConflict } = revertChange(
    before.replaceAll(' ', '\n'),
    after.replaceAll(' ', '\n'),
    current.replaceAll(' ', '\n'),
  );
  return `${text.replaceAll('\n', ' ')}${isConflict ? ' (conflict)' : ''}`;
};

describe('reverting a change', () => {
  it.each([
    ['restores the text if nothing was changed since', 'a b c', 'a x c', 'a x c', 'a b c'],
    ['keeps a line added elsewhere', 'a b c', 'a x c', 'a x c u', 'a b c u'],
    ['keeps a line added right after the change', 'a b c', 'a x c', 'a x u c', 'a b u c'],
    ['keeps a line added right before the change', 'a b c', 'a x c', 'a u x c', 'a u b c'],
    ['keeps a line added inside of the change', 'a c', 'a x y c', 'a x u y c', 'a u c'],
    [
      'keeps a rewritten line next to the old one',
      'a b c',
      'a x c',
      'a x! c',
      'a x! b c (conflict)',
    ],
    [
      'removes the other lines of a rewritten block',
      'a c',
      'a x y c',
      'a x! y c',
      'a x! c (conflict)',
    ],
    ['brings removed lines back', 'a b c', 'a c', 'a c u', 'a b c u'],
    ['brings a removed line back next to a new one', 'a b c', 'a c', 'a u c', 'a u b c'],
    ['does not repeat a line that was restored by hand', 'a b c', 'a c', 'a b c', 'a b c'],
    ['leaves a removed addition removed', 'a c', 'a x c', 'a c u', 'a c u'],
    ['keeps what was added to a new file', '', 'x y', 'x u y', 'u'],
  ])('%s', (_, before, after, current, expected) => {
    expect(revert(before, after, current)).toBe(expected);
  });

  it('keeps line ends of Windows', () => {
    expect(revertChange('a\r\nb\r\n', 'a\r\nx\r\n', 'a\r\nx\r\nu\r\n').text).toBe(
      'a\r\nb\r\nu\r\n',
    );
  });

  it('keeps new lines in a text with too many differences to compare', () => {
    const lines = (name: string) => Array.from({ length: 3000 }, (_, at) => `${name}${at}`);
    const [before, after] = [lines('b').join('\n'), lines('a').join('\n')];
    const { text } = revertChange(before, after, `${after}\nmine`);
    expect(text).toBe(`${before}\nmine`);
  });

  it('brings back any number of lines', () => {
    const before = 'line\n'.repeat(600_000);
    expect(revertChange(before, '', '').text).toBe(before);
  });
});
