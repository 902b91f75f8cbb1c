import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  jsonBlock,
  plainLine,
  plainList,
  plainText,
  properties,
  wikilink,
} from '../../src/markdown/escape.js';

describe('plainText', () => {
  it.each([
    [
      'We talked about it; then (as agreed) we did "it".',
      'We talked about it; then (as agreed) we did "it".',
    ],
    ['<img src=x onerror=alert(1)>', '\\<img src\\=x onerror\\=alert(1)\\>'],
    ['# no heading', '\\# no heading'],
    ['- no item\n+ none\n1. none\n2) none', '\\- no item\n\\+ none\n1\\. none\n2\\) none'],
    ['12. none\n123456789) none', '12\\. none\n123456789\\) none'],
    ['well-known + 2) 3. x', 'well-known + 2) 3. x'],
    ['a\n---\nb\n===', 'a\n\\---\nb\n\\=\\=\\='],
    ['![[embed]] [link](x)', '\\!\\[\\[embed\\]\\] \\[link\\](x)'],
    ['<%* tp %> {{date}} %%x%%', '\\<\\%\\* tp \\%\\> \\{\\{date\\}\\} \\%\\%x\\%\\%'],
    ['`= this` `$= dv`', '\\`\\= this\\` \\`\\$\\= dv\\`'],
    ['```dataviewjs\ndv()\n```', '\\`\\`\\`dataviewjs\ndv()\n\\`\\`\\`'],
    ['key:: value, obsidian://x', 'key\\:: value, obsidian\\://x'],
    ['    code\n\tcode', '&nbsp;&nbsp;&nbsp;&nbsp;code\n&nbsp;&nbsp;&nbsp;&nbsp;code'],
    ['a\r\nb\rc\u2028d', 'a\nb\nc\nd'],
    ['x\0y\u001b[0m', 'x\u{FFFD}y\u{FFFD}\\[0m'],
    [
      '&lt;b&gt; \\ *b* _i_ ~~s~~ $m$ ^id |t|',
      '\\&lt;b\\&gt; \\\\ \\*b\\* \\_i\\_ \\~\\~s\\~\\~ \\$m\\$ \\^id \\|t\\|',
    ],
  ])('escapes %j', (text, markdown) => {
    expect(plainText(text)).toBe(markdown);
  });

  it('returns the original text plus escapes', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'ab 1.-+#<>%`*_[]{}|~$^=&!\\:/\n\t'), maxLength: 60 }),
        (text) => {
          const markdown = plainText(text);
          const shown = markdown.replaceAll('&nbsp;', ' ').replace(/\\([^a-z\s])/gu, '$1');
          const wanted = text
            .replace(/^[ \t]+$/gmu, '')
            .replace(/^[ \t]+/gmu, (blanks) => blanks.replaceAll('\t', '    '));
          expect(shown).toBe(wanted);
          expect(markdown.replace(/\\[^a-z\s]/gu, '').replaceAll('&nbsp;', '')).not.toMatch(
            /[<>`*_[\]{}#|~$%^=&!\\]/u,
          );
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('joins the lines of a single-line text', () => {
    expect(plainLine(' a\n\n# b ')).toBe('a # b'.replace('#', '\\#'));
  });

  it('keeps each list item a single item', () => {
    expect(plainList(['one\n- two', 'three'], '1.')).toBe('1. one\n   \\- two\n1. three');
    expect(plainList([], '-')).toBe('');
  });
});

describe('wikilink', () => {
  it.each(['Plan.md', 'Projects/Alpha/Plan v2.md', '工作/ノート.md', 'src/auth/jwt.ts'])(
    'links %j',
    (path) => {
      expect(wikilink(path)).toBe(`[[${path}]]`);
    },
  );

  it.each([
    '',
    '../x.md',
    '/etc/passwd',
    'C:/x',
    'https://x/y',
    'a]]b',
    'a|b',
    'a#b',
    '<img src=x>',
    '`= this`',
    'a\nb',
    'x::y',
    ' a.md',
    'a.md ',
    'a\u00a0',
    '<%* x %>',
  ])('returns plain text for %j', (path) => {
    expect(wikilink(path)).toBe(plainLine(path));
    expect(wikilink(path)).not.toMatch(/(?<!\\)\[/);
  });
});

describe('properties', () => {
  it('formats texts, booleans, times and lists', () => {
    expect(
      properties({
        name: 'A "b"',
        archived: false,
        created: new Date(0),
        tags: ['x', '#y'],
        none: [],
      }),
    ).toBe(
      '---\nname: "A \\"b\\""\narchived: false\ncreated: 1970-01-01T00:00:00.000Z\ntags:\n  - "x"\n  - "#y"\nnone: []\n---',
    );
  });

  it('round-trips any text on a single line', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const lines = properties({ name: `${text}\n---\n<%` }).split(/[\n\r\u0085\u2028\u2029]/u);
        expect(lines).toHaveLength(3);
        expect(lines[1]).not.toMatch(/[<%`]/u);
        expect(JSON.parse(lines[1]!.slice('name: '.length))).toBe(
          `${text}\n---\n<%`.replace(/\p{Surrogate}/gu, '\u{FFFD}'),
        );
      }),
    );
  });
});

describe('jsonBlock', () => {
  it('returns a single block for any content', () => {
    const value = { '```': '```\n<%* x %>', half: '\uD800' };
    const block = jsonBlock(value);
    expect(block.split('\n')).toHaveLength(6);
    expect(block.slice(8, -4)).not.toMatch(/[<%`]/u);
    expect(JSON.parse(block.slice(8, -4))).toEqual({ ...value, half: '\u{FFFD}' });
  });
});
