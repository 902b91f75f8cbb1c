import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse, stringify, type ToStringOptions } from 'yaml';
import { readFrontmatter } from '../../src/markdown/frontmatter.js';

const propertiesOf = (yaml: string) =>
  Object.fromEntries(readFrontmatter(`---\n${yaml.replace(/\n?$/, '\n')}---\ntext`).entries);

/** Returns the texts that a YAML parser finds in a value, each trimmed, without empty ones. */
function textsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  const text = typeof value === 'string' ? value.trim() : '';
  return text === '' ? [] : [text];
}

/** Parses with every scalar as text. */
function expected(yaml: string): Record<string, string[]> {
  const value = parse(yaml, { schema: 'failsafe' }) as Record<string, unknown>;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, textsIn(each)]));
}

const NOTES: readonly string[] = [
  'title: >-\n  A folded title that an editor\n  has written\ntype: note',
  'title: A long title that goes on\n  and on\n  until here\ntype: note',
  'title: "\\xDCbersicht caf\\xE9 \\u2026 \\U0001F600"\ntype: note',
  'title: "A quoted title that was \\\n  \\ cut, and\n  folded\\ttoo"\nother: x',
  "title: 'It''s a quoted\n  title: with a colon'\nother: x",
  'title: "Plan: the beds" # a comment\nother: x # another',
  'title:\n  On the next line\n  and the next\nother: x',
  'title:\n  "Quoted there"\nother: x',
  'title: |\n  Kept\n    as it\n\n  is\n\nother: |-\n  one\nlast: |2\n    indented',
  'title: >\n  One\n  line\n\n  and another\n    indented\n  line\n\n\n  end\nother: x',
  'title: >+\n  One\n\nother: x',
  'title: One\n\n  after a gap\nother: x',
  'title: one\n  - a dash\n  #no comment\n',
  'tags:\n- one\n- a long\n  item\n- "quo\\x74ed"\n- >-\n  folded\n  item\nother: x',
  'tags:\n  - one\n\n  # comment\n  - [two, "three, four"]\n  -\n    - five\n  - - six\n    - seven\nother: x',
  "tags: [one, \"two, three\", 'four''s', five # no\n  , six\n  seven,\n]\nother: x",
  'tags: []\nempty:\nquoted: ""\nother: x',
  'title: !!str 2024\nanchor: &a text\nother: 2024-01-01',
  'title: a#b "c" d\'e, f [g]\nurl: https://example.org/#x',
];

describe('readFrontmatter', () => {
  it.each(NOTES)('reads %j as a YAML parser does', (yaml) => {
    expect(propertiesOf(yaml)).toEqual(expected(yaml));
    expect(propertiesOf(yaml.replaceAll('\n', '\r\n'))).toEqual(expected(yaml));
  });

  it('reads texts and lists however they are written', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        ' ',
        '  ',
        '\n',
        '\n\n',
        '\n ',
        ': ',
        ' #',
        '- ',
        "'",
        '"',
        '\\',
        '[',
        ']',
        ',',
      ),
      fc.string({ unit: 'grapheme', maxLength: 12 }),
      fc.lorem({ maxCount: 12 }),
    );
    const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
    const options = fc.record<ToStringOptions>({
      lineWidth: fc.constantFrom(0, 20, 40, 80),
      defaultStringType: fc.constantFrom(
        'PLAIN',
        'QUOTE_DOUBLE',
        'QUOTE_SINGLE',
        'BLOCK_FOLDED',
        'BLOCK_LITERAL',
      ),
      doubleQuotedMinMultiLineLength: fc.constantFrom(0, 40),
      indentSeq: fc.boolean(),
    });
    const value = fc.oneof(text, fc.array(text, { maxLength: 4 }));
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('title', 'tags', 'b'), value),
        options,
        (note, form) => {
          const yaml = stringify(note, { ...form, schema: 'failsafe' });
          fc.pre(Object.keys(note).length > 0);
          expect(propertiesOf(yaml)).toEqual(expected(yaml));
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('keeps a line of spaces beyond the indentation of a folded text', () => {
    expect(propertiesOf('title: >-\n  a\n   \n\n  b')).toEqual({ title: ['a\n \n\nb'] });
  });

  it('reads what is no value of a YAML parser as text', () => {
    expect(propertiesOf('title: foo: bar\nlost\nmap:\n  a: "x" # no\n  # no\n  b:\n  - y')).toEqual(
      {
        title: ['foo: bar', 'lost'],
        map: ['a: "x"', 'b:', 'y'],
      },
    );
    expect(
      propertiesOf('title: "open\nlist: [one, "two\nlink: [[Note]]\nbad: "\\uZZ \\UFFFFFFFF"'),
    ).toEqual({
      title: ['"open'],
      list: ['one', '"two'],
      link: ['[[Note]]'],
      bad: ['uZZ \\UFFFFFFFF'],
    });
  });

  it.each(['- ', '  !a\n', '"', "'", '[', '[ ', ' ', '\\', '- a\n', '  - ', '|', '&a '])(
    'reads a note full of %j to its end',
    (piece) => {
      const filled = piece.repeat(90_000 / piece.length);
      for (const start of ['a: ', 'a: "', 'a: [', 'a:\n  '])
        expect(Array.isArray(propertiesOf(start + filled)['a'])).toBe(true);
    },
  );
});
