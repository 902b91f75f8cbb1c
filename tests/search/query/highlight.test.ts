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
