import { describe, expect, it } from 'vitest';
import { runSteps } from '../../../src/platform/byte-writer.js';
import { openMeaningSteps } from '../../../src/search/vectors/meaning.js';
import { packedTable } from '../../fakes/packed-table.js';

const meaning = runSteps(openMeaningSteps(packedTable()));

function nearness(one: string, other: string): number {
  const [a, b] = [meaning.vectorOf(one), meaning.vectorOf(other)];
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
  ])('puts %j nearer to %j than to %j', (text, like, unlike) => {
    expect(nearness(text, like)).toBeGreaterThan(nearness(text, unlike) + 0.1);
  });

  it('has the length 127, up to rounding', () => {
    const square = meaning
      .vectorOf('a vector of some words about nothing in particular')
      .reduce((sum, value) => sum + value * value, 0);
    expect(Math.abs(Math.sqrt(square) - 127)).toBeLessThan(3);
  });

  it('depends on nothing but the text', () => {
    const text = 'The same text gives the same numbers.';
    const first = meaning.vectorOf(text);
    meaning.vectorOf('something else altogether');
    expect(meaning.vectorOf(text)).toEqual(first);
    expect(runSteps(openMeaningSteps(packedTable())).vectorOf(text)).toEqual(first);
  });

  it('is the same for other letters of the same word', () => {
    expect(meaning.vectorOf('RÉSUMÉ of Zoë')).toEqual(meaning.vectorOf('resume of zoe'));
  });

  it.each(['', ' \n\t', '!?…', '认证', '\u0000', '👍🏽'])(
    'is all zeros for %j, which has no piece',
    (text) => {
      expect(meaning.vectorOf(text)).toEqual(new Int8Array(meaning.dimensions));
    },
  );

  it('takes a text of 1 MB, with white space and without', () => {
    const spaced = 'budget plan for next year '.repeat(40_000);
    expect(meaning.vectorOf(spaced)).toEqual(meaning.vectorOf('budget plan for next year '));
    expect(meaning.vectorOf('x'.repeat(1_000_000))).toEqual(new Int8Array(meaning.dimensions));
  });

  it('reads a long text as it reads its words, wherever the parts are cut', () => {
    const words = Array.from(
      { length: 30_000 },
      (_, at) => ['gardening', 'invoices', 'unaffable'][at % 3] ?? '',
    );
    const text = words.join(' ');
    expect(nearness(text, 'gardening invoices unaffable')).toBeGreaterThan(0.98);
  });
});
