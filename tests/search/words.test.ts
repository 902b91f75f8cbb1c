import { describe, expect, it } from 'vitest';
import { wordsOf } from '../../src/search/words.js';

describe('wordsOf', () => {
  it.each([
    ['Token-refresh, v2!', ['token', 'refresh', 'v2']],
    ['Ｆｕｌｌ width ﬁne', ['full', 'width', 'fine']],
    ['Résumé für Müller', ['resume', 'fur', 'muller']],
    ['ЛИЧНОЕ дело', ['личное', 'дело']],
    ['认证模块', ['认证', '证模', '模块']],
    ['中', ['中']],
    ['src/auth/jwt.ts', ['src', 'auth', 'jwt', 'ts']],
    ['हिन्दी', ['हिन्दी']],
    ['"(((', []],
    ['', []],
  ])('reads %j as words', (text, words) => {
    expect(wordsOf(text).map((word) => word.normalize('NFKC'))).toEqual(words.map((word) => word.normalize('NFKC')));
  });
});
