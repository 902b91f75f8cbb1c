import { describe, expect, it } from 'vitest';
import { operatorsIn, parseAsWords, parseQuery } from '../../../src/search/query/parse-query.js';

describe('parseQuery', () => {
  it('distinguishes words, phrases, unwanted words and conditions', () => {
    expect(
      parseQuery(
        'red "rose bed" -oak -"old oak" tag:#A/b path:"My Folder" File:beds [Status:Done] -[open] a:b',
      ),
    ).toEqual([
      {
        words: 'red a:b',
        phrases: ['rose bed'],
        unwanted: ['oak', 'old oak'],
        conditions: [
          { kind: 'label', value: 'tag:a/b', isWanted: true },
          { kind: 'path', value: 'my folder', isWanted: true },
          { kind: 'file', value: 'beds', isWanted: true },
          { kind: 'label', value: 'property:status=done', isWanted: true },
          { kind: 'label', value: 'property:open', isWanted: false },
        ],
      },
    ]);
  });

  it('splits only at an uppercase OR', () => {
    expect(parseQuery('red OR blue or green OR').map(({ words }) => words)).toEqual([
      'red',
      'blue or green',
    ]);
  });

  it('treats unclosed quotes and a single dash as words', () => {
    expect(parseQuery('"open - [also')).toMatchObject([
      { words: '"open - [also', phrases: [], unwanted: [] },
    ]);
  });

  it('treats a quotation in a long sentence as words', () => {
    const sentence =
      'which of the systems that I read about last year in the summer says "type correct"';
    expect(parseQuery(sentence)).toMatchObject([{ phrases: [] }]);
    expect(parseQuery('systems "type correct"')).toMatchObject([{ phrases: ['type correct'] }]);
  });
});

describe('a pasted query', () => {
  it.each([
    ['file:///home/me/vault/Rose%20bed.md', 'Rose bed'],
    ['obsidian://open?vault=Docs&file=B%C3%A4ume#Oak', 'Bäume'],
    ['obsidian://open?path=C%3A%5Cvault%5CRoses.md&line=3', 'Roses'],
    ['file:///home/ana/notes.txt', 'notes.txt'],
    ['file:///home/me/100%/', '100%'],
    ['https://example.org/Rose%20bed.md', 'https://example.org/Rose%20bed.md'],
  ])('reads the address of a file as its name: %s', (query, words) => {
    expect(parseQuery(query)).toEqual([{ words, phrases: [], unwanted: [], conditions: [] }]);
    expect(parseAsWords(query)).toEqual(parseQuery(query));
  });

  it('reads the folder in an address of Obsidian as a condition', () => {
    const address = 'obsidian://open?vault=Docs&file=garden%2Findex';
    const conditions = [{ kind: 'path', value: 'garden/index', isWanted: true }];
    expect(parseQuery(address)).toMatchObject([{ words: 'index', conditions }]);
    expect(parseAsWords(address)).toMatchObject([{ words: 'index', conditions: [] }]);
  });

  it.each([
    'rsync -a -v --delete from to',
    'git commit -m -2.5 -rf -x=1 well-known',
    '[Errno 2]: No such file "/tmp',
    '[[Deploy notes]]',
    '![[Deploy notes#Steps|here]]',
    '[Deploy notes](deploy.md)',
    '- [ ] call Bob',
    '[System.IO.File]::ReadAllText($path)',
    '[12:30] Bob: hello',
  ])('has no operators: %s', (query) => {
    expect(operatorsIn(query)).toEqual([]);
    expect(parseQuery(query)).toEqual([
      { words: query, phrases: [], unwanted: [], conditions: [] },
    ]);
  });

  it('excludes no option that the documents have, and asks for no property that they lack', () => {
    const known = {
      isOption: (option: string) => option === '-avz',
      isProperty: (name: string) => name === 'status',
      isPath: () => false,
    };
    expect(operatorsIn('rsync -avz -oak [status:done] [error:none] [x] [Errno 2]', known)).toEqual([
      '-oak',
      '[status=done]',
    ]);
  });

  it('excludes words of scripts without spaces, and quoted phrases', () => {
    expect(operatorsIn('香蕉 -苹果 -"old oak" -tag:a OR b')).toEqual([
      '-苹果',
      '-old oak',
      '-tag:a',
      'OR',
    ]);
  });
});
