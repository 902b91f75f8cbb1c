import { describe, expect, it } from 'vitest';
import { createEmbedder } from '../../../src/search/vectors/embedder.js';
import { openEmbeddingTable } from '../../../src/search/vectors/embedding-table.js';
import { packedTable } from '../../fakes/packed-table.js';

const embedder = createEmbedder(openEmbeddingTable(packedTable()));

function similarity(one: string, other: string): number {
  const [a, b] = [embedder.vectorOf(one), embedder.vectorOf(other)];
  return a.reduce((sum, value, column) => sum + value * (b[column] ?? 0), 0) / 127 ** 2;
}

describe('vectorOf', () => {
  it.each([
    ['car', 'automobile', 'banana'],
    ['doctor', 'physician', 'keyboard'],
    ['sign in to the account', 'login with a password', 'water the tomatoes'],
    ['delete a file', 'remove the document', 'a walk along the beach'],
    [
      'the meeting was moved to Friday',
      'our appointment has been rescheduled',
      'the soup needs more salt',
    ],
    ['error handling in code', 'catching exceptions in a program', 'a holiday in the mountains'],
    ['How much did the flight cost?', 'price of the airline ticket', 'the cat sleeps on the sofa'],
    ['she adopted a puppy', 'her new dog', 'quarterly tax report'],
    ['the money we owe the bank', 'repaying a loan', 'tuning a guitar'],
  ])('finds %j more similar to %j than to %j', (text, like, unlike) => {
    expect(similarity(text, like)).toBeGreaterThan(similarity(text, unlike) + 0.1);
  });

  it('returns a vector of length 127, apart from rounding', () => {
    const square = embedder
      .vectorOf('a vector of some words about nothing in particular')
      .reduce((sum, value) => sum + value * value, 0);
    expect(Math.abs(Math.sqrt(square) - 127)).toBeLessThan(3);
  });

  it('depends only on the text', () => {
    const text = 'The same text gives the same numbers.';
    const first = embedder.vectorOf(text);
    embedder.vectorOf('something else altogether');
    expect(embedder.vectorOf(text)).toEqual(first);
    expect(createEmbedder(openEmbeddingTable(packedTable())).vectorOf(text)).toEqual(first);
  });

  it('ignores case and accents', () => {
    expect(embedder.vectorOf('RÉSUMÉ of Zoë')).toEqual(embedder.vectorOf('resume of zoe'));
  });

  it.each(['', ' \n\t', '!?…', '认证', '\u0000', '👍🏽'])(
    'returns zeros for %j, which has no word pieces',
    (text) => {
      expect(embedder.vectorOf(text)).toEqual(new Int8Array(embedder.dimensions));
    },
  );

  it('accepts a text of 1 MB, with and without spaces', () => {
    const spaced = 'budget plan for next year '.repeat(40_000);
    expect(embedder.vectorOf(spaced)).toEqual(embedder.vectorOf('budget plan for next year '));
    expect(embedder.vectorOf('x'.repeat(1_000_000))).toEqual(new Int8Array(embedder.dimensions));
  });

  it('returns a similar vector for a long text and for its words', () => {
    const words = Array.from(
      { length: 30_000 },
      (_, at) => ['gardening', 'invoices', 'unaffable'][at % 3] ?? '',
    );
    const text = words.join(' ');
    expect(similarity(text, 'gardening invoices unaffable')).toBeGreaterThan(0.98);
  });
});
