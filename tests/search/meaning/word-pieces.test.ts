import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createWordPieces, tokensOf } from '../../../src/search/meaning/word-pieces.js';
import { packedTable } from '../../fakes/packed-table.js';
import { openTable } from '../../../src/search/meaning/table.js';

const { numberOf } = openTable(packedTable());
const names = [...numberOf.keys()];
const wordPieces = createWordPieces(numberOf);
const namesOf = (text: string) => wordPieces(text).map((piece) => names[piece]);

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
  ])('reads %j as BERT does', (text, tokens) => {
    expect(tokensOf(text)).toEqual(tokens);
  });
});

it('reads plain text like any other', () => {
  const plain = fc.stringMatching(/^[\t\n\r -~]*$/);
  fc.assert(
    fc.property(plain, (text) => {
      expect(tokensOf(`${text} é`)).toEqual([...tokensOf(text), 'e']);
    }),
  );
});

describe('createWordPieces', () => {
  it.each([
    ['playing', ['playing']],
    ['embeddings', ['em', '##bed', '##ding', '##s']],
    ['unaffable', ['una', '##ffa', '##ble']],
    ['tokenization', ['token', '##ization']],
    ['The Quick', ['the', 'quick']],
    ['resumé', ['resume']],
  ])('cuts %j as BERT does', (text, pieces) => {
    expect(namesOf(text)).toEqual(pieces);
  });

  it('leaves out a word that has no pieces, and nothing else', () => {
    expect(namesOf('hello 认证 мир world')).toEqual(['hello', 'world']);
  });

  it('gives the number for the unknown where there is one', () => {
    expect(createWordPieces(new Map([['a', 1]]), 0)('a b a')).toEqual([1, 0, 1]);
  });

  it('does not cut a word of more than a hundred letters', () => {
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

  it('cuts alike however many words came before', () => {
    const first = wordPieces('unaffable embeddings');
    wordPieces(Array.from({ length: 30_000 }, (_, at) => `word${at}`).join(' '));
    expect(wordPieces('unaffable embeddings')).toEqual(first);
  });
});
