import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_NOTE_LENGTH, readNoteFields } from '../../../src/search/documents/note-fields.js';

const note = `---
title: The Garden
aliases: [Beds, "Flower, beds"]
tags:
  - plants/roses
  - "#spring"
status: done # at last
due: 2026-11-20
broken: [one, two
quote: 'it''s here'
text: |
  kept as
  it is
---
Text with #tag, #not-in-\`#code\` and #123, [[Other note#Part|there]] and [file](sub/My%20File.md) and [web](https://example.org).

\`\`\`
#code [[Not a link]]
\`\`\`
#после`;

describe('readNoteFields', () => {
  it('reads title, aliases, tags, properties and links', () => {
    const fields = readNoteFields('Home/Garden.md', note);
    expect(fields).toMatchObject({
      title: 'Garden',
      aliases: ['Beds', 'Flower, beds', 'The Garden'],
      tags: ['plants/roses', 'spring', 'tag', 'not-in-', 'после'],
      links: ['Other note', 'sub/My File.md'],
    });
    expect(Object.fromEntries(fields.properties)).toMatchObject({
      status: ['done'],
      due: ['2026-11-20'],
      broken: ['one', 'two'],
      quote: ["it's here"],
      text: ['kept as\nit is'],
    });
    expect(note.slice(fields.bodyStart)).toMatch(/^Text with/);
  });

  it('treats unclosed frontmatter as text', () => {
    const text = '---\ntitle: x\nno end';
    expect(readNoteFields('a.md', text)).toMatchObject({ bodyStart: 0, bodyEnd: text.length });
  });

  it('ignores binary files, and the end of a very long note', () => {
    expect(readNoteFields('a.md', 'PNG\0\0#tag')).toMatchObject({
      title: 'a',
      tags: [],
      bodyEnd: 0,
    });
    expect(readNoteFields('a.md', 'x '.repeat(MAX_NOTE_LENGTH)).bodyEnd).toBe(MAX_NOTE_LENGTH);
  });

  it('never throws, and returns offsets within the text', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '---\n',
        'a: ',
        '[',
        ']',
        '"',
        "'",
        '- ',
        '#',
        '[[',
        ']]',
        '](',
        ')',
        '%',
        '%zz',
        '`',
        '```',
        '\n',
        '\ud800',
        ': |',
      ),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join('');
        const { bodyStart, bodyEnd } = readNoteFields('a.md', text);
        expect(bodyEnd).toBeLessThanOrEqual(text.length);
        expect(bodyStart).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 500 },
    );
  });
});
