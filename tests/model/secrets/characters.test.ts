import { describe, expect, it } from 'vitest';
import { matchesOf } from '../../../src/model/secrets/characters.js';

describe('matchesOf', () => {
  it('returns what matchAll returns, each time', () => {
    const pattern = /b(\d?)/g;
    for (const text of ['', 'aaa', 'b', 'ab1ab2b', 'ab1ab2b'])
      expect([...matchesOf(pattern, text)]).toEqual([...text.matchAll(pattern)]);
  });

  it('is not disturbed by a search for the same pattern meanwhile', () => {
    const pattern = /b\d/g;
    const found: string[] = [];
    for (const [outer] of matchesOf(pattern, 'b1 b2'))
      for (const [inner] of matchesOf(pattern, 'b3 b4')) found.push(outer + inner);
    expect(found).toEqual(['b1b3', 'b1b4', 'b2b3', 'b2b4']);
  });
});
