import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explainHit, explainPassage } from '../../../src/search/excerpts/highlight.js';
import { createIndex } from '../../../src/search/index.js';
import { noteDocument } from '../../fakes/note-document.js';
import { placeOf } from '../../../src/search/documents/passages.js';

const passageOf = (text: string) => [
  { name: 'title', text: 'Garden roses', weight: 2 },
  { name: 'heading', text: 'Roses\nMore roses\nOaks', weight: 2 },
  { name: 'text', text, weight: 1 },
];
const filler = 'Some other words that say nothing at all. '.repeat(20);

describe('explainHit', () => {
  it('names the fields that contain the words', () => {
    expect(explainHit(passageOf('a rose'), 'roses').why).toBe('title, 2 headings, text');
    expect(explainHit(passageOf('an oak'), 'oak').why).toBe('heading, text');
    expect(explainHit(passageOf(''), 'nothing').why).toBe('');
  });

  it('shows the part with the most distinct words', () => {
    const text = `${filler}a rose here. ${filler}The rose grows by the wall. ${filler}`;
    const { excerpt, matches, at } = explainHit(passageOf(text), 'rose wall');
    expect(excerpt.startsWith('The rose grows by the wall. Some other')).toBe(true);
    expect(matches.map((span) => excerpt.slice(...span))).toEqual(['rose', 'wall']);
    expect(text.slice(at, at + 4)).toBe('rose');
  });

  it.each([
    ['a sentence', 'All is well. The rose grows\nby the wall. More', 'The rose'],
    ['an item', `- an oak\n- a rose by the wall\n- more`, '- a rose'],
    ['a numbered item', `1. an oak\n2. a rose by the wall`, '2. a rose'],
    ['a paragraph', `an oak\n\na rose by the wall`, 'a rose'],
    ['a Chinese sentence', '花园很大。rose 长在 wall 边。', 'rose'],
  ])('begins with %s', (_, own, start) => {
    for (const text of [own, `${filler}\n\n${own}\n\n${filler}`]) {
      const { excerpt } = explainHit(passageOf(text), 'rose wall', 60);
      expect(excerpt.startsWith(start)).toBe(true);
    }
  });

  it('prefers words that are rare in the text', () => {
    const text = `The rose and the oak. ${'The rose, the oak. '.repeat(20)}\n\nA lily by a rose.`;
    const { excerpt } = explainHit(passageOf(text), 'rose oak lily', 40);
    expect(excerpt).toContain('lily');
  });

  it('shows sentences that are apart, in their order', () => {
    const text = `A lily by the wall. ${filler}The oak and the lily grow. ${filler}`;
    const { excerpt, matches } = explainHit(passageOf(text), 'oak wall', 60);
    expect(excerpt).toBe('A lily by the wall. … The oak and the lily grow.');
    expect(matches.map((span) => excerpt.slice(...span))).toEqual(['wall', 'oak']);
  });

  it('leaves out a sentence that matches far less than the best one', () => {
    const text = `Oaks. ${filler}An oak, a lily and a wall. X${'x'.repeat(200)}`;
    const { excerpt } = explainHit(passageOf(text), 'oak lily wall', 60);
    expect(excerpt).toBe('An oak, a lily and a wall.');
  });

  it('prefers a sentence with other words to one with the words of the title', () => {
    const text = `Garden roses are roses in a garden. ${filler}Water them in May.`;
    const { excerpt } = explainHit(passageOf(text), 'garden roses water', 40);
    expect(excerpt).toBe('Water them in May.');
  });

  it('shows what follows a heading, if only the heading matches', () => {
    const text = `${filler}\n\n# Oaks\n\nThey are tall.\n\n${filler}`;
    const { excerpt } = explainHit(passageOf(text), 'oaks', 60);
    expect(excerpt).toBe('# Oaks\n\nThey are tall.');
  });

  it('begins between words if no sentence begins near', () => {
    const text = `${'word '.repeat(200)}rose ${'word '.repeat(200)}`;
    const { excerpt, matches } = explainHit(passageOf(text), 'rose');
    expect(matches).toHaveLength(1);
    expect(excerpt).toMatch(/^word.*word$/);
  });

  it('marks corrected and completed words, and runs of characters', () => {
    const marked = (text: string, query: string) => {
      const { excerpt, matches } = explainHit(passageOf(text), query);
      return matches.map((span) => excerpt.slice(...span));
    };
    expect(marked('the authentication module', 'authentcation')).toEqual(['authentication']);
    expect(marked('the authentication module', 'authen')).toEqual(['authentication']);
    expect(marked('我们在花园里种花', '花园里'), 'one match of adjacent pairs').toEqual(['花园里']);
  });

  it('returns parts of the text, and offsets within them', () => {
    const part = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('rose ', 'wall ', '\ud83c\udf39', '花园', filler),
    );
    fc.assert(
      fc.property(fc.array(part), fc.string(), (parts, more) => {
        const text = parts.join('');
        const { excerpt, matches, at } = explainHit(passageOf(text), `rose 花 ${more}`);
        expect(excerpt.length).toBeLessThanOrEqual(240);
        for (const part of excerpt.split(' … ')) expect(text).toContain(part);
        let last = 0;
        for (const [from, to] of matches) {
          expect(from).toBeGreaterThanOrEqual(last);
          expect(to).toBeGreaterThan(from);
          last = to;
        }
        expect(last).toBeLessThanOrEqual(excerpt.length);
        const [first] = matches;
        if (first) expect(text.startsWith(excerpt.slice(...first), at)).toBe(true);
      }),
    );
  });
});

describe('explainPassage', () => {
  it('returns heading, line and offsets in the passage', () => {
    const text = `---\ntags: [x]\n---\n# Start\n${filler.repeat(3)}\n\n# Beds\nSeedlings by the wall.\n`;
    const index = createIndex();
    index.put(noteDocument('a.md', text, 0));
    const { passage } = index.search('seedlings')[0]!;
    const place = placeOf('a.md', text, passage)!;
    const own = text.slice(place.start, place.end);
    const placed = { title: 'a', place, text: own };
    const { heading, line, excerpt, matches, why } = explainPassage(placed, 'seedlings', 60);
    expect(why).toBe('text');
    expect(heading).toBe('Beds');
    expect(matches.map((span) => excerpt.slice(...span))).toEqual(['Seedlings']);
    expect(text.split('\n')[line - 1]).toBe('Seedlings by the wall.');
    expect(excerpt).toBe('Seedlings by the wall.');
  });

  it('returns the heading above the match, not one whose text is mentioned', () => {
    const text = '# Roses\nBeds and Oaks are below.\n# Oaks\nTall trees.\n# Beds\nOf wood.\n';
    const place = placeOf('a.md', text, 0, Infinity)!;
    const headingOf = (query: string) =>
      explainPassage({ title: 'a', place, text }, query, 30).heading;
    expect(headingOf('below')).toBe('Roses');
    expect(headingOf('tall')).toBe('Oaks');
    expect(headingOf('wood')).toBe('Beds');
  });
});
