import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LONGEST_NOTE, readNoteFields } from '../../../src/search/documents/note-fields.js';

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
      text: ['kept as', 'it is'],
    });
    expect(note.slice(fields.bodyStart)).toMatch(/^Text with/);
  });

  it('takes frontmatter that is never closed for text', () => {
    const text = '---\ntitle: x\nno end';
    expect(readNoteFields('a.md', text)).toMatchObject({ bodyStart: 0, bodyEnd: text.length });
  });

  it('reads nothing of what is no text, and no more of a long note than a ceiling', () => {
    expect(readNoteFields('a.md', 'PNG\0\0#tag')).toMatchObject({
      title: 'a',
      tags: [],
      bodyEnd: 0,
    });
    expect(readNoteFields('a.md', 'x '.repeat(LONGEST_NOTE)).bodyEnd).toBe(LONGEST_NOTE);
  });

  it('never throws and keeps its bounds within the text', () => {
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
