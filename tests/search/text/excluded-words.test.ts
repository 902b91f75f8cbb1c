import { describe, expect, it } from 'vitest';
import { splitExclusions } from '../../../src/search/text/excluded-words.js';

const ENGLISH = 0;
const GERMAN = 1;
const FRENCH = 2;
const LANGUAGES = [ENGLISH, GERMAN];

describe('splitExclusions', () => {
  it.each([
    ['curry recipes without coconut milk', 'curry recipes', 'coconut milk'],
    ['excluding docker, how did I deploy the app', 'how did I deploy the app', 'docker'],
    ['fixing a leak without a plumber under the sink', 'fixing a leak under the sink', 'plumber'],
    ['easy walks, but not along the canal, near Bath', 'easy walks, but near Bath', 'canal'],
    ['novels other than crime did I read', 'novels did I read', 'crime'],
    ['sleep without melatonin or pills', 'sleep', 'melatonin pills'],
    ['quick breakfast no eggs', 'quick breakfast', 'eggs'],
    ['team notes not about the budget', 'team notes', 'budget'],
    ["hotels that aren't in Alfama", 'hotels', 'alfama'],
    ['notes on sleep excluding anything about caffeine', 'notes on sleep', 'caffeine'],
    ["games for kids that don't use dice", 'games for kids', 'dice'],
    ['Kuchen ohne Nüsse für den Kindergarten', 'Kuchen für den Kindergarten', 'nüsse'],
    ['Prüfungsstoff Biologie außer Genetik', 'Prüfungsstoff Biologie', 'genetik'],
    ['Filme für die Kinder, aber kein Zeichentrick', 'Filme für die Kinder, aber', 'zeichentrick'],
    ['Training für den Lauf, Intervalle ausgenommen', 'Training für den Lauf,', 'intervalle'],
  ])('separates what %j excludes', (query, wanted, excluded) => {
    expect(splitExclusions({ words: query, phrases: [] }, LANGUAGES)).toEqual({ wanted, excluded });
  });

  it('excludes nothing in a language without exclusion words', () => {
    const query = 'soupe sans crème pour le soir';
    const split = splitExclusions({ words: query, phrases: [] }, [FRENCH]);
    expect(split).toEqual({ wanted: query, excluded: '' });
  });

  it.each([
    'why does bluetooth not reconnect after sleep',
    'what not to say in an interview',
    'warum pumpt die Waschmaschine nicht ab',
    'meine Tomaten werden nicht rot',
    'without you',
    'not',
    'Grundlagen des Rechts',
    '',
  ])('excludes nothing in %j', (query) => {
    expect(splitExclusions({ words: query, phrases: [] }, LANGUAGES)).toEqual({
      wanted: query,
      excluded: '',
    });
  });

  it('excludes nothing in a query with quotation marks', () => {
    const branch = { words: 'songs without piano', phrases: ['slow song'] };
    expect(splitExclusions(branch, LANGUAGES).excluded).toBe('');
    expect(
      splitExclusions({ words: 'songs "without piano"', phrases: [] }, LANGUAGES).excluded,
    ).toBe('');
  });

  it('reads a query without function words in the common languages of the documents', () => {
    const query = 'Biologie außer Genetik';
    expect(splitExclusions({ words: query, phrases: [] }, [ENGLISH]).excluded).toBe('');
    expect(splitExclusions({ words: query, phrases: [] }, LANGUAGES).excluded).toBe('genetik');
  });
});
