import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wordPlaces } from '../../../src/obsidian/search/word-places.js';

describe('the places of words in a text', () => {
  it('are those of each word and part of a word, ignoring case', () => {
    expect(wordPlaces('Moon in the model: full moons', 'MOON model')).toEqual([
      [0, 4],
      [12, 17],
      [24, 28],
    ]);
    expect(wordPlaces('Moon', 'sun  ')).toEqual([]);
  });

  it('are in order and do not overlap', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'b', 'A') }),
        fc.string(),
        (text, more) => {
          const places = wordPlaces(text, `a ab ba ${more}`);
          const flat = places.flat();
          expect(flat).toEqual([...new Set(flat)].sort((a, b) => a - b));
        },
      ),
    );
  });

  it('are none if lower case moves the characters', () => {
    expect(wordPlaces('İstanbul moon', 'moon')).toEqual([]);
  });
});
