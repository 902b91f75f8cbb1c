import { describe, expect, it } from 'vitest';
import {
  characterTables,
  HIGH_SURROGATE,
  IGNORED,
  SEPARATOR,
  UNSPACED,
  WORD,
} from '../../../src/search/text/characters.js';

const UNITS = Array.from({ length: 0x10000 }, (_, unit) => unit);
const UNSPACED_LETTER =
  /^(?=[\p{L}\p{N}\p{Mn}\p{Mc}])[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Returns the class of a character, by itself. */
function classOf(character: string): number {
  if (/^[\u00ad\u200b-\u200d\u2060\ufe00-\ufe0f\ufeff]/.test(character)) return IGNORED;
  if (/^[\ud83c-\ud83e\ud840-\ud88d]/.test(character)) return HIGH_SURROGATE;
  if (UNSPACED_LETTER.test(character)) return UNSPACED;
  if (/^[\p{L}\p{N}\p{Mn}\p{Mc}]/u.test(character)) return WORD;
  return /^\p{Extended_Pictographic}/u.test(character) && character >= '\u2190'
    ? UNSPACED
    : SEPARATOR;
}

describe('the character tables', () => {
  it('have the class of each character', () => {
    const { classes } = characterTables();
    expect(UNITS.filter((unit) => classes[unit] !== classOf(String.fromCharCode(unit)))).toEqual(
      [],
    );
  });

  it('have the lower case of each character that has one of the same length', () => {
    const { lower } = characterTables();
    const wrong = UNITS.filter((unit) => {
      const small = String.fromCharCode(unit).toLowerCase();
      const expected = unit === 0x130 ? 0x69 : small.length === 1 ? small.charCodeAt(0) : unit;
      return lower[unit] !== expected;
    });
    expect(wrong).toEqual([]);
  });
});
