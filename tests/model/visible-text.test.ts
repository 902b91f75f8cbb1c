import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  findHiddenCharacter,
  revealedText,
  visibleText,
  withoutHidden,
} from '../../src/model/text/visible-text.js';

/** Every character that is invisible or reorders text, with ranges thinned out. */
const HIDDEN = Array.from(
  '\u00ad\u034f\u061c\u115f\u1160\u17b4\u180b\u180e\u200b\u200c\u200d\u200e\u200f\u2028\u2029' +
    '\u202a\u202b\u202c\u202d\u202e\u2060\u2064\u2066\u2067\u2068\u2069\u206a\u3164\ufe00\ufe0e' +
    '\ufe0f\ufeff\uffa0\ufff9\ufffb\u{e0001}\u{e0020}\u{e0041}\u{e007f}\u{e0100}\u{e01ef}' +
    '\0\u0007\u001b\r\u007f\u0085\u009b',
);
const ANY_HIDDEN = /(?![\n\t])[\p{Cc}\p{DI}\p{Bidi_Control}\p{Zl}\p{Zp}\ufff9-\ufffb]/u;

/** Texts in which hidden characters are needed, so they stay. */
const NEEDED = [
  ['a family emoji', '👩‍👩‍👧'],
  ['an emoji with a skin tone', '🧑🏽‍🚀'],
  ['an emoji with a variation selector', '🏳️‍🌈 ❤️‍🔥 👁️‍🗨️ ☎︎'],
  ['a keycap', '1️⃣ #️⃣'],
  ['the flags of England, Scotland and Wales', '🏴󠁧󠁢󠁥󠁮󠁧󠁿🏴󠁧󠁢󠁳󠁣󠁴󠁿🏴󠁧󠁢󠁷󠁬󠁳󠁿'],
  ['Persian', 'می‌خواهم کتاب‌ها را'],
  ['vocalized Persian', 'مِی‌ُخواهم'],
  ['Sinhala', 'ශ්‍රී ලංකා'],
  ['Hindi', 'क्‍ष क्‌ष'],
  ['Bengali', 'র‍্যাব'],
  ['Malayalam', 'അവന്‍'],
  ['Kannada', 'ರಾಜ್‌ಕುಮಾರ್'],
  ['Mongolian', 'ᠰᠠᠶᠢᠨ᠎ᠠ ᠠ᠋'],
  ['line breaks and tabs', 'one\ntwo\r\n\tthree'],
] as const;

describe('the visible-text module', () => {
  it.each([
    ['Plan \u202egnp.exe', 'Plan ⟨U+202E⟩gnp.exe'],
    ['a\u200bb', 'a⟨U+200B⟩b'],
    ['\ufeffPlan\u00ad', '⟨U+FEFF⟩Plan⟨U+00AD⟩'],
    ['a\u{e0041}', 'a⟨U+E0041⟩'],
    ['a\u001b[31m', 'a⟨U+001B⟩[31m'],
    ['a\rb', 'a⟨U+000D⟩b'],
    ['a\u2028b', 'a⟨U+2028⟩b'],
  ])('shows %j as %j', (text, shown) => {
    expect(visibleText(text)).toBe(shown);
    expect(revealedText(shown)).toBe(text);
  });

  it.each(NEEDED)('keeps %s', (_, text) => {
    expect(visibleText(text)).toBe(text);
    expect(findHiddenCharacter(text)).toBeUndefined();
    expect(withoutHidden(text)).toBe(text);
  });

  it.each([
    ['a joiner between Latin letters', 'Pl\u200dan'],
    ['a non-joiner between Latin letters', 'Pl\u200can'],
    ['a non-joiner after a letter that never joins', 'کار\u200cها'],
    ['a non-joiner at the end of a Persian word', 'می\u200c'],
    ['a second non-joiner', 'می\u200c\u200cخواهم'],
    ['a joiner after an emoji', '👩\u200d'],
    ['a joiner between an emoji and a letter', '👩\u200da'],
    ['two joiners in an emoji', '👩\u200d\u200d👧'],
    ['a variation selector after a letter', 'a\ufe0f'],
    ['two variation selectors', '❤\ufe0f\ufe0f'],
    ['a digit with a variation selector', '1\ufe0f'],
    ['tags after a flag that name no country', '🏴\u{e0068}\u{e0069}\u{e007f}'],
    ['a Hangul filler', '\u3164'],
    ['a right-to-left mark in Hebrew', 'שלום\u200f!'],
  ])('marks %s', (_, text) => {
    expect(visibleText(text)).toMatch(/⟨U\+[0-9A-F]{4,5}⟩/u);
    expect(findHiddenCharacter(text)).toMatch(/^U\+[0-9A-F]{4,5}$/u);
    expect(findHiddenCharacter(withoutHidden(text))).toBeUndefined();
  });

  it('names the first hidden character', () => {
    expect(findHiddenCharacter('a\u{e0041}\u202e')).toBe('U+E0041');
    expect(findHiddenCharacter('plain')).toBeUndefined();
  });

  it('shows every hidden character in Latin, Hebrew and Chinese text', () => {
    const piece = fc.constantFrom(...HIDDEN, 'a', 'Z', ' ', '.', 'ש', '計', '⟨', '⟩');
    fc.assert(
      fc.property(fc.string({ unit: piece, maxLength: 20 }), (text) => {
        const shown = visibleText(text);
        expect(shown.replaceAll('\r\n', '')).not.toMatch(ANY_HIDDEN);
        expect(withoutHidden(text)).not.toMatch(ANY_HIDDEN);
        expect(visibleText(shown)).toBe(shown);
        expect(shown === text).toBe(findHiddenCharacter(text) === undefined);
      }),
      { numRuns: 2000 },
    );
  });

  it('marks every bidirectional control and tag in any text', () => {
    const neverNeeded = /[\p{Bidi_Control}\u200b\u2060\ufeff\u00ad\u{e0000}\u{e0001}]/u;
    const piece = fc.oneof(
      fc.constantFrom(...HIDDEN, 'م', 'ی', 'क', '्', '👩'),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    );
    fc.assert(
      fc.property(fc.string({ unit: piece, maxLength: 20 }), (text) => {
        const shown = visibleText(text);
        expect(shown).not.toMatch(neverNeeded);
        expect(visibleText(shown)).toBe(shown);
      }),
      { numRuns: 2000 },
    );
  });

  it('keeps text without hidden characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => {
        expect(visibleText(text)).toBe(text);
      }),
    );
  });
});
