import { describe, expect, it } from 'vitest';
import { mayHaveComment, splitProperties } from '../../src/markdown/property-blocks.js';

describe('splitProperties', () => {
  it('splits frontmatter by its keys, and loses nothing', () => {
    const yaml =
      '# first\na: 1\n\nb:\n  - x\n\n  - y\n- z\n"c d": |\n  # text\n  more\n# between\n\'e\':\nf g : h: i\n# last\n';
    const blocks = splitProperties(yaml);
    expect(blocks?.map(({ text }) => text).join('')).toBe(yaml);
    expect(blocks).toEqual([
      { key: undefined, text: '# first\n' },
      { key: 'a', text: 'a: 1\n' },
      { key: undefined, text: '\n' },
      { key: 'b', text: 'b:\n  - x\n\n  - y\n- z\n' },
      { key: 'c d', text: '"c d": |\n  # text\n  more\n' },
      { key: undefined, text: '# between\n' },
      { key: 'e', text: "'e':\n" },
      { key: 'f g', text: 'f g : h: i\n' },
      { key: undefined, text: '# last\n' },
    ]);
  });

  it('adds a missing line break at the end', () => {
    expect(splitProperties('a: 1')).toEqual([{ key: 'a', text: 'a: 1\n' }]);
  });

  it.each([
    'a',
    '  a: 1',
    '- a',
    'a: [1,\n2]',
    'a: 1\na: 2',
    'a: 1\n"a": 2',
    '? a\n: b',
    '{ a: 1 }',
    '"a\\u0062": 1',
    'a:1',
  ])('rejects %j', (yaml) => {
    expect(splitProperties(yaml)).toBeUndefined();
  });
});

describe('mayHaveComment', () => {
  it.each([
    ['a: 1', false],
    ['a: "b # c"', false],
    ["a: 'it''s # c'", false],
    ['a: b#c', false],
    ['a: "\\" # c"', false],
    ['a: 1 # c', true],
    ['a: "b" # c', true],
    ['a:\n  # c\n  - b', true],
    ['a: |\n  b # c', true],
  ])('of %j is %s', (text, isExpected) => {
    expect(mayHaveComment({ key: 'a', text })).toBe(isExpected);
  });
});
