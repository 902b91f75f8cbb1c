import { describe, expect, it } from 'vitest';
import { hashText } from '../../../src/platform/bytes/hash.js';
import { createIndex } from '../../../src/search/index.js';

const NOTES = {
  thai: 'Curry with coconut milk: heat the coconut milk, fry the paste, add more coconut milk. Curry for two.',
  dal: 'Curry of lentils. Cumin, onions and tomatoes; it needs no coconut milk, and the whole pot costs next to nothing. Simmer it for half an hour, stir in the spinach, and serve it with bread or rice.',
  bread: 'Flour, water and salt.',
};

function searchNotes(query: string, titles: Partial<Record<keyof typeof NOTES, string>> = {}) {
  const index = createIndex();
  for (const [key, text] of Object.entries(NOTES)) {
    const title = titles[key as keyof typeof NOTES] ?? key;
    const passage = [
      { name: 'title', text: title, weight: 1 },
      { name: 'text', text, weight: 1 },
    ];
    index.put({
      key,
      hash: hashText(key),
      time: 0,
      labels: [],
      names: [title],
      passages: [passage],
    });
  }
  return index.search(query).map(({ key }) => key);
}

describe('a query that excludes something', () => {
  it('ranks a document about it below one that only mentions it', () => {
    expect(searchNotes('curry')).toEqual(['thai', 'dal']);
    expect(searchNotes('curry without coconut milk')).toEqual(['dal', 'thai']);
  });

  it('still finds documents about it', () => {
    expect(searchNotes('coconut milk without cumin')).toContain('thai');
  });

  it('ranks a document first whose name is the query', () => {
    const titles = { thai: 'Curry without coconut milk' };
    expect(searchNotes('curry without coconut milk', titles)[0]).toBe('thai');
  });

  it('excludes nothing because of words in quotation marks', () => {
    expect(searchNotes('curry without "coconut milk"')[0]).toBe('thai');
  });
});
