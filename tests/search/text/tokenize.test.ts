import { describe, expect, it } from 'vitest';
import { formUnits, tokenize } from '../../../src/search/text/tokenize.js';

function tokens(text: string): string[] {
  const found: string[] = [];
  tokenize(text, 0, text.length, (start, end, length) => {
    found.push(`${String.fromCharCode(...formUnits.subarray(0, length))}@${start}-${end}`);
  });
  return found;
}

describe('tokenize', () => {
  it('splits at what is neither letter, digit nor mark, and lower-cases', () => {
    expect(tokens("Don't STOP_me-2x!")).toEqual([
      'don@0-3',
      't@4-5',
      'stop@6-10',
      'me@11-13',
      '2x@14-16',
    ]);
  });

  it('takes scripts without spaces in pairs, and the last character by itself', () => {
    expect(tokens('a花园里b')).toEqual(['a@0-1', '花园@1-3', '园里@2-4', '里@3-4', 'b@4-5']);
    expect(tokens('花')).toEqual(['花@0-1']);
  });

  it('keeps the halves of rare characters together and passes over emoji', () => {
    expect(tokens('𠀀𠀁😀x')).toEqual(['𠀀𠀁@0-4', '𠀁@2-4', 'x@6-7']);
  });

  it('passes over what has no width inside a word', () => {
    expect(tokens('pho\u00adto\u200dgraph')).toEqual(['photograph@0-12']);
  });

  it('knows a very long word by its first letters', () => {
    const [one] = tokens('x'.repeat(1_000));
    expect(one).toBe(`${'x'.repeat(64)}@0-1000`);
  });
});
