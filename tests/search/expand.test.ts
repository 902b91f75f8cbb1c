import { describe, expect, it } from 'vitest';
import { hashText } from '../../src/search/bytes.js';
import { createIndex, type SearchIndex } from '../../src/search/index.js';

function indexOf(texts: Readonly<Record<string, string>>): SearchIndex {
  const index = createIndex();
  for (const [key, text] of Object.entries(texts)) {
    index.put({ key, hash: hashText(text), time: 0, labels: [], passages: [[{ name: 'text', text, weight: 1 }]] });
  }
  return index;
}

const keysOf = (index: SearchIndex, query: string) => index.search(query).map(({ key }) => key);

describe('words that occur nowhere', () => {
  it.each(['configuraton', 'configuratoin', 'configuratiion', 'configurasion'])('finds configuration by %s', (typed) => {
    expect(keysOf(indexOf({ a: 'the configuration of a server', b: 'confidence in others' }), typed)).toEqual(['a']);
  });

  it('leaves alone a word that is there, however near it is to another', () => {
    expect(keysOf(indexOf({ a: 'conversation', b: 'conservation' }), 'conversation')).toEqual(['a']);
  });
});
