import { describe, expect, it } from 'vitest';
import { ENGLISH, GERMAN } from '../../../src/search/text/languages.js';
import { queryWords } from '../../../src/search/text/query-words.js';

describe('the words of a query', () => {
  it('are stemmed by the languages that are asked for, whatever was read before', () => {
    const stems = (languages: readonly number[]) =>
      queryWords('gardens Häuser', languages).map((word) => word.stems);
    const [english, german] = [stems([ENGLISH]), stems([GERMAN])];
    expect(english).toEqual([['garden'], ['hauser']]);
    expect(german).not.toEqual(english);
    expect(stems([ENGLISH])).toEqual(english);
  });

  it('are the same after many others were read', () => {
    const before = queryWords('the running houses', [ENGLISH]);
    const others = Array.from({ length: 6000 }, (_, at) => `word${at}`);
    queryWords(others.join(' '), [ENGLISH]);
    expect(queryWords('the running houses', [ENGLISH])).toEqual(before);
  });
});
