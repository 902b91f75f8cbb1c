import { describe, expect, it } from 'vitest';
import { rank } from '../../src/search/rank.js';

const order = (query: string, texts: string[], weights: number[] = []) =>
  rank(query, [...texts.keys()], (at) => [{ text: texts[at]!, weight: weights[at] ?? 1 }]).map(({ item }) => item);

describe('rank', () => {
  it('leaves out what holds no word of the query', () => {
    expect(order('rose', ['a tulip', 'a rose', ''])).toEqual([1]);
  });

  it('puts first what holds the rarer word, more of the words, or the word more often', () => {
    expect(order('common rare', ['common', 'rare', 'common', 'common'])[0]).toBe(1);
    expect(order('red rose', ['a red car there', 'a red rose there', 'a rose by it'])[0]).toBe(1);
    expect(order('rose', ['rose and tulip and oak', 'rose rose rose and oak'])[0]).toBe(1);
  });

  it('weighs fields', () => {
    expect(order('rose', ['rose', 'rose'], [1, 3])[0]).toBe(1);
  });

  it('counts a longer word that begins with the term, for less than the word itself', () => {
    expect(order('auth', ['authentication', 'auth', 'author of it'])[0]).toBe(1);
    expect(order('auth', ['authentication', 'other'])).toEqual([0]);
    expect(order('au', ['authentication'])).toEqual([]);
  });

  it('tells scores as shares of the best', () => {
    const hits = rank('rose', ['rose', 'rose and many more words beside it'], (text) => [{ text, weight: 1 }]);
    expect(hits[0]?.score).toBe(1);
    expect(hits[1]?.score).toBeGreaterThan(0);
    expect(hits[1]?.score).toBeLessThan(1);
  });
});
