import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readNoteFields } from '../../../src/search/documents/note-fields.js';

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
  it('reads title, aliases, tags and properties', () => {
    const fields = readNoteFields('Home/Garden.md', note);
    expect(fields).toMatchObject({
      title: 'Garden',
      aliases: ['Beds', 'Flower, beds', 'The Garden'],
      tags: ['plants/roses', 'spring', 'tag', 'not-in-', 'после'],
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
    expect(readNoteFields('a.md', text)).toMatchObject({ bodyStart: 0 });
  });

  it('reads tags in all of a long note', () => {
    const text = `${'word\n'.repeat(500_000)}#early\n\`\`\`\n${'code\n'.repeat(50_000)}#code\n\`\`\`\n#late`;
    expect(readNoteFields('a.md', text).tags).toEqual(['early', 'late']);
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
        const { bodyStart } = readNoteFields('a.md', text);
        expect(bodyStart).toBeLessThanOrEqual(text.length);
        expect(bodyStart).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 500 },
    );
  });
});
