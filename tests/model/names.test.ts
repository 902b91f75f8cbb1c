import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  didYouMean,
  confusableKey,
  existingNameProblem,
  nameKey,
  nameProblem,
  nameWithMark,
  closestNames,
  splitMark,
} from '../../src/model/names.js';

const unicode = fc.string({ unit: 'binary', maxLength: 12 });

describe('the names module', () => {
  it.each([
    ['Auth Module', 'auth module'],
    ['  Auth \t Module\n', 'auth module'],
    ['Auth Module', 'auth module'],
    ['ＡＢＣ', 'abc'],
    ['ﬁle', 'file'],
    ['École', 'école'],
    ['ŞİRKET'.normalize('NFD'), 'ŞİRKET'.normalize('NFC')],
    ['Ｋ', 'K'],
  ])('treats %j and %j as the same name', (one, other) => {
    expect(nameKey(one)).toBe(nameKey(other));
  });

  it.each([
    ['auth-module', 'auth module'],
    ['cafe', 'café'],
    ['ı', 'i'],
    ['a', 'а'],
  ])('distinguishes %j and %j', (one, other) => {
    expect(nameKey(one)).not.toBe(nameKey(other));
  });

  it('ignores the encoding of accents in uppercase and lowercase', () => {
    for (const letter of ['J\u030c', 'H\u0331', 'T\u0308', 'W\u030a', 'Y\u030a'])
      expect(nameKey(letter.toLowerCase().normalize('NFC'))).toBe(nameKey(letter));
  });

  it('gives plain ASCII names the documented key on the fast path', () => {
    const plain = fc.string({
      unit: fc.constantFrom('a', 'Z', '~', '!', ' ', '\t', '-'),
      maxLength: 8,
    });
    fc.assert(
      fc.property(plain, (name) => {
        expect(nameKey(name)).toBe(name.trim().replace(/\s+/g, ' ').toLowerCase());
      }),
    );
  });

  it('maps every key to itself', () => {
    fc.assert(fc.property(unicode, (name) => nameKey(nameKey(name)) === nameKey(name)));
  });

  it.each(['', ' ', '\t\n', '\u00a0', '\u200b', '\u200b \u200d', '\ufeff', '\u3164'])(
    'refuses %j, which is invisible',
    (name) => {
      expect(nameProblem(name)).toMatch(/is empty/);
    },
  );

  it('accepts 200 characters and refuses 201', () => {
    expect(nameProblem('x'.repeat(201))).toMatch(/201 characters.*at most 200/);
    expect(nameProblem('😀'.repeat(200))).toBeUndefined();
  });

  it.each([
    'a\nb',
    'a\0b',
    'a\u0007b',
    'a\u0085b',
    'a\u2028b',
    'a\u2029b',
    'a\u009bb',
    '\u001b[31mred',
  ])('refuses the control character in %j', (name) => {
    expect(nameProblem(name)).toMatch(/control characters/);
  });

  it.each([
    ['Plan \u202egnp.exe', 'U+202E'],
    ['P\u200blan', 'U+200B'],
    ['Plan\u00ad', 'U+00AD'],
    ['Plan\u{e0041}', 'U+E0041'],
    ['\u2066Plan\u2069', 'U+2066'],
  ])('refuses %j and says which character is invisible', (name, code) => {
    expect(nameProblem(name)).toBe(`has the invisible character ${code}; leave it out`);
    expect(existingNameProblem(name)).toBeUndefined();
  });

  it.each(['Auth', '日本語', 'می‌خواهم', '👩‍👩‍👧', 'a/b', '__proto__', '../x', '"quoted"', '%s', 'نص'])(
    'accepts %j',
    (name) => {
      expect(nameProblem(name)).toBeUndefined();
    },
  );

  it('marks a name reversibly', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (typed) => {
        const name = typed.trim();
        fc.pre(name !== '');
        expect(splitMark(nameWithMark(name, 'k3v9q2m7x4tb2345'))).toEqual({ name, mark: 'k3v9' });
      }),
    );
  });

  it.each(['Plan ', ' Plan', 'Plan\u00a0', ' My Plan \t'])(
    'splits the mark of %j from its name',
    (name) => {
      expect(splitMark(nameWithMark(name, 'k3v9q2m7x4tb2345'))).toEqual({
        name: name.trim(),
        mark: 'k3v9',
      });
    },
  );

  it.each(['Plan', 'Plan ⟨⟩', '⟨k3v9⟩', 'Plan ⟨k3v9q⟩', 'Plan⟨k3v9⟩', 'Plan ⟨k3v9⟩ b'])(
    'finds no mark in %j',
    (name) => {
      expect(splitMark(name)).toEqual({ name });
    },
  );

  it('suggests up to three names, the closest first', () => {
    const names = ['Auth module progress', 'Auth modul', 'Auth module', 'Billing', 'auth-module'];
    expect(closestNames('auth modle', names)).toEqual(['Auth module', 'Auth modul', 'auth-module']);
  });

  it('suggests a name for a part of it, and for a text that contains it', () => {
    expect(closestNames('progress', ['Auth module progress', 'Billing'])).toEqual([
      'Auth module progress',
    ]);
    expect(closestNames('the billing project', ['Auth module progress', 'Billing'])).toEqual([
      'Billing',
    ]);
  });

  it('suggests nothing dissimilar', () => {
    expect(closestNames('zzzz', ['Auth', 'Billing'])).toEqual([]);
    expect(closestNames('q', ['ab', 'x', '日本'])).toEqual([]);
    expect(closestNames('qq', ['ab', 'xy'])).toEqual([]);
  });

  it('formats suggestions as a sentence', () => {
    expect(didYouMean('Biling', ['Billing'])).toBe(' Did you mean "Billing"?');
    expect(didYouMean('Auth', ['Auth 1', 'Auth 2', 'Auth 3'])).toBe(
      ' Did you mean "Auth 1", "Auth 2" or "Auth 3"?',
    );
    expect(didYouMean('Auth', ['Billing'])).toBe('');
  });
});

describe('confusableKey', () => {
  it.each([
    ['Plan', 'Рlаn'], // Cyrillic Р and а
    ['Plan', 'Ｐｌａｎ'],
    ['Plan', 'PLAN'],
    ['Plan', 'P\u200blan'],
    ['Plan', 'P⟨U+200B⟩lan'],
    ['Scope', 'ѕсоре'],
    ['Plan 10', 'Plan lO'],
    ['Alpha', 'Αlpha'], // Greek capital Alpha
    ['modern', 'modem'],
    ['a-b', 'a‐b'],
    ['Café', 'Cafe\u0301'],
    ['x | y', 'x l y'],
    ['𝐏lan', 'Plan'],
  ])('is the same for "%s" and "%s"', (a, b) => {
    expect(confusableKey(a)).toBe(confusableKey(b));
  });

  it.each([
    ['Plan', 'Plans'],
    ['Plan 1', 'Plan 2'],
    ['Cafe', 'Café'],
    ['Draft one', 'Draft two'],
    ['工作', '个人'],
    ['Дом', 'Дым'],
  ])('distinguishes "%s" from "%s"', (a, b) => {
    expect(confusableKey(a)).not.toBe(confusableKey(b));
  });

  it('is the same for the same name', () => {
    fc.assert(
      fc.property(unicode, (name) => {
        expect(confusableKey(` ${name.normalize('NFKD')} `)).toBe(confusableKey(name));
      }),
    );
  });
});
