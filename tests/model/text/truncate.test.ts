import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cutAt,
  cutText,
  cutToBytes,
  sliceText,
  splitsPair,
  truncate,
  truncateToBytes,
} from '../../../src/model/text/truncate.js';
import { visibleText } from '../../../src/model/text/visible-text.js';

const bytesOf = (text: string) => new TextEncoder().encode(text).length;

describe('truncate', () => {
  it('keeps a text within the limit, and counts code points', () => {
    expect(truncate('x'.repeat(80), 80)).toBe('x'.repeat(80));
    expect(truncate('😀'.repeat(80), 80)).toBe('😀'.repeat(80));
    expect(truncate('', 0)).toBe('');
  });

  it('ends a longer text with an ellipsis inside the limit', () => {
    expect(truncate('x'.repeat(81), 80)).toBe(`${'x'.repeat(79)}…`);
    expect(truncate('😀'.repeat(81), 80)).toBe(`${'😀'.repeat(79)}…`);
  });

  it('leaves out a space before the ellipsis', () => {
    expect(truncate('some words', 6)).toBe('some…');
  });

  it.each(['e\u0301', '👩\u200d👧', '🇩🇪', '👍🏽', '각', 'नि', '\r\n'])(
    'does not split %j',
    (character) => {
      for (let limit = 1; limit < 8; limit++)
        expect(cutText(`ab${character}cd`, limit).replace(/^ab/, '')).toMatch(
          new RegExp(`^(?:a|b|${character}(?:c|cd)?)?$`),
        );
    },
  );

  it('splits an endless character between code points', () => {
    const zalgo = `e${'\u0301'.repeat(500)}`;
    expect(cutText(zalgo, 100)).toBe(zalgo.slice(0, 100));
  });

  it('never exceeds the limit and never ends in half a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(20), (text, limit) => {
        for (const cut of [cutText(text, limit), limit > 0 ? truncate(text, limit) : '']) {
          expect(Array.from(cut).length).toBeLessThanOrEqual(limit);
          expect(cut).not.toMatch(/\p{Surrogate}/u);
        }
        expect(text.startsWith(cutText(text, limit))).toBe(true);
      }),
    );
  });
});

describe('truncateToBytes', () => {
  it('never exceeds the limit and never ends in half a character', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.integer({ min: 3, max: 40 }),
        (text, limit) => {
          const cut = truncateToBytes(text, limit);
          expect(bytesOf(cut)).toBeLessThanOrEqual(limit);
          expect(cut).not.toMatch(/\p{Surrogate}/u);
          expect(cut === text).toBe(bytesOf(text) <= limit);
          expect(bytesOf(cutToBytes(text, limit))).toBeLessThanOrEqual(limit);
        },
      ),
    );
  });
});

describe('cutAt', () => {
  it.each(['a👩‍💻b', 'می\u200cخواهم', 'क्\u200dष', 'ab'])('never ends in the middle of %j', (text) => {
    for (let at = 0; at <= text.length; at++) {
      const start = cutAt(text, at);
      expect(start.length).toBeLessThanOrEqual(at);
      expect(visibleText(start) + visibleText(text.slice(start.length))).toBe(text);
    }
  });
});

describe('sliceText', () => {
  it('leaves out half of a surrogate pair at the end', () => {
    expect(sliceText('a😀b', 0, 2)).toBe('a');
    expect(sliceText('a😀b', 0, 3)).toBe('a😀');
    expect(sliceText('a😀b', 1, 9)).toBe('😀b');
    expect([0, 1, 2, 3, 4].map((at) => splitsPair('a😀b', at))).toEqual([
      false,
      false,
      true,
      false,
      false,
    ]);
  });
});
