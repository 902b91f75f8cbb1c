import { describe, expect, it } from 'vitest';
import { stemEnglish } from '../../../src/search/text/english.js';

describe('stemEnglish', () => {
  it.each([
    ['caresses', 'caress'],
    ['ties', 'tie'],
    ['cries', 'cri'],
    ['gas', 'gas'],
    ['gaps', 'gap'],
    ['agreed', 'agre'],
    ['hopping', 'hop'],
    ['hoped', 'hope'],
    ['luxuriating', 'luxuri'],
    ['happy', 'happi'],
    ['enjoy', 'enjoy'],
    ['by', 'by'],
    ['generously', 'generous'],
    ['skies', 'sky'],
    ['succeeding', 'succeed'],
    ['knightly', 'knight'],
    ['rationalization', 'ration'],
    ['youth', 'youth'],
    ['controlling', 'control'],
    ['communication', 'communic'],
    ['bäume', 'bäume'],
    ['x1', 'x1'],
  ])('stems %s to %s', (word, stem) => expect(stemEnglish(word)).toBe(stem));

  it.each([
    ['wrote', 'writing'],
    ['written', 'writes'],
    ['went', 'going'],
    ['bought', 'buys'],
    ['taught', 'teaching'],
    ['chose', 'choosing'],
    ['children', 'child'],
    ['shelves', 'shelf'],
    ['women', 'woman'],
  ])('gives %s the same stem as %s', (form, regular) =>
    expect(stemEnglish(form)).toBe(stemEnglish(regular)),
  );

  it.each(['rose', 'left', 'saw', 'bit', 'led'])('does not treat %s as an irregular form', (word) =>
    expect(stemEnglish(word)).toBe(word),
  );
});
