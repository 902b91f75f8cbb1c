import { describe, expect, it } from 'vitest';
import { correctSpelling } from '../../../src/search/vectors/spelling.js';

const WORDS = new Set(['tomato', 'garden', 'watering', 'water', 'quiet', 'quite']);
const correct = (query: string, familiar: readonly string[] = []) =>
  correctSpelling(
    query,
    (word) => WORDS.has(word),
    (word) => familiar.includes(word),
  );

describe('correctSpelling', () => {
  it.each([
    ['a missing letter', 'gaden', 'garden'],
    ['a further letter', 'wattering', 'watering'],
    ['another letter', 'tomavo', 'tomato'],
    ['swapped letters', 'gadren', 'garden'],
  ])('corrects %s', (_, typed, corrected) => {
    expect(correct(`the ${typed} plan`)).toBe(`the ${corrected} plan`);
  });

  it('leaves known words, and words that occur in what is searched', () => {
    expect(correct('garden, gardan')).toBe('garden, garden');
    expect(correct('gardan', ['gardan'])).toBe('gardan');
  });

  it('prefers a word that occurs in what is searched', () => {
    expect(correct('quiete')).toBe('quite');
    expect(correct('quiete', ['quiet'])).toBe('quiet');
  });

  it('tries no edits of a word that is too long to be one', () => {
    let tried = 0;
    const isNoWord = () => {
      tried++;
      return false;
    };
    correctSpelling('a'.repeat(10_000), isNoWord, isNoWord);
    expect(tried).toBe(0);
  });

  it('leaves short words, words in other letters, and words without a correction', () => {
    expect(correct('watr')).toBe('watr');
    expect(correct('Müllergardan')).toBe('Müllergardan');
    expect(correct('kubernetes')).toBe('kubernetes');
  });
});
