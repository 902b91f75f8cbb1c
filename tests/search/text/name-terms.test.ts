import { describe, expect, it } from 'vitest';
import { ENGLISH, GERMAN } from '../../../src/search/text/languages.js';
import { nameQueries, nameTerms } from '../../../src/search/text/name-terms.js';
import { Vocabulary } from '../../../src/search/text/vocabulary.js';

/** Returns the terms of a name as a query for it has them. */
function asQuery(name: string, language: number): number[] {
  const [query] = nameQueries(name, [language]);
  return [...new Set(query!.words.map(([term]) => term!))];
}

describe('the terms of a name', () => {
  it.each([
    ['The running of the bulls', ENGLISH],
    ['The Who', ENGLISH],
    ['readTextFile and other functions', ENGLISH],
    ['Übersicht der Häuser und Gärten', GERMAN],
    ['Was the house in the garden', GERMAN],
    ['日本語の手引き notes', ENGLISH],
    ['Привет и добро пожаловать', ENGLISH],
    ['new new york', ENGLISH],
  ])('are those of a query for "%s"', (name, language) => {
    expect(nameTerms(name, language, new Vocabulary()).terms).toEqual(asQuery(name, language));
  });

  it('do not depend on what the vocabulary has already', () => {
    const vocabulary = new Vocabulary();
    nameTerms('Other gardens, and the houses', GERMAN, vocabulary);
    const again = nameTerms('The gardens of the houses', ENGLISH, vocabulary);
    expect(again).toEqual(nameTerms('The gardens of the houses', ENGLISH, new Vocabulary()));
  });
});
