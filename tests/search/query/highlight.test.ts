import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explainHit, explainPassage } from '../../../src/search/query/highlight.js';
import { createIndex } from '../../../src/search/index.js';
import { noteDocument, placeOf } from '../../../src/search/documents/passages.js';

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
    const { excerpt, matches } = explainHit(passageOf(text), 'rose wall');
    expect(text.slice(...excerpt)).toContain('The rose grows by the wall');
    expect(matches.map((span) => text.slice(...span))).toEqual(['rose', 'wall']);
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
      expect(text.slice(...excerpt).startsWith(start)).toBe(true);
    }
  });

  it('prefers words that are rare in the text', () => {
    const text = `The rose and the oak. ${'The rose, the oak. '.repeat(20)}\n\nA lily by a rose.`;
    const { excerpt } = explainHit(passageOf(text), 'rose oak lily', 40);
    expect(text.slice(...excerpt)).toContain('lily');
  });

  it('begins between words if no sentence begins near', () => {
    const text = `${'word '.repeat(200)}rose ${'word '.repeat(200)}`;
    const { excerpt, matches } = explainHit(passageOf(text), 'rose');
    expect(matches).toHaveLength(1);
    expect(text.slice(...excerpt)).toMatch(/^word/);
  });

  it('marks corrected and completed words', () => {
    const text = 'the authentication module';
    expect(
      explainHit(passageOf(text), 'authentcation').matches.map((span) => text.slice(...span)),
    ).toEqual(['authentication']);
    expect(
      explainHit(passageOf(text), 'authen').matches.map((span) => text.slice(...span)),
    ).toEqual(['authentication']);
  });

  it('marks adjacent character pairs as a single match', () => {
    const text = '我们在花园里种花';
    expect(
      explainHit(passageOf(text), '花园里').matches.map((span) => text.slice(...span)),
    ).toEqual(['花园里']);
  });

  it('returns offsets within the text', () => {
    const part = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('rose ', 'wall ', '\ud83c\udf39', '花园', filler),
    );
    fc.assert(
      fc.property(fc.array(part), fc.string(), (parts, more) => {
        const text = parts.join('');
        const { excerpt, matches } = explainHit(passageOf(text), `rose 花 ${more}`);
        expect(excerpt[0]).toBeGreaterThanOrEqual(0);
        expect(excerpt[1]).toBeGreaterThanOrEqual(excerpt[0]);
        expect(excerpt[1]).toBeLessThanOrEqual(text.length);
        for (const [from, to] of matches) {
          expect(from).toBeGreaterThanOrEqual(excerpt[0]);
          expect(to).toBeLessThanOrEqual(excerpt[1]);
          expect(to).toBeGreaterThan(from);
        }
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
    expect(matches.map((span) => own.slice(...span))).toEqual(['Seedlings']);
    expect(text.split('\n')[line - 1]).toBe('Seedlings by the wall.');
    expect(own.slice(...excerpt)).toContain('Seedlings');
  });
});
