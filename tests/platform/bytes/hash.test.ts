import { describe, expect, it } from 'vitest';
import { hashSteps, hashText } from '../../../src/platform/bytes/hash.js';
import { runToEnd } from '../../../src/platform/run-sliced.js';

describe('hashSteps', () => {
  const hashOf = (text: string) => runToEnd(hashSteps(text, [1, 2]));

  it('returns the same hash as hashText for a short text', () => {
    expect(hashOf('roses')).toEqual(hashText('roses', [1, 2]));
  });

  it.each([0, 700_000, 1_499_999])('distinguishes long texts that differ only at %i', (at) => {
    const text = 'roses by the wall. '.repeat(80_000).slice(0, 1_500_000);
    expect(hashOf(`${text.slice(0, at)}#${text.slice(at + 1)}`)).not.toEqual(hashOf(text));
  });
});
