import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { excerpt } from '../../src/search/excerpt.js';

const filler = 'lorem ipsum dolor sit amet '.repeat(40);

describe('excerpt', () => {
  it('is the whole text where that is short, in one line', () => {
    expect(excerpt('  Short\n\ntext ', 'x')).toBe('Short text');
  });

  it('shows the part that holds most of the words, and marks what was cut', () => {
    const text = `${filler}the quick brown fox jumps ${filler}`;
    const shown = excerpt(text, 'quick fox');
    expect(shown).toContain('quick brown fox');
    expect(shown).toMatch(/^…\S.*\S…$/);
    expect(shown.length).toBeLessThanOrEqual(242);
  });

  it('is the beginning where no word is found', () => {
    expect(excerpt(filler, 'absent')).toMatch(/^lorem ipsum .*…$/);
  });

  it('is a part of the text within the limit, whatever the text', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 600, unit: 'grapheme' }),
        fc.string({ maxLength: 8 }),
        fc.integer({ min: 20, max: 300 }),
        (text, query, limit) => {
          const plain = text.replace(/\s+/gu, ' ').trim();
          const shown = excerpt(text, query, limit);
          expect(shown.length).toBeLessThanOrEqual(limit + 2);
          if (plain.length > limit) expect(plain).toContain(shown.replace(/^…|…$/gu, ''));
        },
      ),
    );
  });
});
