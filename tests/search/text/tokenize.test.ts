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
  it('splits at everything except letters, digits and combining marks', () => {
    expect(tokens("Don't STOP_me-2x!")).toEqual([
      'don@0-3',
      't@4-5',
      'stop@6-10',
      'me@11-13',
      '2x@14-16',
    ]);
  });

  it('splits scripts without spaces into pairs and a last character', () => {
    expect(tokens('a花园里b')).toEqual(['a@0-1', '花园@1-3', '园里@2-4', '里@3-4', 'b@4-5']);
    expect(tokens('花')).toEqual(['花@0-1']);
  });

  it('keeps surrogate pairs together, emoji included', () => {
    expect(tokens('𠀀𠀁😀x')).toEqual(['𠀀𠀁@0-4', '𠀁😀@2-6', '😀@4-6', 'x@6-7']);
  });

  it('skips zero-width characters inside a word', () => {
    expect(tokens('pho\u00adto\u200dgraph')).toEqual(['photograph@0-12']);
  });

  it('truncates a very long word', () => {
    const [one] = tokens('x'.repeat(1_000));
    expect(one).toBe(`${'x'.repeat(64)}@0-1000`);
  });
});
