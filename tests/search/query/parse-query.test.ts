import { describe, expect, it } from 'vitest';
import { parseQuery } from '../../../src/search/query/parse-query.js';

describe('parseQuery', () => {
  it('distinguishes words, phrases, unwanted words and conditions', () => {
    expect(
      parseQuery(
        'red "rose bed" -oak -"old oak" tag:#A/b path:"My Folder" File:beds [Status:Done] -[open] a:b',
      ),
    ).toEqual([
      {
        words: 'red a:b',
        phrases: ['rose bed'],
        unwanted: ['oak', 'old oak'],
        conditions: [
          { kind: 'label', value: 'tag:a/b', isWanted: true },
          { kind: 'path', value: 'my folder', isWanted: true },
          { kind: 'file', value: 'beds', isWanted: true },
          { kind: 'label', value: 'property:status=done', isWanted: true },
          { kind: 'label', value: 'property:open', isWanted: false },
        ],
      },
    ]);
  });

  it('splits only at an uppercase OR', () => {
    expect(parseQuery('red OR blue or green OR').map(({ words }) => words)).toEqual([
      'red',
      'blue or green',
    ]);
  });

  it('treats unclosed quotes and a single dash as words', () => {
    expect(parseQuery('"open - [also')).toMatchObject([
      { words: '"open - [also', phrases: [], unwanted: [] },
    ]);
  });

  it('treats a quotation in a long sentence as words', () => {
    const sentence =
      'which of the systems that I read about last year in the summer says "type correct"';
    expect(parseQuery(sentence)).toMatchObject([{ phrases: [] }]);
    expect(parseQuery('systems "type correct"')).toMatchObject([{ phrases: ['type correct'] }]);
  });
});
