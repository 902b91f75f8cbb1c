import { describe, expect, it } from 'vitest';
import { createFingerprinter, isNearlySame } from '../../../src/search/text/fingerprint.js';

const fingerprinter = createFingerprinter();

function fingerprintOf(words: readonly number[]): readonly [number, number] {
  for (const word of words) fingerprinter.word(word);
  return fingerprinter.take();
}

function isSame(one: readonly number[], other: readonly number[]): boolean {
  return isNearlySame(...fingerprintOf(one), ...fingerprintOf(other));
}

/** Returns texts of 200 hashed words. */
function textsOf(count: number): number[][] {
  let state = 5;
  const next = () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0);
  return Array.from({ length: count }, () => Array.from({ length: 200 }, next));
}

/** Returns the text with every `step`th word replaced. */
const changed = (text: readonly number[], step: number) =>
  text.map((word, at) => (at % step === 1 ? word ^ 0x5bd1e995 : word));

const shareOf = (texts: readonly number[][], test: (text: number[], at: number) => boolean) =>
  texts.filter(test).length / texts.length;

describe('a fingerprint', () => {
  it('is equal for equal texts, and missing for short ones', () => {
    const [text] = textsOf(1);
    expect(fingerprintOf(text!)).toEqual(fingerprintOf(text!));
    expect(isSame(text!, text!)).toBe(true);
    expect(fingerprintOf(text!.slice(0, 39))).toEqual([0, 0]);
    expect(isSame(text!.slice(0, 39), text!.slice(0, 39))).toBe(false);
    expect(isSame(text!.slice(0, 40), text!.slice(0, 40))).toBe(true);
  });

  it('matches texts with few changes, but not texts that share only half', () => {
    const texts = textsOf(400);
    expect(shareOf(texts, (text) => isSame(text, changed(text, 40)))).toBeGreaterThan(0.99);
    expect(
      shareOf(texts, (text, at) =>
        isSame(text, [...text.slice(0, 100), ...texts[(at + 1) % 400]!.slice(100)]),
      ),
    ).toBeLessThan(0.01);
  });

  it('does not match different texts', () => {
    const texts = textsOf(400);
    expect(shareOf(texts, (text, at) => isSame(text, texts[(at + 1) % 400]!))).toBe(0);
  });
});
