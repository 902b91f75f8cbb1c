import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashText } from '../../../src/platform/bytes/hash.js';
import { createIndex, type SearchIndex } from '../../../src/search/index.js';

function indexOf(texts: Readonly<Record<string, string>>): SearchIndex {
  const index = createIndex();
  for (const [key, text] of Object.entries(texts)) {
    index.put({
      key,
      hash: hashText(text),
      time: 0,
      labels: [],
      passages: [[{ name: 'text', text, weight: 1 }]],
    });
  }
  return index;
}

const keysOf = (index: SearchIndex, query: string) => index.search(query).map(({ key }) => key);

describe('a word that does not occur', () => {
  it.each(['configuraton', 'configuratoin', 'configuratiion', 'configurasion'])(
    'is corrected: %s',
    (typed) => {
      expect(
        keysOf(indexOf({ a: 'the configuration of a server', b: 'confidence in others' }), typed),
      ).toEqual(['a']);
    },
  );

  it('is corrected if it has any single typo after the first letter', () => {
    const letter = fc.constantFrom(...'bdgkmpvwxz7ж');
    const word = fc
      .array(letter, { minLength: 5, maxLength: 9 })
      .map((letters) => ['k', ...letters]);
    fc.assert(
      fc.property(
        word,
        letter,
        fc.nat(),
        fc.integer({ min: 0, max: 3 }),
        (letters, other, place, kind) => {
          const at = 1 + (place % (letters.length - 2));
          const edits = [
            [letters[at + 1]!, letters[at]!],
            [letters[at + 1]!],
            [other, letters[at]!, letters[at + 1]!],
            [other, letters[at + 1]!],
          ];
          const typed = [...letters.slice(0, at), ...edits[kind]!, ...letters.slice(at + 2)].join(
            '',
          );
          expect(keysOf(indexOf({ a: letters.join(''), b: 'something else' }), typed)).toEqual([
            'a',
          ]);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('matches compounds that start or end with it', () => {
    const index = indexOf({
      a: 'Die Dampfschifffahrt auf der Donau ist eine alte Sache, und wir fahren gern mit',
      b: 'Das Schiffsdampfer und die Menschen, die nicht an das Wasser wollen',
      c: 'Ein Zug fährt durch das Tal, und niemand hat die 1234dampf gesehen',
    });
    expect(keysOf(index, 'dampf').sort()).toEqual(['a', 'b']);
  });

  it('has no effect on words that do occur', () => {
    expect(keysOf(indexOf({ a: 'conversation', b: 'conservation' }), 'conversation')).toEqual([
      'a',
    ]);
  });
});
