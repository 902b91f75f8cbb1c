import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createWordReader, tokensOf } from '../../../src/search/vectors/word-pieces.js';
import { packedTable } from '../../fakes/packed-table.js';
import { openEmbeddingTable } from '../../../src/search/vectors/embedding-table.js';

function createWordPieces(numbers: ReadonlyMap<string, number>, ...unknown: number[]) {
  const read = createWordReader(numbers, unknown);
  return (text: string) => {
    const all: number[] = [];
    read(text, (pieces) => all.push(...pieces));
    return all;
  };
}

const { numberOf } = openEmbeddingTable(packedTable());
const names = [...numberOf.keys()];
const wordPieces = createWordPieces(numberOf);
const namesOf = (text: string) => wordPieces(text).map((piece) => names[piece]);

/** Splits a word greedily into the longest pieces. Returns none if a piece is missing. */
function longestPieces(word: string): string[] {
  const pieces: string[] = [];
  for (let rest = word; rest !== '';) {
    const mark = pieces.length > 0 ? '##' : '';
    const length = Array.from(rest, (_, at) => rest.length - at).find((own) =>
      numberOf.has(mark + rest.slice(0, own)),
    );
    if (length === undefined || word.length > 100) return [];
    pieces.push(mark + rest.slice(0, length));
    rest = rest.slice(length);
  }
  return pieces;
}

describe('tokensOf', () => {
  it.each([
    ['Hello, WORLD!', ['hello', ',', 'world', '!']],
    ['don’t stop-it', ['don', '’', 't', 'stop', '-', 'it']],
    ['a$b `code` x^2', ['a', '$', 'b', '`', 'code', '`', 'x', '^', '2']],
    ['Résumé Ångström naïve İstanbul', ['resume', 'angstrom', 'naive', 'istanbul']],
    ['ab认证c', ['ab', '认', '证', 'c']],
    ['𠀀x', ['𠀀', 'x']],
    ['zero\u200bwidth\u00adhyphen\ufeff', ['zerowidthhyphen']],
    ['tab\tline\r\nnull\0gone\u0007', ['tab', 'line', 'nullgone']],
    ['¿qué?', ['¿', 'que', '?']],
    ['', []],
    [' \n ', []],
  ])('tokenizes %j as BERT does', (text, tokens) => {
    expect(tokensOf(text)).toEqual(tokens);
  });
});

describe('createWordReader', () => {
  it.each([
    ['playing', ['playing']],
    ['embeddings', ['em', '##bed', '##ding', '##s']],
    ['unaffable', ['una', '##ffa', '##ble']],
    ['tokenization', ['token', '##ization']],
    ['The Quick', ['the', 'quick']],
    ['resumé', ['resume']],
  ])('splits %j as BERT does', (text, pieces) => {
    expect(namesOf(text)).toEqual(pieces);
  });

  it('splits any text word by word', () => {
    const word = fc.oneof(
      fc.constantFrom(...names.filter((name) => !name.startsWith('##')).slice(0, 500)),
      fc.string({ unit: 'grapheme' }),
      fc.stringMatching(/^[ -~]*$/),
      fc.stringMatching(/^[a-zA-Z]{60,110}$/),
    );
    const text = fc
      .array(
        fc.tuple(word, fc.constantFrom(' ', '\n', '\t', '\r', '\u00a0', '\u200b', '\0', '-', '')),
      )
      .map((parts) => parts.flat().join(''));
    fc.assert(
      fc.property(text, (given) => {
        expect(namesOf(given)).toEqual(tokensOf(given).flatMap(longestPieces));
      }),
    );
  });

  it('omits only words without pieces', () => {
    expect(namesOf('hello 认证 мир world')).toEqual(['hello', 'world']);
  });

  it('uses the given number for unknown words', () => {
    expect(createWordPieces(new Map([['a', 1]]), 0)('a b a')).toEqual([1, 0, 1]);
  });

  it('does not split a word of more than 100 letters', () => {
    const letters = createWordPieces(
      new Map([
        ['a', 1],
        ['##a', 2],
      ]),
      0,
    );
    expect(letters('a'.repeat(100))).toHaveLength(100);
    expect(letters('a'.repeat(101))).toEqual([0]);
  });

  it('returns the same pieces after its cache is cleared', () => {
    const first = wordPieces('unaffable embeddings');
    wordPieces(Array.from({ length: 30_000 }, (_, at) => `word${at}`).join(' '));
    expect(wordPieces('unaffable embeddings')).toEqual(first);
  });
});
